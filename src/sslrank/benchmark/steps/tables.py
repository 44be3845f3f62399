"""Make all tables of a study."""

import re
from pathlib import Path

import pandas as pd

from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.results.tables import table_info
from sslrank.benchmark.steps import Job

#: Tables that are also written as LaTeX (package booktabs) -> their columns.
LATEX = {
    "leaderboard": ["mode", "task", "entry", "n_datasets", "average_rank", "lower", "upper", "win_rate", "score"],
    "pairs": [
        *("mode", "task", "first", "second", "n_datasets", "mean_difference", "low", "high", "wins", "losses"),
        "p_holm",
    ],
}


class StudyJob(Job):
    """A job on the `collected` tables of a study and the folders of its `experiments`.

    `config` is what :meth:`sslrank.benchmark.plan.study.StudyPlan.table_config` returns.
    """

    config: dict
    collected: list
    experiments: list


class TablesJob(StudyJob):
    """Make all tables of a study (:func:`write_tables`) in the folder `tables`."""

    blocks: dict
    tables: Path


def tables_job(job: TablesJob):
    """Make the tables of a study."""
    write_tables(read_study(job), job.tables, job.blocks)


def read_study(job):
    """Read the tables of a :class:`StudyJob`."""
    return StudyData.load(job.config, job.collected[0].parent, {path.name: path for path in job.experiments})


def write_tables(data, folder, blocks):
    """Write tables of a :class:`~sslrank.benchmark.results.study.StudyData` as CSV files into a folder.

    `blocks` has for each table: function (a name of :data:`sslrank.benchmark.results.tables.TABLES`), options, and
    variants (further options by name). A table with variants has the rows of all variants, named in the column
    ``variant``. Those of :data:`LATEX` are ``.tex`` files, too, without columns that are the same in all rows.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, block in blocks.items():
        table = _computed_table(data, block)
        table.to_csv(folder / f"{name}.csv", index=False, float_format="%.6g")
        if name in LATEX:
            (folder / f"{name}.tex").write_text(_latex(table, LATEX[name]), encoding="utf-8")


def _latex(table, columns):
    varied = [name for name in columns if name not in ("mode", "task") or table[name].nunique() > 1]
    shown = table[varied].dropna(axis=1, how="all").rename(columns=lambda name: name.replace("_", " "))
    return shown.to_latex(index=False, escape=True, na_rep="", float_format=_number, longtable=len(shown) > 40)


def _number(value):
    return re.sub("^-", "$-$", f"{value:.3g}")


def _computed_table(data, block):
    make = table_info(block["function"]).make
    if not block["variants"]:
        return make(data, **block["options"])
    parts = {name: make(data, **(block["options"] | options)) for name, options in block["variants"].items()}
    return pd.concat(parts, names=["variant"]).reset_index("variant").reset_index(drop=True)
