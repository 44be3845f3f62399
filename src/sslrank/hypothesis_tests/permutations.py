"""Permutations that are equally likely under the null hypothesis, from the declared design of the rows.

References
----------
A. M. Winkler, M. A. Webster, D. Vidaurre, T. E. Nichols, S. M. Smith: Multi-level block permutation. NeuroImage 123,
2015.
D. Freedman, D. Lane: A nonstochastic interpretation of reported significance levels. Journal of Business & Economic
Statistics 1, 1983 (residuals are permuted, and projected again).
C. J. DiCiccio, J. P. Romano: Robust permutation tests for correlation and regression coefficients. JASA 112, 2017
(studentised statistics).
"""

from itertools import combinations
from math import exp, log

import numpy as np
from scipy.special import gammaln

from sslrank.core.messages import counted
from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.partial import basis_of_near_dependent
from sslrank.hypothesis_tests.series import trend_and_seasons

#: From this number of times on, times are shifted, which keeps their autocorrelation; fewer are permuted, because a
#: shift would leave too few arrangements.
MIN_SHIFTED = 30
#: The sentence of independent rows.
EXCHANGE_ROWS = "Permutations exchange rows."
#: A column that a projection leaves shorter than this share of its length is 0.
_MIN_LENGTH = 1e-6


