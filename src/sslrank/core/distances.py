"""Squared distances and nearest rows, by matrix products in blocks.

Memory is linear in the rows: only one block is stored at a time.
"""

import hashlib

import numpy as np
from scipy import sparse

from sslrank.core import libm
from sslrank.core._select import smallest
from sslrank.core.columns import center, is_whole

#: Entries of one block of distances (64 MiB).
BLOCK = 8 * 2**20
#: Rounding error of a product of two rows, times their squared lengths: closer distances are equal.
ROUNDING = 1e-12
#: Share of nonzero entries below which a matrix or column is treated as sparse.
SPARSE = 0.05


class Distances:
    """Squared Euclidean distances between rows, by blocks of a matrix product.

    Parameters
    ----------
    Z : ndarray of shape (n, W)

    Examples
    --------
    >>> import numpy as np
    >>> Distances(np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])).block(slice(0, 1), slice(0, 3))
    array([[ 0., 25.,  1.]])
    """

    def __init__(self, Z):
        self.dense = Z
        self.norms = np.einsum("ij,ij->i", Z, Z)
        self.exact = is_whole(Z)
        share = np.count_nonzero(Z) / max(Z.size, 1)
        self.rows = sparse.csr_array(Z) if share < SPARSE and Z.size else Z

    def block(self, i, j):
        """Compute distances of rows `i` to rows `j` (slices or index arrays), dense.

        Parameters
        ----------
        i, j : slice or ndarray of int

        Returns
        -------
        ndarray of shape (rows of i, rows of j)
        """
        products = self.rows[i] @ self.rows[j].T
        if sparse.issparse(products):
            products = products.toarray()
        sums = self.norms[i][:, None] + self.norms[j]
        products *= -2.0
        products += sums
        if self.exact:
            return products
        # The computed distance of two close rows is rounding error.
        sums *= 4.0 * np.finfo(np.float64).eps
        products[products < sums] = 0.0
        return products


def nearest_rows(Z, k):
    """Find the k nearest of the other rows for each row of Z, nearest first; ties go to the first row.

    Parameters
    ----------
    Z : ndarray of shape (n, W)
    k : int
        At most n - 1.

    Returns
    -------
    ndarray of shape (n, k), intp

    Examples
    --------
    >>> import numpy as np
    >>> nearest_rows(np.array([[0.0], [3.0], [1.0]]), 1)
    array([[2],
           [2],
           [0]])
    """
    Z = np.ascontiguousarray(Z)
    distances, n = Distances(Z - center(Z)), len(Z)
    step = max(1, BLOCK // n)
    blocks = (distances.block(slice(start, min(start + step, n)), slice(0, n)) for start in range(0, n, step))
    nearest = [smallest(np.ascontiguousarray(block), k, i * step) for i, block in enumerate(blocks)]
    return np.concatenate(nearest)


def merge_equal(Z):
    """Find the first row of every set of equal rows, in order, and the set of each row.

    Parameters
    ----------
    Z : ndarray of shape (n, W)

    Returns
    -------
    starts : ndarray of shape (m,), intp
    group : ndarray of shape (n,), intp

    Examples
    --------
    >>> import numpy as np
    >>> merge_equal(np.array([[1.0], [2.0], [1.0]]))
    (array([0, 1]), array([0, 1, 0]))
    """
    # Different sums of the columns, in any proportions, show at little cost that no rows are equal.
    with np.errstate(over="ignore", invalid="ignore"):
        sums = (Z * libm.cos(np.arange(Z.shape[1]))).sum(axis=1)
    if len(np.unique(sums)) == len(Z) and not np.isnan(sums).any():
        return np.arange(len(Z)), np.arange(len(Z))
    first, group = {}, np.empty(len(Z), dtype=np.intp)
    for number, row in enumerate(Z):
        key = hashlib.blake2b(row + 0.0, digest_size=16).digest()  # -0.0 equals 0.0
        group[number] = first.setdefault(key, len(first))
    starts = np.full(len(first), len(Z), dtype=np.intp)
    np.minimum.at(starts, group, np.arange(len(Z)))
    return starts, group
