"""Find columns that together are one variable, and columns of units, batches, and the order of the rows.

Indicators of one category are one variable, and so are lines, exponentials and powers of the same number.
"""

from dataclasses import dataclass

import numpy as np

from sslrank.core import libm
from sslrank.core.messages import listed
from sslrank.tabular.schema.identifiers import names_batches

#: Minimum number of different values for two columns in the same order to be no accident (15! orders).
_MIN_VALUES = 15
#: R squared of columns that are functions of each other, up to rounding.
_EXACT = 1 - 1e-5
#: Maximum share of the rows without a value of an indicator.
_MAX_GAPS = 0.2
#: Minimum mean number of rows with the same value of a feature that the rows are sorted by, and how many more runs of
#: equal values than values there may be.
_ROWS_PER_VALUE, _MORE_RUNS = 5, 1.05
#: Maximum share of steps against the order, as a few rows may have been added or corrected after sorting.
_EXCEPTIONS = 0.05
#: Maximum number of rows compared for the same order, and of 0/1 columns compared with each other.
_MAX_ROWS, _MAX_INDICATORS = 10_000, 1_000


@dataclass(frozen=True)
class ColumnMap:
    """Columns that are one variable, or describe the rows, found without the target.

    Attributes
    ----------
    numbers : ndarray of shape (D,), int
        First feature of the variable of each feature.
    unit : str
        Column with units of several rows, such as persons; empty if there is none.
    order : str
        Column of times by which the rows are sorted; empty if there is none.
    sort_key : str
        What else the rows are sorted by, so that autocorrelation has no meaning: "the target", or a feature of few
        values.
    notes : tuple of str
        Notes on indicators and batches.
    """

    numbers: np.ndarray
    unit: str = ""
    order: str = ""
    sort_key: str = ""
    notes: tuple = ()


def map_columns(table, coded):
    """Map the columns of a table.

    Parameters
    ----------
    table : sslrank.tabular.schema.table.OwnTable
    coded : sslrank.core.coded_table.CodedTable
        Its values.

    Returns
    -------
    ColumnMap
    """
    names, features, absent = list(map(str, table.X)), table.features, table.roles.declared_absent
    free = [j for j, name in enumerate(names) if name not in table.roles.keep]
    numbers, notes, groups = np.arange(len(names)), [], _indicators(coded, free)
    for group in (*groups, *_same_order(coded, free)):  # C04 names functions of one number
        numbers[group] = group[0]
    if groups:
        shown = "; ".join([listed([names[j] for j in group]) for group in groups[:3]] + ["..."] * (len(groups) > 3))
        notes.append(f"indicators of one category, so one variable in conditional tests: {shown}; if wrong: --keep")
    unit = "" if "groups" in absent else _unit(features.units, coded.labeled)
    batches = [name for name, x in zip(names, coded.X.T, strict=True) if names_batches(name) and _has_few_values(x)]
    if table.row_columns.strata is None and (batches := [name for name in batches if name != unit]):
        notes.append(f"batches of rows by the name: {listed(batches)}; to compare rows of the same one: --strata")
    sort_key = "" if features.sorted_by else _sort_key(coded, names)
    return ColumnMap(numbers, unit, features.sorted_by, sort_key, tuple(notes))


def _unit(units, labeled):
    """Find the repeated identifier with the fewest values among the labelled rows, a number within parts last."""
    counts = {name: len(np.unique(codes[labeled])) for name, codes in units.items()}
    counts = {name: count for name, count in counts.items() if 1 < count < len(labeled)}
    restarts = {name: ((np.diff(units[name]) == 1) | (units[name][1:] == 0)).all() for name in counts}
    return min(counts, key=lambda name: (restarts[name], counts[name]), default="")


