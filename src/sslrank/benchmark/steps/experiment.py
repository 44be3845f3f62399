"""Join the parts of an experiment."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.experiments import parts_of, read_tables
from sslrank.benchmark.archive.store import read_listed
from sslrank.benchmark.experiments import load_experiment


def experiment_job(parts, output, *, name):
    """Join the parts of an experiment and write one CSV per table into a folder.

    `parts` has for each part the folder of its tables, or the archive's file with them.
    """
    archived = {path: parts_of(read_listed(path)) for path in {*parts.values()} if Path(path).is_file()}
    tables = {}
    for part, path in parts.items():
        part_tables = archived[path][part].tables if path in archived else read_tables(path)
        for table, frame in part_tables.items():
            tables.setdefault(table, []).append(frame)
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    joined = load_experiment(name).join({table: pd.concat(frames) for table, frames in tables.items()})
    for table, frame in joined.items():
        frame.to_csv(folder / f"{table}.csv", index=False)
