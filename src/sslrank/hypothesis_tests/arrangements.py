"""Permutations of a target's rows that are equally likely under the null hypothesis.

References
----------
A. M. Winkler, M. A. Webster, D. Vidaurre, T. E. Nichols, S. M. Smith: Multi-level block permutation. NeuroImage 123,
2015.
"""

from itertools import combinations
from math import log

import numpy as np
from scipy.special import gammaln

from sslrank.core.random_state import derive_seed


def arrangements(n, count, seed, *, groups=None, time=None, codes=None):
    """Draw permutations of rows, the observed order first.

    Parameters
    ----------
    n : int
        Rows.
    count : int
        Number of permutations; all of them if there are fewer.
    seed : int
        Permutation b depends only on the seed and b.
    groups : ndarray of shape (n,), optional
        Whole groups are exchanged, and rows within them. If sizes differ, rows of the other group are reused from the
        first one, or the last ones are left out.
    time : ndarray of shape (n,), optional
        Rows in the order of time are shifted circularly, including short shifts, which keeps their autocorrelation.
    codes : ndarray of shape (n,), optional
        Rows of the same code have the same target and need not be exchanged.

    Returns
    -------
    ndarray of shape (count, n), int
        In permutation b, row i gets the target of row ``result[b, i]``.

    Examples
    --------
    >>> arrangements(4, 3, 0, groups=np.array([0, 0, 1, 1]))
    array([[0, 1, 2, 3],
           [2, 3, 1, 0],
           [1, 0, 2, 3]])
    >>> arrangements(3, 9, 0, time=np.array([1, 3, 2]))
    array([[0, 1, 2],
           [2, 0, 1],
           [1, 2, 0]])
    """
    if time is not None:
        return _shifts(np.argsort(time, kind="stable"), count, seed)
    if groups is None and codes is not None and log_arrangements(codes) <= log(count) + 1e-9:
        return _all_of(codes)
    orders = np.empty((count, n), dtype=np.intp)
    orders[0] = np.arange(n)
    if groups is not None:
        _, first, numbers, sizes = np.unique(groups, return_index=True, return_inverse=True, return_counts=True)
        members = np.split(np.argsort(numbers, kind="stable"), np.cumsum(sizes)[:-1])
    for b in range(1, count):
        rng = np.random.default_rng(derive_seed(seed, "permutation", b - 1))
        if groups is None:
            orders[b] = rng.permutation(n)
            continue
        others = rng.permutation(len(members))
        orders[b] = first[others][numbers]  # right where the other group has one row
        for group in np.flatnonzero(sizes[others] > 1):
            orders[b, members[group]] = np.resize(rng.permutation(members[others[group]]), sizes[group])
    return orders


def _shifts(order, count, seed):
    n = len(order)
    steps = np.arange(n)
    if n > count:
        others = np.random.default_rng(derive_seed(seed, "shifts")).permutation(n - 1)[: count - 1] + 1
        steps = np.append(0, others)
    orders = np.empty((len(steps), n), dtype=np.intp)
    orders[:, order] = order[(np.arange(n) + steps[:, None]) % n]
    return orders


def log_arrangements(values):
    """Compute the logarithm of the number of distinct orders of rows, which bounds p-values of permutation tests.

    Tests by formulas can have smaller ones, if a column of few values fits few rows by chance.
    """
    counts = np.unique(values, axis=0, return_counts=True)[1]
    return gammaln(counts.sum() + 1) - gammaln(counts + 1).sum()


def _all_of(codes):
    """List all distinct permutations of codes as row indices, the observed order first."""
    numbers = np.unique(codes, return_inverse=True)[1]
    rows_of = [np.flatnonzero(numbers == number) for number in range(numbers.max() + 1)]
    orders = [np.arange(len(codes))]
    free = [(np.full(len(codes), -1), np.arange(len(codes)), 0)]
    while free:
        filled, places, number = free.pop()
        if number == len(rows_of):
            if (numbers[filled] != numbers).any():
                orders.append(filled)
            continue
        for chosen in combinations(places, len(rows_of[number])):
            extended = filled.copy()
            extended[list(chosen)] = rows_of[number]
            free.append((extended, np.setdiff1d(places, chosen), number + 1))
    return np.array(orders)
