"""CLS: constrained Laplacian score."""

import numpy as np

from sslrank.core.columns import numeric_rows
from sslrank.core.distances import Distances
from sslrank.rankers.graph.base import GraphRanker
from sslrank.rankers.graph.constraint_ranker import ConstraintRanker
from sslrank.rankers.graph.scores import lower_is_better, ratio, weighted_scatter


class CLS(ConstraintRanker, GraphRanker):
    r"""Constrained Laplacian score (Benabdeslem and Hindawi 2011; thesis, Eqs. 2.13-2.15, Algorithm 4).

    .. math:: CLS_r = \frac{\sum_{i,j} (f_{ri} - f_{rj})^2 S_{ij}}
        {\sum_i D_{ii} \left( \sum_{j: (i,j) \in CL} (f_{ri} - f_{rj})^2
        \text{, or } (f_{ri} - \mu_r)^2 \text{ where there is no such } j \right)}

    Lower is better. S has the Gaussian weights of nearest neighbours and of all must-links, D its row sums; mu is the
    D-weighted mean.

    The printed denominator sums over "j such that some (x_k, x_j) is a cannot-link". Taken literally, it is empty
    without labels, and with labels it adds the mean's term once per labelled row. But the thesis says that the score is
    the Laplacian score if no row is labelled, and a constraint score weighted by S and D if all are. The form above
    satisfies both: a row with cannot-links is compared with these rows, any other row with the mean. (Without labels
    the score is twice LS, since the numerator counts each pair twice.) The thesis does not define the mean; the
    Laplacian score needs the D-weighted one (Eq. 4.8). A row is not its own must-link.

    Parameters
    ----------
    n_neighbors, bandwidth
        See :class:`sslrank.rankers.graph.base.GraphRanker`.
    scale : {None, "range", "standard"}, default="range"
        Divide numeric features by their range or standard deviation first, so that the score does not depend on their
        units. This is the default of all rankers of the S-CLS family.
    supervised : bool, default=False
        Remove the unlabelled rows.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        NaN for a constant feature.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import CLS
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> CLS().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification", "none"})
    scale: str | None = "range"
    supervised: bool = False

    def rank_coded(self, features, targets, constraints=None):
        rows = numeric_rows(features, self.scale)
        constraints = self._constraints(targets, features.shape[0], constraints)
        graph = self._graph(rows, kind=constraints.kinds)
        self.scores_ = cls_scores(rows, graph, Distances(rows.values), constraints)
        return lower_is_better(self.scores_)


def cls_scores(rows, graph, distances, constraints, must=None):
    """Compute CLS of each feature.

    Parameters
    ----------
    rows : sslrank.core.columns.Columns
    graph : sslrank.rankers.graph.affinity.RowGraph
        Nearest neighbours, with the constraints' kinds.
    distances : sslrank.core.distances.Distances
    constraints : PairConstraints or ClassConstraints
    must : (ndarray of shape (n,), ndarray of shape (W,)), optional
        The result of `constraints.must_similarity`, if it is already known.

    Returns
    -------
    ndarray of shape (n_features,)
    """
    Z = rows.values
    weights = np.where(constraints.same(graph.i, graph.j), 0.0, graph.weights)
    degrees, energy = must or constraints.must_similarity(Z, distances, graph.bandwidth)
    degrees = degrees + graph.degrees(weights)
    energy = energy + graph.energy(Z, weights)
    spread = constraints.cannot_spread(Z, degrees)
    free = ~constraints.in_cannot
    if free.any():
        spread += weighted_scatter(Z, degrees, free)
    return ratio(rows.sum_by_feature(2.0 * energy), rows.sum_by_feature(spread))
