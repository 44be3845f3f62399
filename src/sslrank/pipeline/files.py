"""Reading the workflow's tidy CSV files."""

import pandas as pd

KINDS = {
    "L": str,
    "dataset": str,
    "method": str,
    "ranking": str,
    "message": str,
    "details": str,
    "k": "Int64",
}


def read_table(path):
    """Read a tidy CSV; label budgets and texts stay text."""
    return pd.read_csv(path, dtype=KINDS)
