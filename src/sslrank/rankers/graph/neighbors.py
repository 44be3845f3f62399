"""Sparse graphs of nearest neighbours."""

import numpy as np
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

#: Number of edges whose squared differences are in memory at a time.
EDGES = 65536


def knn_edges(values, n_neighbors):
    """List the pairs of rows of which one is among the k nearest of the other (Euclidean distance).

    Parameters
    ----------
    values : ndarray of shape (n, D) or sparse matrix
        Without missing values.
    n_neighbors : int
        k, without the row itself; at most n - 1 are used.

    Returns
    -------
    first, second : ndarrays of shape (E,), int
        Each pair once, ``first < second``, sorted.

    Examples
    --------
    >>> knn_edges(np.array([[0.0], [1.0], [5.0]]), 1)
    (array([0, 1]), array([1, 2]))
    """
    n_rows = values.shape[0]
    k = min(n_neighbors, n_rows - 1)
    if k < 1 or values.shape[1] == 0:
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
    near = NearestNeighbors(n_neighbors=k).fit(values).kneighbors(return_distance=False)
    rows, columns = np.repeat(np.arange(n_rows), k), near.ravel()
    pairs = np.unique(np.minimum(rows, columns) * n_rows + np.maximum(rows, columns))
    return pairs // n_rows, pairs % n_rows


def mean_squared_difference(values, first, second):
    """Average the squared differences of pairs of rows over the columns.

    Parameters
    ----------
    values : ndarray of shape (n, D)
    first, second : ndarrays of shape (E,), int

    Returns
    -------
    ndarray of shape (E,)

    Examples
    --------
    >>> mean_squared_difference(np.array([[0.0, 0.0], [1.0, 3.0]]), np.array([0]), np.array([1]))
    array([5.])
    """
    out = np.empty(len(first))
    step = max(1, EDGES * 64 // max(1, values.shape[1]))
    for start in range(0, len(first), step):
        block = slice(start, start + step)
        out[block] = np.mean((values[first[block]] - values[second[block]]) ** 2, axis=1)
    return out


def similarity_matrix(first, second, weights, n_rows):
    """Make the symmetric matrix S of edge weights.

    Parameters
    ----------
    first, second : ndarrays of shape (E,), int
    weights : ndarray of shape (E,)
    n_rows : int

    Returns
    -------
    csr_array of shape (n_rows, n_rows)

    Examples
    --------
    >>> similarity_matrix(np.array([0]), np.array([1]), np.array([0.5]), 2).toarray()
    array([[0. , 0.5],
           [0.5, 0. ]])
    """
    s = sparse.csr_array((weights, (first, second)), shape=(n_rows, n_rows))
    return s + s.T


def laplacian_quotients(values, similarity):
    """Compute the Laplacian score of every column: f' L f / f' D f, f being centred with weights D.

    D is the diagonal of the row sums of S, and L = D - S (He, Cai, Niyogi 2005; Eq. 2.22 of the scls thesis).

    Parameters
    ----------
    values : ndarray of shape (n, D)
    similarity : sparse array of shape (n, n)
        Symmetric S.

    Returns
    -------
    ndarray of shape (D,)
        In [0, 2], lower is better; NaN for a column that is constant on the rows that have an edge.

    Examples
    --------
    >>> S = similarity_matrix(np.array([0, 1]), np.array([1, 2]), np.array([1.0, 1.0]), 3)
    >>> laplacian_quotients(np.array([[0.0, 0.0], [1.0, 5.0], [2.0, 0.0]]), S).round(3)
    array([1., 2.])
    """
    degree = np.asarray(similarity.sum(axis=1)).ravel()
    total = degree.sum()
    if total <= 0:
        return np.full(values.shape[1], np.nan)
    centred = values - (degree @ values) / total
    spread = degree @ centred**2
    rough = np.maximum(spread - np.einsum("ij,ij->j", centred, similarity @ centred), 0.0)
    flat = np.ptp(values[degree > 0], axis=0) <= 0
    return np.where(flat, np.nan, rough / np.where(flat, 1.0, spread))
