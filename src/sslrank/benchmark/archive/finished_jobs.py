"""Build records from the files of finished jobs."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.ranking_summaries import summarize_rankings
from sslrank.benchmark.archive.record import JOB, PARTS, Record, job_name, provenance_groups
from sslrank.benchmark.files import read_json, read_parquet, read_table
from sslrank.core.errors import DataError
from sslrank.datasets.dataset import Dataset
from sslrank.datasets.fingerprint import sha256_of

_MEASURED = ("s", "max_rss", "cpu_time")


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


def pair_records(job):
    """Build the records of methods on a dataset; `job` is a :class:`~sslrank.benchmark.steps.gather.GatherJob`.

    If the dataset or its splits are missing, `dataset` of the records has only "problem", the reason. Raises a
    DataError if a job had other settings.
    """
    contents = {path: read_json(path) for path in (job.header, job.splits)}
    problems = [f"{path}: {content['problem']}" for path, content in contents.items() if "problem" in content]
    facts = {"problem": problems[0]} if problems else dataset_facts(job.header, job.hypothesis)
    fingerprint = None if problems else contents[job.header]["provenance"]["fingerprint"]
    splits_hash, records = sha256_of(job.splits), []
    files = job.rankings, job.fits, job.ranking_benchmark, job.scores, job.scoring, job.scoring_benchmark
    by_method = zip(job.specs.values(), *files, strict=True)
    for planned, rankings, fits, of_ranking, scores, scoring, of_scoring in by_method:
        settings = {"spec": planned["method"]["spec"], "modes": planned["modes"], "seed": planned["seed"]}
        ranking = made_by(of_ranking, **settings)
        jobs = {"splits": made_by(job.splits_benchmark, protocol=planned["splits"], seed=planned["seed"])}
        jobs |= dict.fromkeys((f"ranking {L}" for L in planned["splits"]["L"]), ranking)
        jobs |= {f"scores {name}": made_by(of_scoring, name) for name in planned["evaluators"]}
        spec = planned | {"splits_sha256": splits_hash, "L": planned["splits"]["L"]}
        spec["dataset"] = spec["dataset"] | {"fingerprint": fingerprint}
        tables = {"score": scores, "scoring": scoring, "fit": fits}
        parts = {part: read_table(path)[PARTS[part]] for part, path in tables.items()}
        steps = {"ranking": of_ranking, "scores": of_scoring}
        measured = [_measured(path) | {"step": step} for step, path in steps.items()]
        parts["job"] = pd.DataFrame(measured, columns=PARTS["job"])
        parts |= summarize_rankings(read_parquet(rankings))
        records.append(Record(spec, provenance_groups(jobs), facts, parts))
    return records


def read_tables(folder):
    """Read the tables in the folder of a part of an experiment, by name."""
    return {path.stem: read_parquet(path) for path in sorted(Path(folder).glob("*.parquet"))}


def experiment_record(spec, folders, benchmarks):
    """Build the record of an experiment from the folders of tables and the benchmarks of its parts, in their order."""
    by_table, jobs = {}, {}
    for name, folder, benchmark in sorted(zip(spec["parts"], folders, benchmarks, strict=True)):
        jobs[job_name(name)] = *_, date = made_by(benchmark, part=spec["parts"][name], seed=spec["seed"])
        job = pd.DataFrame([_measured(benchmark) | {"date": date}])
        for table, frame in (read_tables(folder) | {JOB: job}).items():
            by_table.setdefault(table, []).append(frame.assign(part=name))
    tables = {table: pd.concat(by_table[table], ignore_index=True) for table in sorted(by_table)}
    return Record(spec | {"parts": dict(sorted(spec["parts"].items()))}, provenance_groups(jobs), {}, tables)


def _measured(benchmark):
    measured = read_json(benchmark)
    return {key: float(measured[key]) for key in _MEASURED}


def made_by(benchmark, evaluator=None, **settings):
    """Return machine and versions of a job, the digests in its params (of its evaluator), and its end."""
    content = read_json(benchmark)
    params = content["params"]
    for key, value in settings.items():
        if key in params and params[key] != value:
            raise DataError(f"{benchmark}: the job had {key} {params[key]}, planned is {value}; run it again")
    used = params["evaluators"][evaluator] if evaluator is not None else params
    code = " ".join(filter(None, (params["code"], used.get("used"))))
    return content["environment"], code, content["date"]
