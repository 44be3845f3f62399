"""Compute a part of an experiment that needs no dataset."""

from sslrank.benchmark.experiments import load_experiment
from sslrank.core.random_state import derive_seed


def experiment_part_job(*, name, part, seed, tables, threads=1):
    """Compute a part of the experiment `name` from the part's parameters; the folder `tables` gets Parquet files."""
    computed = compute_part(name, part, seed=seed, n_jobs=threads)
    if odd := [table for table in computed if "." in table or table == "job"]:
        raise ValueError(
            f"the experiment {name} has a table named {odd[0]!r}; expected a name without a dot that is not 'job'"
        )
    tables.mkdir(parents=True, exist_ok=True)
    for table, frame in computed.items():
        frame.to_parquet(tables / f"{table}.parquet", index=False)


def compute_part(name, part, *, seed, n_jobs=1):
    """Compute a part of an experiment from its parameters; return tables by name."""
    return load_experiment(name).experiment(seed=derive_seed(seed, "experiment", name), n_jobs=n_jobs, **part)
