"""Exchanges of many rows that need no arrays of indices.

References
----------
J. Hemerik, J. Goeman: Exact testing with random permutations. TEST 27, 2018 (subgroups of permutations).
"""

import numpy as np

#: Rows multiplied at a time, which stay in the cache with their shifts.
_ROWS = 2_048


class ShiftedRows:
    """Cyclic shifts of the rows in a random order: a subgroup of the permutations, so tests stay exact.

    Groups are shifted as a whole, among groups of the same number of rows.

    Parameters
    ----------
    groups : ndarray of shape (n,) or None
        Group of each row; None if rows are independent.
    n, count : int
        Number of rows, and of arrangements, including the observed one.
    seed : int

    Attributes
    ----------
    order : ndarray of shape (n,), int
        Rows in random order; the products are of columns in this order.

    Examples
    --------
    >>> shifts = ShiftedRows(None, 4, 3, seed=0)
    >>> shifts.products(np.eye(4)[:, :1], np.array([[1.0], [2.0], [3.0], [4.0]]))[:, :, 0]
    array([[1., 2., 1.]])
    """

    def __init__(self, groups, n, count, seed):
        rng = np.random.default_rng(seed)
        codes = np.arange(n) if groups is None else np.unique(groups, return_inverse=True)[1]
        sizes = np.bincount(codes)
        positions = np.empty(len(sizes), dtype=np.intp)
        positions[np.lexsort((rng.permutation(len(sizes)), sizes))] = np.arange(len(sizes))
        self.order = np.argsort(positions[codes], kind="stable")
        self._parts, start = [], 0  # first row, end, and shifts of the groups of a size
        for size, n_groups in zip(*np.unique(sizes, return_counts=True), strict=True):
            steps = np.append(0, rng.integers(0, n_groups, count - 1)) * size
            self._parts.append((start, start + size * n_groups, steps))
            start += size * n_groups

    def products(self, basis, columns):
        """Multiply columns of features by all arrangements of the columns of a target.

        Parameters
        ----------
        basis : ndarray of shape (n, K)
        columns : ndarray of shape (n, q)
            Both in :attr:`order`.

        Returns
        -------
        ndarray of shape (K, count, q)
        """
        q, count = columns.shape[1], len(self._parts[0][2])
        sums = np.zeros((basis.shape[1], count * q))
        for start, stop, steps in self._parts:
            twice = np.ascontiguousarray(np.vstack([columns[start:stop]] * 2).T)
            for at in range(0, stop - start, _ROWS):
                end = min(at + _ROWS, stop - start)
                moved = np.concatenate([twice[:, at + step : end + step] for step in steps])
                sums += basis[start + at : start + end].T.astype(np.float64) @ moved.T
        return sums.reshape(-1, count, q)
