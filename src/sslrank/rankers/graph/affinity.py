"""Nearest-neighbour graph of the rows with Gaussian weights.

Distances are computed in blocks of a matrix product, so that memory stays linear in the rows. Equal rows are merged
first, so their distances to a third row are identical; ties go to the first row, as in a stable sort.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sslrank.core.distances import BLOCK, Distances
from sslrank.rankers.graph._kernels import edge_distances, edge_energy, scan_block

#: Up to this number, all pairs are kept for the percentile; above it, only those near the percentile.
ALL_PAIRS = 2_000_000


@dataclass(frozen=True)
class RowGraph:
    """A symmetric k-nearest-neighbour graph.

    Attributes
    ----------
    n_rows : int
    i, j : ndarray of shape (n_edges,), i < j
        Edges: one row is among the k nearest of the other (if mutual, each among the k nearest of the other).
    distances : ndarray of shape (n_edges,)
        Their squared lengths.
    bandwidth : float
        lambda of the Gaussian.

    Examples
    --------
    >>> graph = row_graph(np.array([[0.0], [1.0], [5.0]]), n_neighbors=1, bandwidth=1.0)
    >>> graph.i, graph.j, graph.distances
    (array([0, 1]), array([1, 2]), array([ 1., 16.]))
    """

    n_rows: int
    i: np.ndarray
    j: np.ndarray
    distances: np.ndarray
    bandwidth: float

    @cached_property
    def weights(self):
        """Gaussian weights of the edges, Eq. (2.2)."""
        return gaussian(self.distances, self.bandwidth)

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
        return edge_degrees(self.i, self.j, weights, self.n_rows)

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
        return edge_energy(Z, self.i, self.j, self.weights if weights is None else weights)


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
    with np.errstate(under="ignore"):
        return np.exp(distances / -bandwidth)


def row_graph(Z, n_neighbors=10, bandwidth="percentile", *, mutual=False):
    """Build the graph of some rows.

    Parameters
    ----------
    Z : ndarray of shape (n, W), float64, C-contiguous
    n_neighbors : int, default=10
        k; at most n - 1 are used. Among neighbours at equal distance the first rows are taken.
    bandwidth : float or "percentile"
        lambda; "percentile" is the 20th percentile of the squared distances of all ordered pairs, pairs of a row with
        itself included (thesis, Eq. 4.11). If it is 0, because a fifth of the pairs are equal rows, lambda is the mean
        distance; if that is also 0, lambda is 1.
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
    first, group = _merge_equal(Z)
    counts = np.bincount(group, minlength=len(first)).astype(np.float64)
    points = Z if len(first) == n_rows else np.ascontiguousarray(Z[first])
    k = min(n_neighbors, n_rows - 1)
    percentile = isinstance(bandwidth, str)
    if percentile and bandwidth != "percentile":
        raise ValueError(f"bandwidth must be a number > 0 or 'percentile', got {bandwidth!r}")
    if not percentile and not bandwidth > 0:
        raise ValueError(f"bandwidth must be a number > 0 or 'percentile', got {bandwidth!r}")
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be at least 1, got {n_neighbors!r}")
    near, value = _scan(points, counts, k, 20.0 if percentile else None)
    if percentile and value == 0.0:
        centred = Z - Z.mean(axis=0)
        value = 2.0 * float(np.einsum("ij,ij->", centred, centred)) / n_rows or 1.0
    i, j = _neighbor_pairs(near, first, group, counts, k)
    low, high = np.minimum(i, j), np.maximum(i, j)
    codes, times = np.unique(low * n_rows + high, return_counts=True)
    if mutual:
        codes = codes[times == 2]
    low, high = np.divmod(codes, max(n_rows, 1))
    low, high = low.astype(np.intp), high.astype(np.intp)
    distances = edge_distances(Z, low, high)
    return RowGraph(n_rows, low, high, distances, float(value if percentile else bandwidth))


def _merge_equal(Z):
    """Find the first row of every set of equal rows, in order, and the set of each row."""
    first, group = {}, np.empty(len(Z), dtype=np.intp)
    for number, row in enumerate(Z):
        key = hashlib.blake2b(row + 0.0, digest_size=16).digest()  # -0.0 equals 0.0
        group[number] = first.setdefault(key, len(first))
    starts = np.full(len(first), len(Z), dtype=np.intp)
    np.minimum.at(starts, group, np.arange(len(Z)))
    return starts, group


def _scan(points, counts, k, percent):
    """Find the nearest distinct points, (distances, indices) of shape (m, k), and the percentile or None."""
    m = len(points)
    distances = Distances(points)
    total = counts.sum() ** 2
    same = float((counts**2).sum())  # pairs of equal rows, including each row with itself
    for margin in (0.0,) if percent is None else (6.0, 20.0, 100.0):  # the last window holds every pair
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
        if percent is not None and used >= 0:
            value = _weighted_percentile(window[:used], window_counts[:used], below, same, low, total, percent)
        if value is not None:
            break
    return best, value


def _window(distances, m, percent, margin):
    """Choose bounds and size of a window of distances around the percentile."""
    pairs = m * (m - 1) // 2
    if percent is None:
        return 0.0, 0.0, 0
    if pairs <= ALL_PAIRS or margin >= 100.0:
        return 0.0, np.inf, max(pairs, 1)
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


def _neighbor_pairs(near, first, group, counts, k):
    """Find the k nearest rows of every row from the k nearest points of every distinct point."""
    n, m = len(group), len(first)
    indices = near[1]
    if n == m:
        rows = np.repeat(np.arange(n), indices.shape[1])
        flat = indices.ravel()
        return rows[flat >= 0], flat[flat >= 0]
    members = np.split(np.argsort(group, kind="stable"), np.cumsum(counts).astype(np.intp)[:-1])
    single = counts == 1
    plain = single & single[indices].all(axis=1) & (indices >= 0).all(axis=1)
    i, j = [np.repeat(first[plain], k)], [first[indices[plain]].ravel()]
    for point in np.flatnonzero(~plain):
        own = members[point]
        if len(own) > k:  # k equal rows fill the list
            late = own[k:]
            i.append(np.repeat(late, k))
            j.append(np.tile(own[:k], len(late)))
            early, others = own[:k], own[: k + 1]
        else:
            near_points = indices[point][indices[point] >= 0]
            sizes = counts[near_points].astype(np.intp)
            rows = np.concatenate([members[q] for q in near_points]) if len(near_points) else own[:0]
            rows = rows[np.lexsort((rows, np.repeat(near[0][point][: len(near_points)], sizes)))]
            early, others = own, np.concatenate([own, rows])[: k + 1]
        for row in early:
            chosen = others[others != row][:k]
            i.append(np.full(len(chosen), row))
            j.append(chosen)
    return np.concatenate(i), np.concatenate(j)
