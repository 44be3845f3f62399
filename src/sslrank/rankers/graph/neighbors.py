"""Which rows are neighbours if rows at the same distance share the last place.

A row's k nearest rows are those nearer than the k-th distance, and a share of each row at that distance, so that the
order of the rows does not matter. Equal rows are merged to one point first.
"""

import numpy as np

from sslrank.core.distances import BLOCK
from sslrank.rankers.graph._kernels import edge_distances

#: Distances that differ by less than this share of them are equal.
SAME = 1e-9
#: Bound of the rounding error of a distance by a matrix product, relative to the squared norms.
PRODUCT_ERROR = 1e-13


def near_points(points, counts, near, k, distances):
    """List for every point the points that are as near to one of its rows as its k-th nearest row.

    Parameters
    ----------
    points : ndarray of shape (m, W)
        Distinct.
    counts : ndarray of shape (m,), int
        Rows that each point stands for.
    near : tuple of ndarrays of shape (m, L)
        Squared distances and numbers of its nearest points, nearest first, within :data:`PRODUCT_ERROR`; L is above k,
        or m - 1.
    k : int
    distances : sslrank.core.distances.Distances
        Of the points, to look again where more than L points are as near.

    Returns
    -------
    p, q : ndarrays of shape (E,), intp
        Point q is near p; p = q if there are other rows at p.
    """
    m = len(points)
    distance, index = near
    length = index.shape[1]
    reach = np.cumsum(counts[index], axis=1) + (counts - 1)[:, None]
    limit = np.zeros(m)
    far = counts <= k
    if length:
        limit[far] = distance[far, (reach[far] < k).sum(axis=1).clip(max=length - 1)]
    limit += SAME * limit + PRODUCT_ERROR * distances.norms.max(initial=0.0)
    more = distance[:, -1] <= limit if 0 < length < m - 1 else np.zeros(m, dtype=bool)
    kept = (distance <= limit[:, None]) & ~more[:, None]
    p, j = np.nonzero(kept)
    loops = np.flatnonzero(counts > 1)
    first, second = [p, loops], [index[p, j], loops]
    again = np.flatnonzero(more)
    step = max(1, BLOCK // max(m, 1))
    for start in range(0, len(again), step):
        part = again[start : start + step]
        row, q = np.nonzero(distances.block(part, slice(0, m)) <= limit[part, None])
        other = part[row] != q
        first.append(part[row[other]])
        second.append(q[other])
    return np.concatenate(first), np.concatenate(second)


def neighbor_shares(points, counts, p, q, k):
    """Compute the share of a row at q among the k nearest rows of a row at p.

    Parameters
    ----------
    points, counts
        See :func:`near_points`.
    p, q : ndarrays of shape (E,), intp
    k : int

    Returns
    -------
    p, q : ndarrays of shape (F,), intp
        Pairs with a positive share, in the order of p and of their distance.
    share : ndarray of shape (F,)
        1 if q is nearer than the k-th nearest row; the rows at that distance share the places that are left.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [-1.0]])
    >>> neighbor_shares(points, np.array([1, 1, 2]), np.array([0, 0]), np.array([1, 2]), 2)[2].round(3)
    array([0.667, 0.667])
    """
    if not len(p):
        return p, q, np.empty(0)
    distance = edge_distances(points, p, q)
    order = np.lexsort((q, distance, p))
    p, q, distance = p[order], q[order], distance[order]
    rows = counts[q] - (p == q)
    apart = np.diff(distance) > SAME * distance[1:]
    starts = np.flatnonzero(np.concatenate([[True], apart | (np.diff(p) > 0)]))
    tied = np.add.reduceat(rows, starts)
    before = np.cumsum(tied) - tied
    before -= before[np.searchsorted(p[starts], p[starts])]
    share = np.clip((k - before) / tied, 0.0, 1.0)
    share = np.repeat(share, np.diff(np.append(starts, len(p))))
    return p[share > 0], q[share > 0], share[share > 0]


def linked(p, q, share, n_points, mutual):
    """Combine the shares of both directions of every pair of points.

    Parameters
    ----------
    p, q, share
        The result of :func:`neighbor_shares`.
    n_points : int
    mutual : bool
        Whether both rows have to be among the nearest of the other, or one of them.

    Returns
    -------
    low, high : ndarrays of shape (E,), intp
        ``low <= high``, sorted.
    share : ndarray of shape (E,)
        Of rows that draw their neighbours among the equally near ones independently, the share that is linked.

    Examples
    --------
    >>> linked(np.array([0, 1]), np.array([1, 0]), np.array([0.5, 0.5]), 2, mutual=False)
    (array([0]), array([1]), array([0.75]))
    """
    loops = p == q  # both directions of a pair of equal rows
    p, q, share = np.append(p, p[loops]), np.append(q, q[loops]), np.append(share, share[loops])
    codes, pair, times = np.unique(
        np.minimum(p, q) * n_points + np.maximum(p, q), return_inverse=True, return_counts=True
    )
    found = np.ones(len(codes))
    np.multiply.at(found, pair, share if mutual else 1.0 - share)
    found = np.where(times == 2, found, 0.0) if mutual else 1.0 - found
    low, high = np.divmod(codes[found > 0], max(n_points, 1))
    return low.astype(np.intp), high.astype(np.intp), found[found > 0]


def by_kind(group, kind, low, high, share):
    """Replace points by nodes: the rows of one point and one kind.

    Parameters
    ----------
    group : ndarray of shape (n,), intp
        The point of each row.
    kind : ndarray of shape (n,), int, or None
        None if all rows are of one kind.
    low, high, share
        The result of :func:`linked`.

    Returns
    -------
    node : ndarray of shape (n,), intp
        The first row of each row's node.
    size : ndarray of shape (n,), float
        Number of rows of the node, at its first row.
    i, j : ndarrays of shape (E,), intp
        First rows of two nodes, ``i <= j``, sorted.
    share : ndarray of shape (E,)
    """
    kind = np.zeros(len(group), dtype=np.intp) if kind is None else np.unique(kind, return_inverse=True)[1]
    _, first, node, size = np.unique(
        group * (kind.max(initial=0) + 1) + kind, return_index=True, return_inverse=True, return_counts=True
    )
    n_nodes = np.bincount(group[first])
    start = np.cumsum(n_nodes) - n_nodes
    times = n_nodes[low] * n_nodes[high]
    edge = np.repeat(np.arange(len(low)), times)
    number = np.arange(len(edge)) - np.repeat(np.cumsum(times) - times, times)
    one, other = np.divmod(number, n_nodes[high[edge]]) if len(edge) else (number, number)
    one, other = start[low[edge]] + one, start[high[edge]] + other
    kept = (one < other) | ((one == other) & (size[one] > 1))
    kept |= low[edge] != high[edge]
    one, other, share = first[one[kept]], first[other[kept]], share[edge[kept]]
    i, j = np.minimum(one, other), np.maximum(one, other)
    order = np.lexsort((j, i))
    sizes = np.zeros(len(group))
    sizes[first] = size
    return first[node], sizes, i[order], j[order], share[order]
