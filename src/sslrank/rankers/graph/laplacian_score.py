"""The Laplacian score: how smooth a feature is on the nearest-neighbour graph."""

from sslrank.base import BaseRanker
from sslrank.columns import numeric_rows
from sslrank.rankers.graph.affinity import row_graph
from sslrank.rankers.graph.scores import lower_is_better, ratio, weighted_scatter
from sslrank.targets import TASKS


class LaplacianScore(BaseRanker):
    r"""Laplacian score (He, Cai and Niyogi 2005).

    .. math:: LS_r = \frac{\tilde f_r^T L \tilde f_r}{\tilde f_r^T D \tilde f_r}, \qquad
        \tilde f_r = f_r - \frac{f_r^T D 1}{1^T D 1} 1, \quad L = D - S, \quad D = diag(S 1)

    with S the Gaussian weights of the symmetric k-nearest-neighbour graph; low is good. It needs no target
    and ignores one.

    The thesis prints L = A - D (Eq. 2.4), under which the score would be negative and its order reversed;
    the properties it lists next (positive semi-definite, x'Lx a sum of squares) are those of L = D - A.

    Parameters
    ----------
    n_neighbors : int, default=10
        k of the graph: two rows are linked when one is among the k nearest of the other.
    bandwidth : float or "percentile", default="percentile"
        lambda of the weight exp(-d^2 / lambda); "percentile" is the 20th percentile of all squared distances.
    scale : {None, "range", "standard"}, default=None
        What to divide numeric features by before anything else.
    n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.base.BaseRanker`; nothing is random, and the products use the threads of BLAS.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        LS of each feature, NaN for a constant one.
    """

    _tasks = frozenset({*TASKS, "none"})

    def __init__(
        self,
        n_neighbors=10,
        bandwidth="percentile",
        scale=None,
        n_features_to_select=None,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
    ):
        self.n_neighbors = n_neighbors
        self.bandwidth = bandwidth
        self.scale = scale
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _encode(self, X, y):
        return super()._encode(X, None)

    def _rank(self, features, targets):
        rows = numeric_rows(features, self.scale)
        self.scores_ = laplacian_scores(rows, row_graph(rows.Z, self.n_neighbors, self.bandwidth))
        return lower_is_better(self.scores_)


def laplacian_scores(rows, graph):
    """The score of each feature, NaN where the feature does not vary over the graph.

    Parameters
    ----------
    rows : sslrank.columns.NumericRows
    graph : sslrank.rankers.graph.affinity.RowGraph

    Returns
    -------
    ndarray of shape (n_features,)
    """
    smoothness = rows.fold(graph.energy(rows.Z))
    variance = rows.fold(weighted_scatter(rows.Z, graph.degrees()))
    return ratio(smoothness, variance)
