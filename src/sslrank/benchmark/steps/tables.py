"""Make all tables of a study."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.results.tables import table_info


def tables_job(collected, output, *, study, config, tables, experiments=None):
    """Make all tables of a study from the folder of collected tables, as CSV files in the folder `output`.

    `config` is the part of the study's block that tables read: methods, modes, splits, comparison. `tables` has for
    each table: function (a name of :data:`sslrank.benchmark.results.tables.TABLES`), options, and variants (further
    options by name). A table with variants has the rows of all variants, named in the column ``variant``. `experiments`
    are folders by name.
    """
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    data = StudyData.load(study, config, collected, experiments)
    for name, block in tables.items():
        frame = _computed_table(data, block)
        frame.to_csv(folder / f"{name}.csv", index=False, float_format="%.6g")


def _computed_table(data, block):
    make = table_info(block["function"]).make
    if not block["variants"]:
        return make(data, **block["options"])
    parts = {name: make(data, **(block["options"] | options)) for name, options in block["variants"].items()}
    return pd.concat(parts, names=["variant"]).reset_index("variant").reset_index(drop=True)
