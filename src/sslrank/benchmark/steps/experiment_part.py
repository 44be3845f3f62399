"""Compute a part of an experiment that needs no dataset."""

from pathlib import Path

from sslrank.benchmark.experiments import load_experiment
from sslrank.core.random_state import derive_seed


def experiment_part_job(tables, *, name, part, seed, n_jobs=1):
    """Compute a part of an experiment and write one Parquet file per table into a folder."""
    part_tables = compute_part(name, part, seed=seed, n_jobs=n_jobs)
    if odd := [table for table in part_tables if "." in table or table == "job"]:
        raise ValueError(
            f"the experiment {name} has a table named {odd[0]!r}; expected a name without a dot that is not 'job'"
        )
    folder = Path(tables)
    folder.mkdir(parents=True, exist_ok=True)
    for table, frame in part_tables.items():
        frame.to_parquet(folder / f"{table}.parquet", index=False)


def compute_part(name, part, *, seed, n_jobs=1):
    """Compute a part of an experiment from its parameters; return tables by name."""
    return load_experiment(name).experiment(seed=derive_seed(seed, "experiment", name), n_jobs=n_jobs, **part)