class Permutations:
    """What is exchanged under the null hypothesis, and what is removed before and after.

    Parameters
    ----------
    design : sslrank.hypothesis_tests.design.Design
        Of n labelled rows.
    Y : ndarray of shape (n, J)
        Columns of the targets with mean 0; 0 if unknown.
    columns : ndarray of shape (n, k), optional
        Columns to adjust for.
    count : int
        Maximum number of permutations.
    seed : int
        Permutation b depends only on the seed and b.
    codes : ndarray of shape (n,), optional
        Rows of the same code have the same target and need not be exchanged.

    Attributes
    ----------
    rows : ndarray of shape (B, n), int
        In permutation b, row i gets the target of row ``rows[b, i]``; the observed order is the first.
    removed : ndarray of shape (n, k)
        Orthonormal columns, with mean 0, that statistics must not depend on: remove them from features, from targets,
        and from targets again after each permutation.
    is_shifted : bool
        Whether times are shifted instead of permuted.
    studentised : bool
        Whether statistics are divided by their standard error, because the variance may change in time.
    smallest_p : float
        1 / number of distinct permutations: no test of one feature can have a smaller p-value.
    repeats_rows : bool
        Whether units of different sizes are exchanged, so that columns of a target have another mean and length.

    Examples
    --------
    >>> from sslrank.hypothesis_tests.design import Design
    >>> y = np.array([[-1.0], [1], [-1], [1]])
    >>> permutations = Permutations(Design(groups=np.array([0, 0, 1, 1]), unit="groups"), y, count=3)
    >>> permutations.rows
    array([[0, 1, 2, 3],
           [2, 3, 1, 0],
           [1, 0, 2, 3]])
    >>> Permutations(Design(time=np.array([1, 3, 2, 4]), unit="times"), y, count=3).sentence
    'Permutations shift rows in the order of time, with trend and seasons removed.'
    """

    def __init__(self, design, Y, columns=None, *, count=1000, seed=0, codes=None):
        n, self.design, self.seed = len(Y), design, seed
        self.columns = np.empty((n, 0)) if columns is None else columns
        self.studentised = design.unit == "times"
        n_times = len(np.unique(design.time)) if self.studentised else 0
        self.is_shifted = self.studentised and n_times >= min(MIN_SHIFTED, n)
        self.removed = removed_columns(design, Y, self.columns)
        self.rows, log_number = self._arrangements(n, count, codes)
        self.smallest_p = smallest_p(log_number)
        self.repeats_rows = design.unit != "rows" and bool(np.ptp(self.rows.sum(axis=1)))

    def residuals(self, columns):
        """Remove :attr:`removed` from columns, and keep their length."""
        residuals = columns - self.removed @ (self.removed.T @ columns)
        lengths, left_lengths = np.linalg.norm(columns, axis=0), np.linalg.norm(residuals, axis=0)
        scale = np.divide(lengths, left_lengths, out=np.zeros_like(lengths), where=left_lengths > _MIN_LENGTH * lengths)
        return residuals * scale

    def permuted(self, columns, part=slice(None)):
        """Permute orthonormal columns of a target, remove :attr:`removed` again, and make them orthonormal again.

        Parameters
        ----------
        columns : ndarray of shape (n, q)
        part : slice
            Of the permutations.

        Returns
        -------
        ndarray of shape (n, permutations, q)
        """
        rows = self.rows[part]
        values = columns[rows].transpose(1, 0, 2)
        if self.repeats_rows:
            values = values - values.mean(axis=0)
        elif not self.removed.shape[1]:
            return values
        n, B, q = values.shape
        along = (self.removed.T @ values.reshape(n, B * q)).reshape(-1, B, q)
        if self.studentised:
            return values - (self.removed @ along.reshape(-1, B * q)).reshape(n, B, q)  # lengths do not matter
        # features are free of what is removed, so that only the length of the target has to change
        products = np.einsum("nbi,nbj->bij", values, values) - np.einsum("kbi,kbj->bij", along, along)
        if q == 1:
            return values / np.sqrt(np.maximum(products[:, :, 0], _MIN_LENGTH))
        squares, directions = np.linalg.eigh(products)
        scale = 1 / np.sqrt(np.maximum(squares, _MIN_LENGTH))
        return np.matmul(values.transpose(1, 0, 2), directions * scale[:, None, :]).transpose(1, 0, 2)

    @property
    def sentence(self):
        """What is exchanged, in a sentence."""
        design = self.design
        is_panel = design.groups is not None and design.time is not None
        removed = [f"the mean of each {'group' if design.unit == 'times' else 'time'}"] * is_panel
        removed += ["trend and seasons"] * (design.unit == "times")
        removed += ["the columns that are adjusted for"] * (self.columns.shape[1] > 0)
        verb, what, inside = "exchange", "rows", ""
        if self.is_shifted:
            verb, what = "shift", "rows in the order of time"
        elif design.unit != "rows":
            units, word = (design.groups, "group") if design.unit == "groups" else (design.time, "time")
            what = f"the {counted(len(np.unique(units)), word)} as a whole"
            what += ", and rows within them" * (word == "group" and not is_panel)
        if design.strata is not None:
            inside = f" within {counted(len(np.unique(design.strata)), 'stratum', 'strata')}"
        without = f", with {' and '.join(removed)} removed" if removed else ""
        return f"Permutations {verb} {what}{inside}{without}."

    def _arrangements(self, n, count, codes):
        """Draw permutations; return them and the logarithm of their number."""
        design = self.design
        if self.is_shifted:
            times = np.unique(design.time, return_inverse=True)[1]
            return self._shifts(n, count, times), log(times.max() + 1)
        if design.unit != "rows":
            return self._units(count)
        strata = np.zeros(n, dtype=np.intp) if design.strata is None else design.strata
        strata = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
        values = np.arange(n) if codes is None else codes
        log_number = sum(log_arrangements(values[members]) for members in strata)
        if codes is not None and len(strata) == 1 and log_number <= log(count) + 1e-9:
            return _all_of(codes), log_number
        orders = np.tile(np.arange(n), (count, 1))
        for b in range(1, count):
            rng = self._rng("permutation", b - 1)
            if len(strata) == 1:
                orders[b] = rng.permutation(n)
                continue
            for members in strata:
                orders[b, members] = rng.permutation(members)
        return orders, log_number

    def _rng(self, *words):
        return np.random.default_rng(derive_seed(self.seed, *words))

    def _shifts(self, n, count, times):
        """Shift times circularly, including short shifts."""
        n_times = times.max() + 1
        steps = np.arange(n_times)
        if n_times > count:
            steps = np.append(0, self._rng("shifts").permutation(n_times - 1)[: count - 1] + 1)
        cells, line = _cells(np.zeros(n, dtype=np.intp) if self.design.groups is None else self.design.groups, times)
        return np.array([cells[line, (times + step) % n_times] for step in steps])

    def _units(self, count):
        """Exchange whole groups or times; return permutations and the logarithm of their number."""
        design, n = self.design, len(self.removed)
        units = design.groups if design.unit == "groups" else design.time
        _, first, numbers, sizes = np.unique(units, return_index=True, return_inverse=True, return_counts=True)
        strata = np.zeros(len(first)) if design.strata is None else design.strata[first]
        strata = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
        log_number = sum(gammaln(len(members) + 1) for members in strata)
        members = np.split(np.argsort(numbers, kind="stable"), np.cumsum(sizes)[:-1])
        if design.unit == "groups" and design.time is not None:
            is_regular = len(np.unique(design.time)) <= len(self.removed) / 2
            times = np.unique(design.time, return_inverse=True)[1] if is_regular else _visits(numbers, design.time)
            cells, line = _cells(numbers, times)
        elif design.unit == "times":
            groups = np.zeros(n, dtype=np.intp) if design.groups is None else design.groups
            cells, line = _cells(groups, numbers)
        else:
            log_number += gammaln(sizes + 1).sum()
        orders = np.tile(np.arange(n), (count, 1))
        for b in range(1, count):
            rng, others = self._rng("permutation", b - 1), np.arange(len(first))
            for of_stratum in strata:
                others[of_stratum] = rng.permutation(of_stratum)
            if design.unit == "times":
                orders[b] = cells[line, others[numbers]]
            elif design.time is not None:
                orders[b] = cells[line + others[numbers] - numbers, times]
            else:
                orders[b] = first[others][numbers]  # right where the other group has one row
                for group in np.flatnonzero(sizes[others] > 1):
                    orders[b, members[group]] = np.resize(rng.permutation(members[others[group]]), sizes[group])
        return orders, log_number


