"""The tables of a study, and their comparison with the published ones."""

from pathlib import Path

import pandas as pd

from sslrank.pipeline.comparison import agreement, compare, read_names
from sslrank.pipeline.files import read_table
from sslrank.pipeline.study import StudyData
from sslrank.pipeline.tables import table_info


def tables_job(collected, directory, *, study, config, tables):
    """Make all tables of a study.

    Parameters
    ----------
    collected : path-like
        Folder of the four collected tables.
    directory : path-like
        Gets one CSV per table.
    study : str
    config : dict
        What a table reads of the study's block: methods, modes, splits, comparison.
    tables : dict of str to dict
        Per table: function (a name of :data:`sslrank.pipeline.tables.TABLES`) and options.
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    data = StudyData.load(study, config, collected)
    for name, block in tables.items():
        made = table_info(block["function"]).make(data, **block["options"])
        made.to_csv(folder / f"{name}.csv", index=False, float_format="%.6g")


def comparison_job(made, directory, *, tables, names, datasets):
    """Compare a study's tables with the published ones.

    Parameters
    ----------
    made : path-like
        Folder of the study's tables.
    directory : path-like
        Gets, per table, the cells side by side (``<table>.csv``) and their agreement
        (``<table>.agreement.csv``).
    tables : dict of str to dict
        Per table: function, and the publication's files under "published".
    names : path-like
        ``names.yaml`` of the publication.
    datasets : dict of str to str
        Our name by published name.
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    for name, block in tables.items():
        info = table_info(block["function"])
        ours = read_table(Path(made) / f"{name}.csv")
        compared = compare(
            ours, block["published"], info.keys, info.values, names=read_names(names), datasets=datasets
        )
        compared.to_csv(folder / f"{name}.csv", index=False, float_format="%.6g")
        found = agreement(compared, kind=info.kind, winner=info.winner)
        found = found if len(found) else pd.DataFrame(columns=found.columns)
        found.to_csv(folder / f"{name}.agreement.csv", index=False, float_format="%.4g")
