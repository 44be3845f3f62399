"""CSFS: constrained Laplacian score with coherent constraints and clusters as neighbourhoods."""

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist
from sklearn.metrics import davies_bouldin_score

from sslrank.core.columns import numeric_rows
from sslrank.core.distances import BLOCK, Distances
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_choice
from sslrank.rankers.graph._kernels import edge_distances, edge_energy
from sslrank.rankers.graph.affinity import gaussian
from sslrank.rankers.graph.base import GraphRanker
from sslrank.rankers.graph.class_constraints import ClassConstraints
from sslrank.rankers.graph.constraint_ranker import ConstraintRanker
from sslrank.rankers.graph.pair_constraints import PairConstraints
from sslrank.rankers.graph.scores import lower_is_better, ratio, weighted_scatter


class CSFS(ConstraintRanker, GraphRanker):
    r"""Constraint selection-based feature selection (Hindawi et al. 2011; thesis, Eqs. 2.16-2.20).

    .. math:: \varphi_r = \frac{\sum_{i,j} (f_{ri} - f_{rj})^2 (S_{ij} + N_{ij})}
        {\sum_i D_{ii} \left( \sum_{j: (i,j) \in CL'} (f_{ri} - f_{rj})^2
        \text{, or } (f_{ri} - \mu_r)^2 \text{ where there is no such } j \right)}

    Lower is better. S has the Gaussian weights g of neighbours, D its row sums; N is -g for must-linked neighbours, and
    g^2 for cannot-linked neighbours and for must-linked rows that are not neighbours; mu is the unweighted mean. ML'
    and CL' are the coherent constraints.

    Coherence (Davidson, Wagstaff and Basu 2006): the overlap of c over m is the length that the segment m shares with
    the projection of the segment c on m's line. A must-link and a cannot-link are coherent if neither overlaps the
    other; a constraint is kept if it is coherent with all constraints of the other kind. (The thesis describes the
    distance of the projected end points. Taken literally, this keeps only orthogonal constraints, wherever they lie,
    although the thesis speaks of forces "in the same vicinity".) The printed denominator leaves the sum over j open; it
    is read as in :class:`sslrank.rankers.graph.cls.CLS`.

    Neighbours are the rows of one cluster of an agglomerative clustering, cut at the lowest Davies-Bouldin index. The
    thesis does not name the linkage; here it is Ward's. Where distances are equal, Ward's method merges the rows that
    come first, so the rows are brought into an order of their own, see :func:`central_first`.

    Parameters
    ----------
    neighborhoods : {"clusters", "nearest"}, default="clusters"
        Rows of one cluster, or pairs of rows each among the `n_neighbors` nearest of the other.
    max_clusters : int or None
        Maximum number of clusters to try; None is the square root of the number of rows.
    max_constraints : int or None, default=10000
        Maximum number of constraints of each kind to draw from the labels; None takes all pairs.
    n_neighbors, bandwidth, scale
        See :class:`sslrank.rankers.graph.base.GraphRanker`.
    supervised : bool, default=False
        Remove the unlabelled rows.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
    n_coherent_ : tuple of int
        Must-links and cannot-links that were kept.
    clusters_ : ndarray of shape (n_rows,), or None
        Cluster of each row that is used.

    Notes
    -----
    Ward's clustering needs all distances, which take 4 n^2 bytes: 1.6 GB for 20,000 rows. With
    ``neighborhoods="nearest"`` memory is linear in the rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import CSFS
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> CSFS().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    neighborhoods: str = "clusters"
    max_clusters: int | None = None
    max_constraints: int | None = 10_000
    supervised: bool = False

    def check_params(self):
        check_choice("neighborhoods", self.neighborhoods, ("clusters", "nearest"))

    def rank_coded(self, features, targets, constraints=None):
        rows = numeric_rows(features, self.scale)
        Z = rows.values
        constraints = self._constraints(targets, features.shape[0], constraints)
        if isinstance(constraints, ClassConstraints):
            rng = np.random.default_rng(derive_seed(self.resolve_seed(), "csfs", "constraints"))
            constraints = constraints.pairs(self.max_constraints, rng)
        coherent = coherent_constraints(Z, constraints)
        self.n_coherent_ = len(coherent.must), len(coherent.cannot)
        graph = self._graph(rows, mutual=True)
        if self.neighborhoods == "clusters":
            self.clusters_ = best_clusters(Z, self.max_clusters)
            degrees, energy = ClassConstraints(self.clusters_).must_similarity(Z, Distances(Z), graph.bandwidth)
        else:
            self.clusters_ = None
            degrees, energy = graph.degrees(), graph.energy(Z)
        energy = energy + self._penalty(Z, graph, coherent)
        spread = coherent.cannot_spread(Z, degrees)
        spread += weighted_scatter(Z, degrees, ~coherent.in_cannot, Z.mean(axis=0))
        self.scores_ = ratio(rows.sum_by_feature(2.0 * np.maximum(energy, 0.0)), rows.sum_by_feature(spread))
        return lower_is_better(self.scores_)

    def _penalty(self, Z, graph, coherent):
        """Compute the part of the numerator that comes from N, over unordered pairs."""
        energy = np.zeros(Z.shape[1])
        for pairs, must in ((coherent.must, True), (coherent.cannot, False)):
            i, j = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
            weights = gaussian(edge_distances(Z, i, j), graph.bandwidth)
            near = graph.shares(i, j) if self.clusters_ is None else self.clusters_[i] == self.clusters_[j]
            penalty = weights**2 - near * (weights + weights**2) if must else near * weights**2
            energy += edge_energy(Z, i, j, penalty)
        return energy


def coherent_constraints(Z, constraints):
    """Keep the must-links and cannot-links that overlap with none of the other kind.

    Parameters
    ----------
    Z : ndarray of shape (n, W)
    constraints : PairConstraints

    Returns
    -------
    PairConstraints
    """
    keep_must = _without_overlap(Z, constraints.must, constraints.cannot)
    keep_cannot = _without_overlap(Z, constraints.cannot, constraints.must)
    return PairConstraints(constraints.n_rows, constraints.must[keep_must], constraints.cannot[keep_cannot])


def _without_overlap(Z, ours, others):
    """Mark the constraints `ours` that are coherent with all `others`.

    Computed from inner products, for some pairs of constraints at a time.
    """
    alive = np.arange(len(ours))
    our_squares, other_squares = _squares(Z, ours), _squares(Z, others)
    start, step = 0, 64
    while start < len(others) and len(alive):
        part = slice(start, start + step)
        one, two = our_squares[:, alive, None], other_squares[:, None, part]
        p, q = Z[ours[alive, 0]], Z[ours[alive, 1]]
        r, s = Z[others[part, 0]].T, Z[others[part, 1]].T
        pr, ps, qr, qs = p @ r, p @ s, q @ r, q @ s
        overlap = np.maximum(_overlap(one, two, pr, ps, qr, qs), _overlap(two, one, pr, qr, ps, qs))
        alive = alive[(overlap == 0.0).all(axis=1)]
        start += step
        step = max(64, BLOCK // 16 // max(len(alive), 1))
    mask = np.zeros(len(ours), dtype=bool)
    mask[alive] = True
    return mask


def _squares(Z, pairs):
    """Compute <p, p>, <q, q> and <p, q> of pairs of rows (p, q), shape (3, n_pairs)."""
    norms, (p, q) = np.einsum("ij,ij->i", Z, Z), pairs.T
    products = [
        np.einsum("ij,ij->i", Z[p[start : start + 4096]], Z[q[start : start + 4096]])
        for start in range(0, len(pairs), 4096)
    ]
    return np.array([norms[p], norms[q], np.concatenate([*products, np.empty(0)])])


def _overlap(onto, other, pr, ps, qr, qs):
    """Compute the length that the segment (p, q) shares with the projection of the segment (r, s) on its line.

    `onto` and `other` are the segments' own inner products. A shared length within rounding error is 0, and
    so is that of a segment without length.
    """
    pp, qq, pq = onto
    square, size = pp + qq - 2.0 * pq, pp + qq + other[0] + other[1]
    start, end = qr - pr - pq + pp, qs - ps - pq + pp
    shared = np.minimum(np.maximum(start, end), square) - np.maximum(np.minimum(start, end), 0.0)
    shared = np.where((shared > 1e-12 * size) & (square > 1e-12 * size), shared, 0.0)
    return np.divide(shared, np.sqrt(square), out=np.zeros_like(shared), where=shared > 0.0)


def best_clusters(Z, max_clusters=None):
    """Cluster by Ward's method, cut at the lowest Davies-Bouldin index.

    Parameters
    ----------
    Z : ndarray of shape (n, W)
    max_clusters : int or None
        Maximum number of clusters to try; None is the square root of n, rounded down. At least 2 are tried; fewer
        clusters win a tie.

    Returns
    -------
    ndarray of shape (n,)
        Numbers of the clusters; one cluster if there are fewer than three rows or all are equal.

    Examples
    --------
    >>> best_clusters(np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]]))
    array([0, 0, 0, 1, 1, 1])
    """
    n_rows = len(Z)
    if n_rows < 3 or (Z[0] == Z).all():
        return np.zeros(n_rows, dtype=np.intp)
    most = int(np.sqrt(n_rows)) if max_clusters is None else max_clusters
    most = min(max(most, 2), n_rows - 1)
    order = central_first(Z)
    Z = Z[order]
    lengths = pdist(Z)
    lengths = (lengths / lengths.max()).round(12)  # equal on paper is equal here, in other columns and units as well
    cuts = cut_tree(linkage(lengths, method="ward"), n_clusters=range(2, most + 1))
    indices = [davies_bouldin_score(Z, cut) for cut in cuts.T]
    clusters = np.empty(n_rows, dtype=np.intp)
    clusters[order] = cuts[:, int(np.argmin(indices))]
    return clusters


def central_first(Z):
    """Order rows by the sums of their squared distances from all rows, of the squares and of the cubes of these.

    Parameters
    ----------
    Z : ndarray of shape (n, W)

    Returns
    -------
    ndarray of shape (n,), intp
        The same rows come first, in whatever order rows and columns are.

    Examples
    --------
    >>> central_first(np.array([[9.0], [1.0], [0.0], [2.0]]))
    array([3, 1, 2, 0])
    """
    distances, step, sums = Distances(Z), max(1, BLOCK // max(len(Z), 1)), np.zeros((3, len(Z)))
    for start in range(0, len(Z), step):
        block = distances.block(slice(start, start + step), slice(None))
        for power, of_power in enumerate(sums, 1):
            of_power[start : start + step] = (block**power).sum(axis=1)
    largest = sums.max(axis=1, keepdims=True)
    return np.lexsort((sums / np.where(largest > 0, largest, 1.0)).round(9)[::-1])
