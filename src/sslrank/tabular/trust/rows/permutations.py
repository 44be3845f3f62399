"""Permutations of rows that keep together what belongs together.

References
----------
A. M. Winkler, M. A. Webster, D. Vidaurre, T. E. Nichols, S. M. Smith: Multi-level block permutation. NeuroImage 123,
2015.
"""

import numpy as np

from sslrank.core.random_state import derive_seed

#: Rows of one stretch of time are exchanged with each other: there are at most this many stretches ...
_STRETCHES = 10
#: ... each of at least this many rows.
_SHORTEST = 5


def permutations(n, count, seed, *, groups=None, time=None):
    """Draw permutations of rows.

    Parameters
    ----------
    n : int
        Rows.
    count : int
    seed : int
        Permutation b depends on the seed and b only.
    groups : ndarray of shape (n,), optional
        Whole groups are exchanged, and rows within them. Where sizes differ, a group takes rows of the other anew from
        the first, or leaves the last ones out.
    time : ndarray of shape (n,), optional
        Rows of nearly the same time are exchanged, so that a drift stays what it is.

    Returns
    -------
    ndarray of shape (count, n), int
        Row i of permuted table b is row `found[b, i]` of the table.

    Examples
    --------
    >>> permutations(4, 2, 0, groups=np.array([0, 0, 1, 1]))
    array([[2, 3, 1, 0],
           [1, 0, 2, 3]])
    """
    found = np.empty((count, n), dtype=np.intp)
    if groups is None and time is None:
        members = [np.arange(n)]
    elif groups is not None:
        codes = np.unique(groups, return_inverse=True)[1]
        members = [np.flatnonzero(codes == code) for code in range(codes.max(initial=-1) + 1)]
    else:
        members = np.array_split(np.argsort(time, kind="stable"), max(1, min(_STRETCHES, n // _SHORTEST)))
    for b in range(count):
        rng = np.random.default_rng(derive_seed(seed, "permutation", b))
        if groups is not None:
            for rows, other in zip(members, rng.permutation(len(members)), strict=True):
                found[b, rows] = np.resize(rng.permutation(members[other]), len(rows))
        else:
            for rows in members:
                found[b, rows] = rng.permutation(rows)
    return found
