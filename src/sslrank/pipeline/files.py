"""The workflow's tidy CSV files."""

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
#: Columns of the tidy scores. `k` is the number of neighbours or features a measure
#: belongs to; `n_labeled` counts the labelled training rows, which L only asks for.
SCORE_COLUMNS = [
    "study",
    "dataset",
    "task",
    "method",
    "ranking",
    "mode",
    "L",
    "fold",
    "evaluator",
    "measure",
    "k",
    "value",
    "n_test",
    "n_labeled",
]
#: Columns of a dataset's calibration, and of a study's estimate.
CALIBRATION_COLUMNS = [
    "dataset",
    "task",
    "method",
    "step",
    "seconds",
    "measured_seconds",
    "memory_mb",
    "disk_mb",
    "basis",
    "note",
]


def read_table(path):
    """Read a tidy CSV; label budgets and texts stay text."""
    return pd.read_csv(path, dtype=KINDS)
