"""The jobs of an experiment that needs no dataset: its parts, and what joins them."""

from pathlib import Path

import pandas as pd

from sslrank.pipeline.experiments import load_experiment
from sslrank.seeds import derive_seed


def experiment_part_job(directory, *, name, part, seed, n_jobs=1):
    """Compute a part of an experiment and write one Parquet file per table into a folder.

    Parameters
    ----------
    directory : path-like
    name : str
        One of :data:`sslrank.pipeline.experiments.EXPERIMENTS`.
    part : dict
        Parameters of the part.
    seed : int
        The study's seed.
    n_jobs : int
    """
    found = load_experiment(name).experiment(seed=derive_seed(seed, "experiment", name), n_jobs=n_jobs, **part)
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    for table, frame in found.items():
        frame.to_parquet(folder / f"{table}.parquet", index=False)


def experiment_job(directories, directory, *, name):
    """Join the parts of an experiment and write one CSV per table into a folder.

    Parameters
    ----------
    directories : list of path-like
        Folders of the parts.
    directory : path-like
    name : str
        As for :func:`experiment_part_job`.
    """
    tables = {}
    for part in directories:
        for path in sorted(Path(part).glob("*.parquet")):
            tables.setdefault(path.stem, []).append(pd.read_parquet(path))
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    joined = load_experiment(name).join({table: pd.concat(frames) for table, frames in tables.items()})
    for table, frame in joined.items():
        frame.to_csv(folder / f"{table}.csv", index=False)
