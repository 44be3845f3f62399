"""Which features are one variable: indicators of one category, or lines, exponentials or powers of the same number."""

from dataclasses import dataclass

import numpy as np

from sslrank.core.messages import listed

#: Minimum number of different values for two columns in the same order to be no accident (15! orders).
_MIN_VALUES = 15
#: R squared of columns that are functions of each other, up to rounding.
_EXACT = 1 - 1e-5
#: Maximum number of rows compared for the same order, and of 0/1 columns compared with each other.
_MAX_ROWS, _MAX_INDICATORS = 10_000, 1_000


@dataclass(frozen=True)
class ColumnMap:
    """Features that are one variable, found without the target.

    Attributes
    ----------
    numbers : ndarray of shape (D,), int
        First feature of the variable of each feature.
    notes : tuple of str
        A note for each kind of variables in several columns.
    """

    numbers: np.ndarray
    notes: tuple = ()


def map_columns(coded, names, keep=()):
    """Find features that are one variable.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable
    names : list of str
        Features.
    keep : sequence of str
        Features that are variables of their own.

    Returns
    -------
    ColumnMap
    """
    free = [j for j, name in enumerate(names) if name not in keep]
    numbers, notes = np.arange(len(names)), []
    for groups, what in (
        (_indicators(coded, free), "indicators of one category"),
        (_same_order(coded, free), "functions of one number"),
    ):
        for group in groups:
            numbers[group] = group[0]
        shown = "; ".join([listed([names[j] for j in group]) for group in groups[:3]] + ["..."] * (len(groups) > 3))
        if groups:
            notes.append(f"{what}, so one variable in conditional tests: {shown}; if wrong: --keep")
    return ColumnMap(numbers, tuple(notes))


def _indicators(coded, free):
    """Find 0/1 columns that exclude each other and sum to 1."""
    X = coded.X
    two = [j for j in free if not coded.nominal[j] or coded.features.n_categories[j] == 2]
    two = [j for j in two if np.isin(X[:20, j], (0, 1)).all() and np.isin(X[:, j], (0, 1)).all()][:_MAX_INDICATORS]
    left, groups = np.array(two, dtype=np.intp), []
    left = left[np.argsort(-X[:, left].sum(axis=0), kind="stable")]  # rare ones last: by accident they exclude others
    together = X[:, left].T @ X[:, left]
    counts = together.diagonal().copy()
    for a in range(len(left)):
        group, n = [a], counts[a]
        for b in a + 1 + np.flatnonzero(together[a, a + 1 :] == 0):
            if n < len(X) and not together[b, group[1:]].any():
                group.append(b)
                n += counts[b]
        if n == len(X) and len(group) > 2:
            groups.append(np.sort(left[group]))
            together[group] = together[:, group] = 1.0  # each is in one group
    return groups


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
        known = ~np.isnan(x)
        codes = np.full(len(x), -1)
        values, codes[known] = np.unique(x[known], return_inverse=True)
        if codes[known][0] > len(values) / 2:
            codes[known] = len(values) - 1 - codes[known]
        groups.setdefault(codes.tobytes(), []).append(j)
    found = []
    for first, *others in groups.values():
        others = [j for j in others if _is_function(coded.X[rows, first], coded.X[rows, j])]
        found += [np.array([first, *others])] if others else []
    return found


def _is_function(x, y):
    """Check if one column is a line, exponential, logarithm or power of the other."""
    known = ~np.isnan(x)
    scales = [[z, np.log(z)] if z.min() > 0 else [z] for z in (x[known], y[known])]
    return any(np.corrcoef(a, b)[0, 1] ** 2 > _EXACT for a in scales[0] for b in scales[1])
