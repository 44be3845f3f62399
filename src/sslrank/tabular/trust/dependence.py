"""Rows that are not independent: given groups and times, duplicate rows, and guesses about groups or a series."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from sslrank.core.messages import counted
from sslrank.hypothesis_tests.design import DESIGN, INDEPENDENT, Design, design_of
from sslrank.hypothesis_tests.series import lag_one

#: Error rate of calling independent rows autocorrelated, over all columns.
_LEVEL = 0.01
#: Reason of the design of equal rows.
DUPLICATES = "duplicate rows"
#: Minimum number of labelled rows to test for autocorrelation.
_MIN_ROWS = 20


@dataclass(frozen=True)
class Dependence:
    """Findings about rows.

    Attributes
    ----------
    design : sslrank.hypothesis_tests.design.Design
        Given groups, times and strata, or equal rows, which determine permutations and splits.
    guess : sslrank.hypothesis_tests.design.Design
        Guess from the data: rows of the same units, or a time series. It decides nothing.
    n_duplicates : int
        Labelled rows that are equal to an earlier labelled row.
    series : str
        Why the rows look like a time series; empty if they do not.
    """

    design: Design = INDEPENDENT
    guess: Design = INDEPENDENT
    n_duplicates: int = 0
    series: str = ""


def detect_dependence(table, coded, columns=None):
    """Find rows that depend on each other.

    Given groups and times, or else equal rows, are facts. A repeated identifier is a guess, and so are rows in the
    order of a date, or whose target and features resemble the row before, unless the user has declared that there is
    none. Nothing is guessed without `columns`, a :class:`sslrank.tabular.schema.column_map.ColumnMap`.
    """
    labeled, row_columns = coded.labeled, table.row_columns
    duplicates = _duplicates(coded)
    n_duplicates = 0 if duplicates is None else len(labeled) - len(np.unique(duplicates[labeled]))
    declared = {key: values for key in DESIGN if (values := getattr(row_columns, key)) is not None}
    design = Design(groups=duplicates, unit="groups", reason=DUPLICATES) if n_duplicates else INDEPENDENT
    if declared:
        of_labeled = {key: values[labeled] for key, values in declared.items()}
        if "groups" in table.roles.declared_absent:
            of_labeled["groups"] = "none"
        design = replace(design_of(coded.target_values[labeled], **of_labeled), **declared)
    guess, series = INDEPENDENT, ""
    if columns is None or (declared and design.unit != "rows"):
        return Dependence(design, n_duplicates=n_duplicates)
    if columns.unit:
        codes = table.features.units[columns.unit]
        codes = np.where(codes < 0, np.arange(len(codes)) + codes.max() + 1, codes)
        guess = Design(groups=codes, unit="groups", reason=f"values of {columns.unit}")
    elif not columns.sort_key and "time" not in table.roles.declared_absent:
        series = f"the rows are in the order of {columns.order}" if columns.order else _autocorrelation(coded)
        if series:
            guess = Design(time=np.arange(len(coded.X)), unit="times", reason="the order of the rows")
    return Dependence(design, guess, n_duplicates, series)


def _duplicates(coded):
    """Number the distinct rows; None if duplicates are common by chance, as with few different values."""
    if any(len(np.unique(column)) == len(column) for column in coded.X[:, :10].T):
        return None  # the usual case
    values = np.where(np.isnan(coded.X), np.nan, coded.X) + 0.0  # one NaN, no negative zero
    codes_of = {}  # numpy.unique(axis=0) takes minutes for many columns
    codes = np.array([codes_of.setdefault(row.tobytes(), len(codes_of)) for row in values])
    n_distinct = len(codes_of)
    if n_distinct == len(codes):
        return None
    numeric = coded.X[:, ~coded.nominal]
    max_distinct = max((len(np.unique(column[~np.isnan(column)])) for column in numeric.T), default=0)
    if max_distinct <= 0.5 * n_distinct:
        return None
    by_chance = len({row.tobytes() for row in np.random.default_rng(0).permuted(values, axis=0)})  # of shuffled columns
    return codes if len(codes) - n_distinct > 2 * (len(codes) - by_chance) else None


def _autocorrelation(coded):
    """Describe target and features that resemble the previous row; empty unless both do."""
    rows = coded.labeled
    if len(rows) < _MIN_ROWS:
        return ""
    y = coded.target_values[rows]
    if coded.task == "classification":
        y = y == np.arange(coded.targets.n_classes)
    target, features = lag_one(rankdata(y, axis=0, nan_policy="omit")), lag_one(coded.X[rows])
    level = _LEVEL / np.array([len(target), len(features)])
    smallest = ndtri(1 - level) / np.sqrt(len(rows))
    moving = int((features > smallest[1]).sum())
    if target.max() <= smallest[0] or not moving:
        return ""
    which = f"{counted(moving, 'feature')}{' resembles its value' if moving == 1 else ' resemble their values'}"
    return f"the target (lag-one correlation {target.max():.2f}) and {which} in the row before"
