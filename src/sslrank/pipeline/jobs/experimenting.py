"""The job of an experiment that needs no dataset."""

from pathlib import Path

from sslrank.pipeline.experiments import load_experiment
from sslrank.seeds import derive_seed


def experiment_job(directory, *, block, seed, n_jobs=1):
    """Run an experiment and write one CSV per table into a folder.

    Parameters
    ----------
    directory : path-like
    block : dict
        "experiment" (a name of :data:`sslrank.pipeline.experiments.EXPERIMENTS`) and "params".
    seed : int
        The study's seed.
    n_jobs : int
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    name = block["experiment"]
    tables = load_experiment(name)(seed=derive_seed(seed, "experiment", name), n_jobs=n_jobs, **block["params"])
    for part, table in tables.items():
        table.to_csv(folder / f"{part}.csv", index=False)
