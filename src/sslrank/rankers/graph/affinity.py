"""Nearest-neighbour graph of the rows with Gaussian weights.

Distances are computed in blocks of a matrix product, so that memory stays linear in the rows. Rows at the same distance
share the last place among the neighbours, see :mod:`sslrank.rankers.graph.neighbors`.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.neighbors import NearestNeighbors

from sslrank.core import libm
from sslrank.core.distances import BLOCK, Distances, merge_equal
from sslrank.rankers.graph._kernels import edge_distances, edge_energy, scan_block
from sslrank.rankers.graph.neighbors import by_kind, linked, near_points, neighbor_shares

#: Up to this number, all pairs are kept for the percentile; above it, only those near the percentile.
ALL_PAIRS = 250_000
#: Nearest points that are listed for each of the k, as room for those at the k-th distance; where it does not suffice,
#: all distances are looked at again.
LISTED = 2


@dataclass(frozen=True)
class RowGraph:
    """A symmetric k-nearest-neighbour graph of nodes: sets of equal rows of one kind.

    Attributes
    ----------
    i, j : ndarray of shape (n_edges,), i <= j
        Edges between all rows of two nodes, each given by its first row: one row is among the k nearest of the other
        (if mutual, each among the k nearest of the other). i = j links the rows of one node with each other.
    share : ndarray of shape (n_edges,)
        In (0, 1]; below 1 where rows at the same distance share places.
    distances : ndarray of shape (n_edges,)
        Squared lengths of the edges.
    bandwidth : float
        lambda of the Gaussian.
    node : ndarray of shape (n_rows,), int
        First row of each row's node.
    size : ndarray of shape (n_rows,)
        Number of rows of a node, at its first row.

    Examples
    --------
    >>> graph = row_graph(np.array([[0.0], [1.0], [5.0]]), n_neighbors=1, bandwidth=1.0)
    >>> graph.i, graph.j, graph.distances
    (array([0, 1]), array([1, 2]), array([ 1., 16.]))
    """

    i: np.ndarray
    j: np.ndarray
    share: np.ndarray
    distances: np.ndarray
    bandwidth: float
    node: np.ndarray
    size: np.ndarray

    @cached_property
    def weights(self):
        """Gaussian weights of the edges, Eq. (2.2), times their shares."""
        return self.share * gaussian(self.distances, self.bandwidth)

    @cached_property
    def _sizes(self):
        """How many rows of the other node each row of i and of j is linked with by each edge."""
        loops = self.i == self.j
        return self.size[self.j] - loops, np.where(loops, 0.0, self.size[self.i])

    def degrees(self, weights=None):
        """Compute the row sums of the weight matrix.

        Parameters
        ----------
        weights : ndarray of shape (n_edges,), optional
            By default those of the Gaussian.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        weights = self.weights if weights is None else weights
        of_i, of_j = (weights * size for size in self._sizes)
        sums = np.bincount(self.i, of_i, len(self.node)) + np.bincount(self.j, of_j, len(self.node))
        return sums.astype(np.float64)[self.node]  # without an edge NumPy counts in integers

    def energy(self, Z, weights=None):
        """Compute ``1/2 sum_ij (z_i - z_j)^2 S_ij`` (that is z'Lz) of every column of Z.

        Parameters
        ----------
        Z : ndarray of shape (n_rows, W)
        weights : ndarray of shape (n_edges,), optional
            By default those of the Gaussian.

        Returns
        -------
        ndarray of shape (W,)
        """
        weights = self.weights if weights is None else weights
        return edge_energy(Z, self.i, self.j, weights * self.size[self.i] * self.size[self.j])

    def shares(self, i, j):
        """Look up the shares of pairs of rows.

        Parameters
        ----------
        i, j : ndarray of shape (n_pairs,), int

        Returns
        -------
        ndarray of shape (n_pairs,)
            0 for rows that are not linked.
        """
        n_rows, one, other = len(self.node), self.node[i], self.node[j]
        codes, pairs = self.i * n_rows + self.j, np.minimum(one, other) * n_rows + np.maximum(one, other)
        index = np.searchsorted(codes, pairs).clip(max=len(codes) - 1)
        return np.where(codes[index] == pairs, self.share[index], 0.0) if len(codes) else np.zeros(len(pairs))


def edge_degrees(i, j, weights, n_rows):
    """Sum the weights of each row's edges.

    Parameters
    ----------
    i, j : ndarray of shape (n_edges,), int
    weights : ndarray of shape (n_edges,)
    n_rows : int

    Returns
    -------
    ndarray of shape (n_rows,)

    Examples
    --------
    >>> edge_degrees(np.array([0, 0]), np.array([1, 2]), np.array([0.5, 0.25]), 3)
    array([0.75, 0.5 , 0.25])
    """
    sums = np.bincount(i, weights, n_rows) + np.bincount(j, weights, n_rows)
    return sums.astype(np.float64)  # without an edge NumPy counts in integers


def gaussian(distances, bandwidth):
    """Compute ``exp(-d^2 / lambda)``.

    Parameters
    ----------
    distances : ndarray
        Squared distances.
    bandwidth : float
        lambda.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> gaussian(np.array([0.0, 1.0]), 1.0).round(3)
    array([1.   , 0.368])
    """
    return libm.exp(distances / -bandwidth)


