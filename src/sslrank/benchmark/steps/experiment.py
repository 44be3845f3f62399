"""Join the parts of an experiment."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.finished_jobs import read_tables
from sslrank.benchmark.archive.record import part_tables
from sslrank.benchmark.archive.store import read_listed
from sslrank.benchmark.experiments import load_experiment
from sslrank.benchmark.steps import Job


class ExperimentJob(Job):
    """Join the tables of the parts of an experiment, from its file in the archive or the folders `computed`.

    The folder `tables` gets a CSV for each table.
    """

    name: str
    parts: dict
    archived: Path | list
    computed: list
    tables: Path


def experiment_job(job: ExperimentJob):
    """Write the joined tables."""
    if job.archived:
        archived_tables = part_tables(read_listed(job.archived))
        by_part = [archived_tables[part] for part in job.parts]
    else:
        by_part = map(read_tables, job.computed)
    by_table = {}
    for tables_of_part in by_part:
        for table, frame in tables_of_part.items():
            by_table.setdefault(table, []).append(frame)
    job.tables.mkdir(parents=True, exist_ok=True)
    joined = load_experiment(job.name).join({table: pd.concat(frames) for table, frames in by_table.items()})
    for table, frame in joined.items():
        frame.to_csv(job.tables / f"{table}.csv", index=False)