def _sort_key(coded, names):
    """Name what the rows are sorted by; empty if nothing is found."""
    labeled = coded.labeled
    if any(map(_comes_in_runs, coded.target_values[labeled].T)):
        return "the target"
    for name, column in zip(names, coded.X[labeled].T, strict=True):
        if np.count_nonzero(np.diff(column[~np.isnan(column)])) >= len(column) / _ROWS_PER_VALUE:
            continue  # in runs it has fewer changes than values, which take longer to count
        if _has_few_values(column) and _comes_in_runs(column):
            return name
    return ""


def _has_few_values(column):
    return 2 <= len(np.unique(column)) <= len(column) / _ROWS_PER_VALUE


def _comes_in_runs(column):
    """Check if the table seems sorted by a column: nearly all steps go one way, or nearly each value forms one run."""
    column = column[~np.isnan(column)]
    steps, n_values = np.diff(column), len(np.unique(column))
    in_runs = n_values < len(column) / 2 and (steps != 0).sum() + 1 <= _MORE_RUNS * n_values
    up, down = np.count_nonzero(steps > 0), np.count_nonzero(steps < 0)
    return bool(min(up, down) <= _EXCEPTIONS * (up + down) or in_runs)


def _indicators(coded, free):
    """Find 0/1 columns that exclude each other and sum to 1 in all rows in which they are known."""
    X = coded.X
    two = [j for j in free if not coded.nominal[j] or coded.features.n_categories[j] == 2]
    columns = np.array([j for j in two if _is_indicator(X[:, j])][:_MAX_INDICATORS], dtype=np.intp)
    columns = columns[np.argsort(-np.nansum(X[:, columns], axis=0), kind="stable")]  # rare ones fit others by accident
    ones, unknown = np.nan_to_num(X[:, columns]), np.isnan(X[:, columns])
    together, groups = ones.T @ ones, []
    most = together.diagonal() + unknown.sum(axis=0)  # rows that a column may account for

    def is_whole(group):
        return most[group].sum() >= len(X) and (ones[:, group].any(axis=1) | unknown[:, group].any(axis=1)).all()

    for a in range(len(columns)):
        group, is_all = [a], is_whole([a])
        for b in a + 1 + np.flatnonzero(together[a, a + 1 :] == 0):
            if not is_all and not together[b, group[1:]].any():
                group.append(b)
                is_all = is_whole(group)
        if is_all and len(group) > 2:
            groups.append(np.sort(columns[group]))
            together[group] = together[:, group] = 1.0  # each is in one group
    return groups


def _is_indicator(x):
    known_values = x[~np.isnan(x)]
    is_01 = np.isin(known_values[:20], (0, 1)).all() and np.isin(known_values, (0, 1)).all()
    return is_01 and len(known_values) >= (1 - _MAX_GAPS) * len(x)


def _same_order(coded, free):
    """Find numbers with the same or the opposite order of all rows that are lines, exponentials or powers of another.

    The same order is not enough: two series that grow have it, too.
    """
    rows = np.linspace(0, len(coded.X) - 1, min(len(coded.X), _MAX_ROWS)).round().astype(np.intp)
    groups = {}
    for j in free:
        x = coded.X[rows, j]
        if coded.nominal[j] or len(np.unique(x[:100])) < _MIN_VALUES:
            continue
        values, codes = np.unique(x, return_inverse=True)  # NaN is the last one
        n_known = len(values) - int(np.isnan(values[-1]))
        opposite = np.where(codes < n_known, n_known - 1 - codes, codes)
        groups.setdefault(min(codes.tobytes(), opposite.tobytes()), []).append(j)
    equal_columns = []
    for first, *others in groups.values():
        others = [j for j in others if _is_function(coded.X[rows, first], coded.X[rows, j])]
        equal_columns += [np.array([first, *others])] if others else []
    return equal_columns


def _is_function(x, y):
    """Check if one column is a line, exponential, logarithm or power of the other."""
    is_known = ~np.isnan(x)
    scales = [[z, libm.log(z)] if z.min() > 0 else [z] for z in (x[is_known], y[is_known])]
    return any(np.corrcoef(a, b)[0, 1] ** 2 > _EXACT for a in scales[0] for b in scales[1])
