"""Collect the results of a study, from jobs and from the archive, as tidy tables."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.finished_jobs import dataset_facts, job_tables
from sslrank.benchmark.archive.record import ArchiveError, commits, last_made
from sslrank.benchmark.archive.store import MISSING, check_consistent, read_listed
from sslrank.benchmark.files import SCORE_COLUMNS, SCORING_COLUMNS, read_json, stacked
from sslrank.benchmark.rankings import STATUS_COLUMNS
from sslrank.datasets.fingerprint import sha256_of

_PAIR = ["dataset", "task", "method"]
#: Columns of each table, and the part of a record that it is made of.
TABLES = {
    "scores": ("score", SCORE_COLUMNS),
    "status": ("fit", [*_PAIR, "L", *STATUS_COLUMNS]),
    "scoring": ("scoring", [*_PAIR, "evaluator", *SCORING_COLUMNS]),
    "durations": ("job", ["step", "dataset", "method", "L", "evaluator", "s", "max_rss", "cpu_time"]),
}
SOURCE_COLUMNS = [
    *("dataset", "method", "experiment", "parts", "source", "commit", "code", "date", "processor", "instructions"),
    "reason",
]


def collect_job(folder, *, datasets, pairs, experiments=()):
    """Write ``datasets.csv``, ``sources.csv`` and the tables of :data:`TABLES`, each as CSV.

    A dataset that an earlier job could not make is not available, for that job's reason. An ArchiveError says that a
    file of the archive cannot be used with the others, or with what was run here.

    Parameters
    ----------
    folder : path-like
    datasets : list of dict
        Per dataset: dataset, task, available, reason, title, published (its name there), and where available either
        facts, or header, the path of the prepared header, and hypothesis, that of the file with CH, or "".
    pairs : list of dict
        Per dataset and method what :mod:`sslrank.benchmark.archive.finished_jobs` says, or study, dataset, task,
        method, archive (the path of the archive's file), evaluators (those to take) and same_code (whether the code
        that made it is the one here), or these and missing (why nothing is to be collected): then it has the fits of
        the other methods on the dataset, with the status "not run".
    experiments : list of dict, optional
        Per experiment: experiment, parts (their number), and as above archive and same_code, or missing.
    """
    folder = Path(folder)
    records, sources = {}, []
    found = {name: [] for name in TABLES}
    for pair in pairs:
        if "missing" in pair:
            sources.append(_source(pair))
            continue
        if "archive" in pair:
            record = read_listed(pair["archive"], pair["method"])
            records[record.subject] = record
            parts = dict(record.parts)
            for part in ("score", "scoring"):
                parts[part] = parts[part][parts[part]["evaluator"].isin(pair["evaluators"])]
            sources.append(_source(pair, record))
        else:
            parts = job_tables(pair)
            sources.append(_source(pair))
        keys = {key: pair[key] for key in ("study", *_PAIR)}
        for name, (part, _) in TABLES.items():
            found[name].append(parts[part].assign(**keys))
    found["status"] += _not_run(found["status"], pairs)
    check_consistent(records.values())
    _check_splits(records, pairs)
    for name, (_, columns) in TABLES.items():
        table = stacked(found[name], columns)
        if name == "durations":
            table = table.sort_values("step", kind="stable")
        table.to_csv(folder / f"{name}.csv", index=False)
        if name == "status":
            lost = table[table["status"] == "no data"].drop_duplicates("dataset").set_index("dataset")["message"]
    described = pd.DataFrame([_describe(item, lost.get(item["dataset"])) for item in datasets])
    described.to_csv(folder / "datasets.csv", index=False)
    for item in experiments:
        record = read_listed(item["archive"]) if "archive" in item else None
        sources.append(_source(item, record))
    table = pd.DataFrame(sources, columns=SOURCE_COLUMNS).astype({"parts": "Int64"})
    table.to_csv(folder / "sources.csv", index=False)


def _not_run(status, pairs):
    """Status rows "not run" for missing results, with the fits of the other methods on the dataset."""
    status = pd.concat(status, ignore_index=True) if status else pd.DataFrame(columns=[*_PAIR, "L", "mode", "fold"])
    same = {"status": "not run", "seconds": 0.0, "details": "{}"}
    return [
        status.loc[status["dataset"] == pair["dataset"], [*_PAIR, "L", "mode", "fold"]]
        .drop_duplicates(["L", "mode", "fold"])
        .assign(method=pair["method"], message=pair["missing"], **same)
        for pair in pairs
        if "missing" in pair
    ]


def _source(item, record=None):
    """Describe the source of the results of a pair, or of some parts of an experiment."""
    row = {key: item[key] for key in ("dataset", "method", "experiment", "parts") if key in item}
    if "missing" in item:
        return row | {"source": MISSING, "reason": item["missing"]}
    if record is None:
        return row | {"source": "run here"}
    last = last_made(record)
    return row | {
        "source": "archive",
        "commit": " ".join(commits(record)),
        "code": "as here" if item["same_code"] else "other",
        "date": last["date"],
        "processor": last["machine"]["processor"],
        "instructions": last["instructions"],
    }


def _check_splits(records, pairs):
    """Check that results of this run have the splits of the archive."""
    here = {pair["dataset"]: pair["splits"] for pair in pairs if "splits" in pair}
    hashes = {dataset: sha256_of(path) for dataset, path in here.items()}
    for record in records.values():
        dataset = record.spec["dataset"]["name"]
        if hashes.get(dataset, record.spec["splits_sha256"]) != record.spec["splits_sha256"]:
            raise ArchiveError(
                f"its splits of {dataset} are not those of {here[dataset]}, with which other methods were run here",
                file=record.file,
                advice="Run everything here, without archive=use",
            )


def _describe(item, problem):
    row = {key: item.get(key) for key in ("dataset", "task", "available", "reason", "title", "published")}
    if item["facts"]:
        return row | item["facts"]
    if not item["header"]:
        return row
    problem = read_json(item["header"]).get("problem") or problem
    if problem:
        return row | {"available": False, "reason": problem}
    return row | dataset_facts(item["header"], item["hypothesis"])