def row_graph(Z, n_neighbors=10, bandwidth="percentile", *, kind=None, mutual=False):
    """Build the graph of some rows.

    Parameters
    ----------
    Z : ndarray of shape (n, W), float64, C-contiguous
    n_neighbors : int, default=10
        k; at most n - 1 are used. Rows at the k-th distance share the places that nearer rows leave.
    bandwidth : float or "percentile"
        lambda; "percentile" is the 20th percentile of the squared distances of all ordered pairs, pairs of a row with
        itself included (thesis, Eq. 4.11). If it is 0, because a fifth of the pairs are equal rows, lambda is the mean
        distance; if that is also 0, lambda is 1.
    kind : ndarray of shape (n,), int, optional
        Only equal rows of one kind become one node; all equal rows by default. Give it where an edge's weight depends
        on more than the values of its rows.
    mutual : bool, default=False
        Link two rows only if each is among the other's nearest.

    Returns
    -------
    RowGraph

    Raises
    ------
    ValueError
        If `n_neighbors` is below 1, or `bandwidth` is neither a positive number nor "percentile".

    Examples
    --------
    >>> row_graph(np.array([[0.0], [1.0], [5.0]]), n_neighbors=1, bandwidth=2.0).weights.round(3)
    array([0.607, 0.   ])
    """
    n_rows = len(Z)
    percentile = isinstance(bandwidth, str)
    if percentile and bandwidth != "percentile":
        raise ValueError(f"bandwidth must be a number > 0 or 'percentile', got {bandwidth!r}")
    if not percentile and not bandwidth > 0:
        raise ValueError(f"bandwidth must be a number > 0 or 'percentile', got {bandwidth!r}")
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be at least 1, got {n_neighbors!r}")
    first, group = merge_equal(Z)
    counts = np.bincount(group, minlength=len(first))
    points = Z if len(first) == n_rows else np.ascontiguousarray(Z[first])
    distances, k = Distances(points), min(n_neighbors, n_rows - 1)
    length = max(0, min(LISTED * k, len(first) - 1))
    if percentile:
        near, value = _scan(distances, counts.astype(np.float64), length, 20.0)
        if value == 0.0:
            centred = Z - Z.mean(axis=0)
            value = 2.0 * float(np.einsum("ij,ij->", centred, centred)) / n_rows or 1.0
    else:
        near, value = nearest_points(points, length), float(bandwidth)
    pairs = near_points(points, counts, near, k, distances)
    pairs = linked(*neighbor_shares(points, counts, *pairs, k), len(first), mutual)
    node, size, i, j, share = by_kind(group, kind, *pairs)
    return RowGraph(i, j, share, edge_distances(Z, i, j), float(value), node, size)


def nearest_points(points, length):
    """Find the nearest other points of every point, without a look at all pairs.

    Parameters
    ----------
    points : ndarray of shape (m, W)
        Distinct.
    length : int

    Returns
    -------
    distance, index : ndarrays of shape (m, length)
        Squared distances and numbers of the points, nearest first.

    Examples
    --------
    >>> nearest_points(np.array([[0.0], [1.0], [3.0]]), 1)[1].ravel()
    array([1, 0, 1])
    """
    if not length or not points.shape[1]:
        return np.zeros((len(points), length)), np.zeros((len(points), length), dtype=np.intp)
    distance, index = NearestNeighbors(n_neighbors=length).fit(points).kneighbors()
    return distance**2, index


def _scan(distances, counts, k, percent):
    """Find the nearest points, (distances, indices) of shape (m, k), and the percentile of all distances of rows."""
    m = len(counts)
    total = counts.sum() ** 2
    same = float((counts**2).sum())  # pairs of equal rows, including each row with itself
    for margin in (6.0, 20.0, 100.0):  # the last window holds every pair
        best = np.full((m, k), np.inf), np.full((m, k), -1, dtype=np.intp)
        low, high, room = _window(distances, m, percent, margin)
        window, window_counts = np.empty(room), np.empty(room)
        start, used, below = 0, 0, 0.0
        while start < m and used >= 0:
            stop = min(m, start + max(1, BLOCK // (m - start)))
            block = distances.block(slice(start, stop), slice(start, m))
            new, nearer = scan_block(block, start, *best, low, high, counts, window[used:], window_counts[used:])
            used = used + new if new >= 0 else -1  # the window is too small
            below, start = below + nearer, stop
        value = None
        if used >= 0:
            value = _weighted_percentile(window[:used], window_counts[:used], below, same, low, total, percent)
        if value is not None:
            break
    return best, value


def _window(distances, m, percent, margin):
    """Choose bounds and size of a window of distances around the percentile."""
    pairs = m * (m - 1) // 2
    if pairs <= ALL_PAIRS or margin >= 100.0:
        return 0.0, np.inf, pairs
    sample = np.unique(np.linspace(0, m - 1, 700).astype(np.intp))
    block = distances.block(sample, sample)
    low, high = np.percentile(
        block[np.triu_indices(len(sample), 1)], [max(percent - margin, 0.0), min(percent + margin, 100.0)]
    )
    return low, high, int(pairs * min(1.0, 0.06 * margin)) + 1


def _weighted_percentile(window, window_counts, below, same, low, total, percent):
    """Compute the percentile (linear interpolation) of all pairs; None if it is outside of the window."""
    if low == 0.0:
        window, window_counts = np.append(window, 0.0), np.append(window_counts, same)
    else:
        below += same
    order = np.argsort(window)
    window, reach = window[order], below + np.cumsum(window_counts[order])
    position = (total - 1.0) * percent / 100.0
    rank = np.floor(position)
    if len(window) == 0 or rank < below or min(rank + 1.0, total - 1.0) >= reach[-1]:
        return None
    at = window[np.searchsorted(reach, rank, side="right")]
    after = window[np.searchsorted(reach, min(rank + 1.0, total - 1.0), side="right")]
    return at + (after - at) * (position - rank)
