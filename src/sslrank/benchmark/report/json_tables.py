"""Tables as JSON has them."""

import math
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark.files import read_table


def read_or_empty(path):
    """A tidy CSV; an empty table where it is not there or has no column."""
    path = Path(path)
    return read_table(path) if path.is_file() and path.stat().st_size > 1 else pd.DataFrame()


def plain(value, digits=None):
    """A value as JSON has it: NaN is null; with `digits`, a number has that many significant ones."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value is pd.NA:
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return float(f"{value:.{digits}g}") if digits else value
    return value


def columns_and_rows(table, digits=6):
    """A table as the names of its columns and its rows, numbers with this number of significant digits."""
    rows = [[plain(value, digits) for value in row] for row in table.astype(object).itertuples(index=False)]
    return {"columns": [str(column) for column in table.columns], "rows": rows}
