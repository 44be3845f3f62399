"""Collect the results of a study, from jobs and the archive, into tidy tables."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.finished_jobs import dataset_facts, job_tables
from sslrank.benchmark.archive.record import ArchiveError, commits, last_made
from sslrank.benchmark.archive.store import MISSING, check_consistent, read_listed
from sslrank.benchmark.files import SCORE_COLUMNS, SCORING_COLUMNS, read_json, stacked
from sslrank.benchmark.rankings import STATUS_COLUMNS
from sslrank.datasets.fingerprint import sha256_of

_PAIR = ["dataset", "task", "method"]
#: Columns of each table, and the part of a record that it is built from.
TABLES = {
    "scores": ("score", SCORE_COLUMNS),
    "status": ("fit", [*_PAIR, "L", *STATUS_COLUMNS]),
    "scoring": ("scoring", [*_PAIR, "evaluator", *SCORING_COLUMNS]),
    "durations": ("job", ["step", "dataset", "method", "L", "evaluator", "s", "max_rss", "cpu_time"]),
}
SOURCE_COLUMNS = [
    *("dataset", "method", "experiment", "parts", "source", "commit", "date", "processor", "instructions"),
    "reason",
]


def collect_job(folder, *, datasets, pairs, experiments=()):
    """Write ``datasets.csv``, ``sources.csv`` and the tables of :data:`TABLES`, each as CSV.

    A dataset that an earlier job could not prepare is unavailable, with that job's reason. Raises an ArchiveError if a
    file of the archive disagrees with the others or with results of this run.

    Parameters
    ----------
    folder : path-like
    datasets : list of dict
        For each dataset: dataset, task, available, reason, title, published (its published name); if available, either
        facts, or header (path of the prepared header) and hypothesis (path of the file with CH, or "").
    pairs : list of dict
        For each dataset and method: the keys of :mod:`sslrank.benchmark.archive.finished_jobs`. If the archive has the
        result: also archive (its file) and evaluators (those to read). If nothing has: also missing (the reason); then
        the status "not run" is written for the fits of the other methods on the dataset.
    experiments : list of dict, optional
        For each experiment: experiment, parts (their number), and archive or missing, as above.
    """
    folder = Path(folder)
    records, sources = {}, []
    tables = {name: [] for name in TABLES}
    for pair in pairs:
        if "missing" in pair:
            sources.append(_source(pair))
            continue
        if "archive" in pair:
            record = read_listed(pair["archive"], pair["method"])
            records[record.key] = record
            parts = dict(record.parts)
            for part in ("score", "scoring"):
                parts[part] = parts[part][parts[part]["evaluator"].isin(pair["evaluators"])]
            sources.append(_source(pair, record))
        else:
            parts = job_tables(pair)
            sources.append(_source(pair))
        keys = {key: pair[key] for key in ("study", *_PAIR)}
        for name, (part, _) in TABLES.items():
            tables[name].append(parts[part].assign(**keys))
    tables["status"] += _not_run(tables["status"], pairs)
    check_consistent(records.values())
    _check_splits(records, pairs)
    for name, (_, columns) in TABLES.items():
        table = stacked(tables[name], columns)
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
    """Make status rows "not run" of missing results, for the fits of the other methods on the dataset."""
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
        "date": last["date"],
        "processor": last["machine"]["processor"],
        "instructions": last["instructions"],
    }


def _check_splits(records, pairs):
    """Check that results of this run use the splits of the archive."""
    current = {pair["dataset"]: pair["splits"] for pair in pairs if not {"archive", "missing"} & set(pair)}
    hashes = {dataset: sha256_of(path) for dataset, path in current.items()}
    for record in records.values():
        dataset = record.spec["dataset"]["name"]
        if hashes.get(dataset, record.spec["splits_sha256"]) != record.spec["splits_sha256"]:
            raise ArchiveError(
                f"its splits of {dataset} are not those of {current[dataset]}, with which other methods were run here",
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
