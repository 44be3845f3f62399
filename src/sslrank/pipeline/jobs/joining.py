"""The job that joins the parts of an experiment."""

from pathlib import Path

import pandas as pd

from sslrank.pipeline.experiments import load_experiment


def experiment_job(directories, directory, *, name):
    """Join the parts of an experiment and write one CSV per table into a folder.

    Parameters
    ----------
    directories : list of path-like
        Folders of the parts.
    directory : path-like
    name : str
        One of :data:`sslrank.pipeline.experiments.EXPERIMENTS`.
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
