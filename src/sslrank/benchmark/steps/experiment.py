"""Join the parts of an experiment."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.experiments import parts_of, read_tables
from sslrank.benchmark.archive.store import read_listed
from sslrank.benchmark.experiments import load_experiment
from sslrank.benchmark.steps import Job


class ExperimentJob(Job):
    """Join the `parts` of the experiment `name`, from its file in the archive (`archived`) or the folders `computed`.

    `tables` is a folder that gets a CSV for each table.
    """

    name: str
    parts: dict
    archived: Path | list
    computed: list
    tables: Path


def experiment_job(job: ExperimentJob):
    """Join the tables of the parts."""
    if job.archived:
        archived = parts_of(read_listed(job.archived))
        by_part = [archived[part].tables for part in job.parts]
    else:
        by_part = map(read_tables, job.computed)
    tables = {}
    for part_tables in by_part:
        for table, frame in part_tables.items():
            tables.setdefault(table, []).append(frame)
    job.tables.mkdir(parents=True, exist_ok=True)
    joined = load_experiment(job.name).join({table: pd.concat(frames) for table, frames in tables.items()})
    for table, frame in joined.items():
        frame.to_csv(job.tables / f"{table}.csv", index=False)
