"""Build records from the files of finished jobs.

A pair is the plan's entry for one method on one dataset in one study::

    study, dataset, task, method
    hypothesis    path of the file with CH; "" where the study has none
    spec          what is computed; see :class:`sslrank.benchmark.archive.record.Record`
    ...           the paths of :data:`sslrank.benchmark.paths.PAIR`
"""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.experiments import Part, read_tables, record_of
from sslrank.benchmark.archive.ranking_summaries import summarize_rankings
from sslrank.benchmark.archive.record import PARTS, Record, provenance_groups
from sslrank.benchmark.files import read_benchmark, read_json, read_parquet, read_table
from sslrank.benchmark.logs import read_job_record
from sslrank.core.errors import DataError
from sslrank.datasets.dataset import Dataset
from sslrank.datasets.fingerprint import sha256_of


def job_tables(pair):
    """Read the tables of a pair from the files of its jobs: :data:`PARTS` without the summaries of rankings."""
    files = {"score": "scores", "scoring": "scoring", "fit": "fits"}
    parts = {part: read_table(pair[name])[PARTS[part]] for part, name in files.items()}
    steps = {"ranking": "ranking_benchmark", "scores": "scoring_benchmark"}
    jobs = [read_benchmark(pair[name]) | {"step": step} for step, name in steps.items()]
    return parts | {"job": pd.DataFrame(jobs, columns=PARTS["job"])}


def dataset_facts(header, hypothesis=None):
    """Describe a prepared dataset by the header and table in its folder and by the file with CH."""
    facts = table_facts(Dataset.load(Path(header).parent))
    note = read_json(header)["provenance"].get("note", "")
    return facts | (read_json(hypothesis) if hypothesis else {}) | {"note": note}


def table_facts(dataset):
    """Compute facts of a dataset from its table.

    The keys are examples, features, nominal, labeled (number of rows with a target, if some have none), those of the
    kind of target (classes, majority_share; labels, cardinality, density; events; targets), and predefined_parts.
    """
    y = pd.DataFrame(dataset.y)
    row = {"examples": len(y), "features": dataset.X.shape[1], "nominal": int(dataset.nominal.sum())}
    labeled = int(y.notna().any(axis=1).sum())
    if labeled < len(y):
        row["labeled"] = labeled
    if dataset.task == "classification":
        counts = y[0].value_counts()
        row |= {"classes": len(counts), "majority_share": float(counts.iloc[0] / counts.sum())}
    elif dataset.task in ("multilabel", "hierarchical"):
        cardinality = float(y.sum(axis=1).mean())
        row |= {"labels": y.shape[1], "cardinality": cardinality, "density": cardinality / y.shape[1]}
    elif dataset.task == "survival":
        row |= {"events": int(y[1].sum())}
    else:
        row |= {"targets": y.shape[1]}
    return row | {"predefined_parts": bool(dataset.parts)}


def pair_record(pair):
    """Build the record of a pair whose jobs have finished.

    Raises a DataError if the dataset or its splits are missing, a log has no record of its job, or a job had other
    settings.
    """
    header, splits = (read_json(pair[name]) for name in ("header", "splits"))
    for name, read in (("header", header), ("splits", splits)):
        if "problem" in read:
            raise DataError(f"{pair[name]}: {read['problem']}")
    planned = pair["spec"]
    settings = {"spec": planned["method"]["spec"], "modes": planned["modes"], "seed": planned["seed"]}
    made_by = {"splits": _job(pair["splits_log"], protocol=planned["splits"], seed=planned["seed"])}
    made_by |= dict.fromkeys((f"ranking {L}" for L in planned["splits"]["L"]), _job(pair["ranking_log"], **settings))
    made_by |= {f"scores {name}": _job(pair["scoring_log"], evaluator=name) for name in planned["evaluators"]}
    spec = planned | {"splits_sha256": sha256_of(pair["splits"]), "L": planned["splits"]["L"]}
    spec["dataset"] = spec["dataset"] | {"fingerprint": header["provenance"]["fingerprint"]}
    parts = job_tables(pair) | summarize_rankings(read_parquet(pair["rankings"]))
    return Record(spec, provenance_groups(made_by), dataset_facts(pair["header"], pair["hypothesis"] or None), parts)


def experiment_record(experiment):
    """Build the record of an experiment whose parts have finished.

    `experiment` has spec and, for each part, tables (the folder), log and benchmark.
    """
    spec, parts = experiment["spec"], {}
    for name, files in experiment["parts"].items():
        provenance, code, date = _job(files["log"], part=spec["parts"][name], seed=spec["seed"])
        measured = read_benchmark(files["benchmark"])
        job = {key: float(measured.get(key, "nan")) for key in ("s", "max_rss", "cpu_time")}
        parts[name] = Part(spec["parts"][name], provenance, code, date, read_tables(files["tables"]), job)
    return record_of({key: value for key, value in spec.items() if key != "parts"}, parts)


def _job(log, *, evaluator=None, **settings):
    """Return machine and versions of a job, the hash of its code (or of its evaluator), and its end."""
    record = read_job_record(log)
    if record is None or "environment" not in record:
        raise DataError(f"{log} has no record of a finished job; delete what the job wrote, and run it again")
    for key, value in settings.items():
        if key in record["params"] and record["params"][key] != value:
            raise DataError(f"{log}: the job had {key} {record['params'][key]}, planned is {value}; run it again")
    params = record["params"] | (record["params"].get(evaluator) or {})
    return record["environment"], job_code(params), record["date"]


def job_code(params):
    """Return the digests in the parameters of a job: of its step, and of its ranker, evaluator or experiment."""
    return " ".join(params[key] for key in ("code", "used") if params.get(key))
