"""Make all tables of a study."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.results.tables import table_info
from sslrank.benchmark.steps import Job


class CollectedJob(Job):
    """A job that reads the `collected` tables of a study, and the folders of its `experiments`.

    `config` is what :meth:`sslrank.benchmark.plan.study.StudyPlan.table_config` returns.
    """

    study: str
    config: dict
    collected: list
    experiments: list

    @property
    def study_data(self):
        """Scores, statuses and experiments."""
        experiments = {path.name: path for path in self.experiments}
        return StudyData.load(self.study, self.config, self.collected[0].parent, experiments)


class TablesJob(CollectedJob):
    """Make the tables of `blocks` (:func:`write_tables`), also from the arena's `entries`, in the folder `tables`."""

    entries: list
    blocks: dict
    tables: Path


def tables_job(job: TablesJob):
    """Make all tables of a study."""
    write_tables(job.study_data, job.tables, job.blocks)


def write_tables(data, folder, blocks):
    """Write tables of a :class:`~sslrank.benchmark.results.study.StudyData` as CSV files into a folder.

    `blocks` has for each table: function (a name of :data:`sslrank.benchmark.results.tables.TABLES`), options, and
    variants (further options by name). A table with variants has the rows of all variants, named in the column
    ``variant``.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, block in blocks.items():
        _computed_table(data, block).to_csv(folder / f"{name}.csv", index=False, float_format="%.6g")


def _computed_table(data, block):
    make = table_info(block["function"]).make
    if not block["variants"]:
        return make(data, **block["options"])
    parts = {name: make(data, **(block["options"] | options)) for name, options in block["variants"].items()}
    return pd.concat(parts, names=["variant"]).reset_index("variant").reset_index(drop=True)
