"""Compute a part of an experiment that needs no dataset."""

from pathlib import Path

from sslrank.benchmark.experiments import load_experiment
from sslrank.benchmark.steps import Job
from sslrank.core.random_state import derive_seed


class PartJob(Job):
    """Compute a part of the experiment `name` from the part's parameters; the folder `tables` gets Parquet files."""

    name: str
    part: dict
    seed: int
    tables: Path


def experiment_part_job(job: PartJob):
    """Write the tables of the part."""
    computed = compute_part(job.name, job.part, seed=job.seed, n_jobs=job.threads)
    if odd := [table for table in computed if "." in table or table == "job"]:
        raise ValueError(
            f"the experiment {job.name} has a table named {odd[0]!r}; expected a name without a dot that is not 'job'"
        )
    job.tables.mkdir(parents=True, exist_ok=True)
    for table, frame in computed.items():
        frame.to_parquet(job.tables / f"{table}.parquet", index=False)


def compute_part(name, part, *, seed, n_jobs=1):
    """Compute a part of an experiment from its parameters; return tables by name."""
    return load_experiment(name).experiment(seed=derive_seed(seed, "experiment", name), n_jobs=n_jobs, **part)
