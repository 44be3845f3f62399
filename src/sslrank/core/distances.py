"""Squared distances and nearest rows, by matrix products in blocks.

Memory is linear in the rows: only one block is stored at a time.
"""

import hashlib

import numpy as np
from scipy import sparse

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


def nearest_rows(Z, k, queries=None):
    """Find the k nearest rows of Z, nearest first; ties go to the first row.

    Parameters
    ----------
    Z : ndarray of shape (n, W)
    k : int
        At most n, or n - 1 without queries.
    queries : ndarray of shape (m, W), optional
        Query rows; without them, the rows of Z, each among the others.

    Returns
    -------
    ndarray of shape (n or m, k), intp

    Examples
    --------
    >>> import numpy as np
    >>> nearest_rows(np.array([[0.0], [3.0], [1.0]]), 1)
    array([[2],
           [2],
           [0]])
    """
    both = np.ascontiguousarray(Z if queries is None else np.vstack([Z, queries]))
    distances = Distances(both - center(both))
    first = 0 if queries is None else len(Z)
    step = max(1, BLOCK // len(Z))
    blocks = [
        smallest(
            np.ascontiguousarray(distances.block(slice(start, min(start + step, len(both))), slice(0, len(Z)))),
            k,
            start if queries is None else -1,
        )
        for start in range(first, len(both), step)
    ]
    return np.concatenate(blocks) if blocks else np.empty((0, k), dtype=np.intp)


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
        sums = (Z * np.cos(np.arange(Z.shape[1]))).sum(axis=1)
    if len(np.unique(sums)) == len(Z) and not np.isnan(sums).any():
        return np.arange(len(Z)), np.arange(len(Z))
    first, group = {}, np.empty(len(Z), dtype=np.intp)
    for number, row in enumerate(Z):
        key = hashlib.blake2b(row + 0.0, digest_size=16).digest()  # -0.0 equals 0.0
        group[number] = first.setdefault(key, len(first))
    starts = np.full(len(first), len(Z), dtype=np.intp)
    np.minimum.at(starts, group, np.arange(len(Z)))
    return starts, group


def nearest_votes(Z, values, ks, queries=None):
    """Add whole numbers over the k nearest rows of Z; those as far as the k-th one share the weight that is left.

    Parameters
    ----------
    Z : ndarray of shape (n, W)
    values : ndarray of shape (n, T)
        Whole numbers, such as 0/1.
    ks : list of int
        Each at most n, or n - 1 without queries.
    queries : ndarray of shape (m, W), optional
        Query rows; without them, the rows of Z, each among the others.

    Returns
    -------
    dict of int to ndarray of shape (n or m, T)

    Examples
    --------
    >>> import numpy as np
    >>> nearest_votes(np.array([[0.0], [2.0], [1.0]]), np.array([[1], [0], [0]]), [1])[1]
    array([[0. ],
           [0. ],
           [0.5]])
    """
    both = np.ascontiguousarray(Z if queries is None else np.vstack([Z, queries]))
    distances = Distances(both - center(both))
    n, first = len(Z), 0 if queries is None else len(Z)
    step, votes = max(1, BLOCK // n), {k: np.empty((len(both) - first, values.shape[1])) for k in ks}
    for start in range(first, len(both), step):
        rows = np.arange(start, min(start + step, len(both)))
        block = distances.block(rows, slice(0, n))
        block[np.isnan(block)] = np.inf  # the difference of two overflows
        if queries is None:
            block[rows - start, rows] = np.inf
        lengths = (distances.norms[rows] + distances.norms[:n].max())[:, None]
        rounding = 0.0 if distances.exact else np.where(np.isfinite(lengths), ROUNDING * lengths, 0.0)
        rounding = np.broadcast_to(rounding, lengths.shape)
        ordered = np.sort(np.partition(block, max(ks) - 1, axis=1)[:, : max(ks)], axis=1)
        is_near = block <= ordered[:, -1:] + rounding
        counts, near, places = is_near.sum(axis=1), block[is_near], np.nonzero(is_near)[1]
        starts = np.concatenate([[0], np.cumsum(counts)])
        for k in ks:
            kth = ordered[:, k - 1 : k]
            lower, upper = (np.repeat(bound, counts) for bound in (kth - rounding, kth + rounding))
            nearer = near < lower
            tied = (near <= upper) & ~nearer
            n_nearer, n_tied = (np.add.reduceat(part, starts[:-1], dtype=np.intp) for part in (nearer, tied))
            weights = nearer * np.repeat(n_tied, counts) + tied * np.repeat(k - n_nearer, counts)
            sums = sparse.csr_array((weights, places, starts), block.shape) @ values
            votes[k][rows - first] = sums / n_tied[:, None]
    return votes
