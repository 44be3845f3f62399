"""Join the parts of an experiment."""

import pandas as pd

from sslrank.benchmark.archive.finished_jobs import read_tables
from sslrank.benchmark.archive.record import part_tables
from sslrank.benchmark.archive.store import read_listed
from sslrank.benchmark.experiments import load_experiment


def experiment_job(*, name, parts, archived, computed, tables):
    """Join the tables of the parts of an experiment, from its file in the archive or the folders `computed`.

    The folder `tables` gets a CSV for each table.
    """
    if archived:
        archived_tables = part_tables(read_listed(archived))
        by_part = [archived_tables[part] for part in parts]
    else:
        by_part = map(read_tables, computed)
    by_table = {}
    for tables_of_part in by_part:
        for table, frame in tables_of_part.items():
            by_table.setdefault(table, []).append(frame)
    tables.mkdir(parents=True, exist_ok=True)
    joined = load_experiment(name).join({table: pd.concat(frames) for table, frames in by_table.items()})
    for table, frame in joined.items():
        frame.to_csv(tables / f"{table}.csv", index=False)