def removed_columns(design, Y, columns):
    """Compute an orthonormal basis of what tests must not depend on, with mean 0.

    These are columns to adjust for, strata, the other factor of a panel, or in the order of time a trend and seasons.

    Parameters
    ----------
    design : sslrank.hypothesis_tests.design.Design
    Y : ndarray of shape (n, J)
        Columns of the targets.
    columns : ndarray of shape (n, k)

    Returns
    -------
    ndarray of shape (n, K)
    """
    parts = [columns] if design.strata is None else [columns, _indicators(design.strata)]
    has_trend = design.time is not None
    if design.groups is not None and design.time is not None:
        other = design.time if design.unit == "groups" else design.groups
        if 2 * len(np.unique(other)) <= len(other):  # else its means would be most of the rows
            parts.append(_indicators(other))
            has_trend = design.unit == "times"
    removed = _basis(np.column_stack(parts))
    if has_trend:
        trend = trend_and_seasons(Y - removed @ (removed.T @ Y), design.time)
        removed = _basis(np.column_stack([removed, trend]))
    return removed


def _cells(groups, times):
    """Find the row of each group at each time, or at the nearest time of that group.

    Returns
    -------
    cells : ndarray of shape (layers * groups, times), int
        Layer k has the k-th row of the same group and time, or the first one.
    line : ndarray of shape (n,), int
        Line of each row in `cells`.
    """
    groups = np.unique(groups, return_inverse=True)[1]
    n_groups, n_times = groups.max() + 1, times.max() + 1
    layer = _visits(groups * n_times + times, np.zeros(len(groups)))
    line = layer * n_groups + groups
    cells = np.full(((layer.max() + 1) * n_groups, n_times), -1)
    cells[line, times] = np.arange(len(groups))
    t, is_filled = np.arange(n_times), cells >= 0
    before = np.maximum.accumulate(np.where(is_filled, t, -(n_times**2)), axis=1)
    after = np.minimum.accumulate(np.where(is_filled, t, n_times**2)[:, ::-1], axis=1)[:, ::-1]
    nearest = np.clip(np.where(t - before <= after - t, before, after), 0, n_times - 1)
    cells = np.take_along_axis(cells, nearest, axis=1)
    for k in range(n_groups, len(cells)):
        cells[k] = np.where(cells[k] < 0, cells[k - n_groups], cells[k])
    return cells, line


def _visits(units, time):
    """Number the rows of each unit in the order of time, from 0."""
    order = np.lexsort((time, units))
    numbers = np.empty(len(units), dtype=np.intp)
    counts = np.unique(units, return_counts=True)[1]
    numbers[order] = np.concatenate([np.arange(count) for count in counts])
    return numbers


def _indicators(codes):
    return np.eye(len(np.unique(codes)))[np.unique(codes, return_inverse=True)[1]]


def _basis(columns):
    """Compute an orthonormal basis of centred columns."""
    return basis_of_near_dependent(columns - columns.mean(axis=0))


def log_arrangements(values):
    """Compute the logarithm of the number of distinct orders of rows, which bounds p-values of permutation tests.

    Tests by formulas can have smaller ones, if a column of few values fits few rows by chance.
    """
    axis = 0 if np.ndim(values) > 1 and values.shape[1] > 1 else None  # much slower than all of one column
    counts = np.unique(values, axis=axis, return_counts=True)[1]
    return gammaln(counts.sum() + 1) - gammaln(counts + 1).sum()


def smallest_p(log_number):
    """Compute 1 / number of permutations from its logarithm."""
    return 1 / round(exp(log_number)) if log_number < 30 else exp(-log_number)


def _all_of(codes):
    """List all distinct permutations of codes as row indices, the observed order first."""
    numbers = np.unique(codes, return_inverse=True)[1]
    rows_of = [np.flatnonzero(numbers == number) for number in range(numbers.max() + 1)]
    orders = [np.arange(len(codes))]
    free = [(np.full(len(codes), -1), np.arange(len(codes)), 0)]
    while free:
        filled, positions, number = free.pop()
        if number == len(rows_of):
            if (numbers[filled] != numbers).any():
                orders.append(filled)
            continue
        for chosen in combinations(positions, len(rows_of[number])):
            extended = filled.copy()
            extended[list(chosen)] = rows_of[number]
            free.append((extended, np.setdiff1d(positions, chosen), number + 1))
    return np.array(orders)
