"""Collect the results of a study, from jobs and the archive, into tidy tables, and the stability of its rankings."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sslrank.benchmark.archive.record import PARTS, STORED, SUFFIX, ArchiveError, commits, last_made, read_records
from sslrank.benchmark.archive.store import MISSING, check_consistent, read_listed
from sslrank.benchmark.files import SCORE_COLUMNS, SCORING_COLUMNS, stacked
from sslrank.benchmark.rankings import STATUS_COLUMNS
from sslrank.benchmark.steps import Job

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
#: Columns that identify a ranking over all folds.
RANKING_KEYS = [*_PAIR, "ranking", "mode", "L"]
STABILITY_COLUMNS = [*RANKING_KEYS, *(name for name in PARTS["stability"] if name not in RANKING_KEYS)]
FEATURES = pa.schema(
    [(key, pa.string()) for key in RANKING_KEYS]
    + [STORED.field(name) for name in PARTS["feature"] if name not in RANKING_KEYS]
)


class ResultsJob(Job):
    """A job on results from `gathered`, outputs of the step `gather`, and `archived`, files of the archive.

    `pairs` has for each dataset and method: dataset, task and method. If the archive has the result: also archived, the
    evaluators to read. If nothing has: also missing (the reason).
    """

    gathered: list
    archived: list
    pairs: list


class CollectJob(ResultsJob):
    """Collect the results of a study in the tables `collected`, of one folder.

    `datasets` has for each dataset: dataset, task, title, published (its published name) and reason, why it is
    unavailable, or "". `experiments` has for each experiment: experiment, parts (their number), and archived or
    missing, as in `pairs`; `archived_experiments` are the files of the former.
    """

    study: str
    archived_experiments: list
    datasets: list
    experiments: list
    collected: list


def collect_job(job: CollectJob):
    """Write ``datasets.csv``, ``sources.csv`` and the tables of :data:`TABLES`, each as CSV.

    A dataset that an earlier job could not prepare is unavailable, with that job's reason. The fits of a missing result
    get the status "not run", as many as other methods have on the dataset. Raises an ArchiveError if a file of the
    archive disagrees with the others or with results of this run.
    """
    folder = job.collected[0].parent
    facts, archived_records, hashes_here, sources = {}, [], {}, []
    tables = {name: [] for name in TABLES}
    for pair, record in read_results(job.pairs, job.gathered, job.archived):
        sources.append(_source(pair, record))
        if record is None:
            continue
        facts.setdefault(pair["dataset"], {}).update(record.dataset)  # CH is not in all records of a dataset
        parts = dict(record.parts)
        if "archived" in pair:
            archived_records.append(record)
            for part in ("score", "scoring"):
                parts[part] = parts[part][parts[part]["evaluator"].isin(pair["archived"])]
        else:
            hashes_here[pair["dataset"]] = record.spec["splits_sha256"]
        keys = {key: pair[key] for key in _PAIR} | {"study": job.study}
        for name, (part, _) in TABLES.items():
            tables[name].append(parts[part].assign(**keys))
    tables["status"] += _not_run(tables["status"], job.pairs)
    check_consistent(archived_records)
    _check_splits(archived_records, hashes_here)
    for name, (_, columns) in TABLES.items():
        table = stacked(tables[name], columns)
        if name == "durations":
            table = table.sort_values("step", kind="stable")
        table.to_csv(folder / f"{name}.csv", index=False)
    descriptions = pd.DataFrame([_describe(item, facts.get(item["dataset"], {})) for item in job.datasets])
    descriptions.to_csv(folder / "datasets.csv", index=False)
    by_name = {path.name.removesuffix(SUFFIX): path for path in job.archived_experiments}
    for item in job.experiments:
        path = by_name.get(item["experiment"])
        sources.append(_source(item, read_listed(path) if path else None))
    table = pd.DataFrame(sources, columns=SOURCE_COLUMNS).astype({"parts": "Int64"})
    table.to_csv(folder / "sources.csv", index=False)


def read_results(pairs, gathered, archived):
    """Yield each pair of :class:`ResultsJob` with its record; None for a missing one."""
    files = {
        kind: {path.name.removesuffix(SUFFIX): path for path in paths}
        for kind, paths in (("here", gathered), ("archived", archived))
    }
    dataset, records = None, {}
    for pair in pairs:
        if "missing" in pair:
            yield pair, None
        elif "archived" in pair:
            yield pair, read_listed(files["archived"][pair["dataset"]], pair["method"])
        else:
            if pair["dataset"] != dataset:  # methods of a dataset follow each other
                dataset = pair["dataset"]
                records = {record.key[2]: record for record in read_records(files["here"][dataset])}
            yield pair, records[pair["method"]]


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


def _source(item, record):
    """Describe the source of the results of a pair, or of some parts of an experiment."""
    row = {key: item[key] for key in ("dataset", "method", "experiment", "parts") if key in item}
    if "missing" in item:
        return row | {"source": MISSING, "reason": item["missing"]}
    if "archived" not in item:
        return row | {"source": "run here"}
    last = last_made(record)
    return row | {
        "source": "archive",
        "commit": " ".join(commits(record)),
        "date": last["date"],
        "processor": last["machine"]["processor"],
        "instructions": last["instructions"],
    }


def _check_splits(archived, here):
    """Check that results of this run use the splits of the archive; `here` has the hash of the former by dataset."""
    for record in archived:
        dataset = record.spec["dataset"]["name"]
        if here.get(dataset, record.spec["splits_sha256"]) != record.spec["splits_sha256"]:
            raise ArchiveError(
                f"its splits of {dataset} are not those with which other methods were run here",
                file=record.file,
                advice="Run everything here, without archive=use",
            )


def _describe(item, facts):
    reason = item["reason"] or facts.get("problem", "")
    row = {key: item[key] for key in ("dataset", "task")} | {"available": not reason, "reason": reason}
    row |= {key: item[key] for key in ("title", "published")}
    return row if reason else row | facts


class StabilityJob(ResultsJob):
    """Write the `stability` of each ranking over the folds as CSV, and its best `features` as Parquet."""

    stability: Path
    features: Path


def stability_job(job: StabilityJob):
    """Write the two tables."""
    results = read_results(job.pairs, job.gathered, job.archived)
    summaries = [(pair, record.parts) for pair, record in results if record is not None]
    write_stability(summaries, job.stability, job.features)


def write_stability(summaries, stability, features):
    """Write the parts "stability" and "feature" of records with their pairs (dataset, task, method)."""
    rows = {
        part: [parts[part].assign(**{key: pair[key] for key in _PAIR}) for pair, parts in summaries]
        for part in ("stability", "feature")
    }
    stacked(rows["stability"], STABILITY_COLUMNS).to_csv(stability, index=False, float_format="%.5g")
    table = pa.Table.from_pandas(stacked(rows["feature"], FEATURES.names), schema=FEATURES, preserve_index=False)
    pq.write_table(table.replace_schema_metadata(None), features, compression="zstd")
