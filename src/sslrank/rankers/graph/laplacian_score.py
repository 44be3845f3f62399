"""Laplacian score: how smooth a feature is on the nearest-neighbour graph."""

from sklearn.utils import check_consistent_length

from sslrank.core.columns import numeric_rows
from sslrank.core.tasks import TASKS
from sslrank.rankers.graph.base import GraphRanker
from sslrank.rankers.graph.scores import lower_is_better, ratio, weighted_scatter


class LaplacianScore(GraphRanker):
    r"""Laplacian score (He, Cai and Niyogi 2005).

    .. math:: LS_r = \frac{\tilde f_r^T L \tilde f_r}{\tilde f_r^T D \tilde f_r}, \qquad
        \tilde f_r = f_r - \frac{f_r^T D 1}{1^T D 1} 1, \quad L = D - S, \quad D = diag(S 1)

    with S the Gaussian weights of the symmetric k-nearest-neighbour graph; lower is better. A target is ignored.

    The thesis prints L = A - D (Eq. 2.4), under which the score would be negative and its order reversed;
    the properties it lists next (positive semi-definite, x'Lx a sum of squares) are those of L = D - A.

    Parameters
    ----------
    n_neighbors, bandwidth
        See :class:`sslrank.rankers.graph.base.GraphRanker`.
    scale : {None, "range", "standard"}, default="range"
        Divide numeric features by their range or standard deviation first, so that the score does not depend on their
        units. This is the default of all rankers of the S-CLS family.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random; matrix products use the threads of BLAS.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        LS of each feature, NaN for a constant one.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import LaplacianScore
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> LaplacianScore().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({*TASKS, "none"})
    scale: str | None = "range"

    def encode(self, X, y):
        """Encode X; of y only the length is checked.

        Parameters
        ----------
        X, y
            See :meth:`fit`.

        Returns
        -------
        features : sslrank.core.features.Features
        targets : sslrank.core.targets.Targets
            Empty: there is no target.

        Raises
        ------
        ValueError
            If X is malformed, or y has another length.
        """
        encoded = super().encode(X, None)
        if y is not None:
            check_consistent_length(X, y)
        return encoded

    def rank_coded(self, features, targets):
        rows = numeric_rows(features, self.scale)
        self.scores_ = laplacian_scores(rows, self._graph(rows))
        return lower_is_better(self.scores_)


def laplacian_scores(rows, graph):
    """Compute the score of each feature; NaN for a feature that is constant on the graph.

    Parameters
    ----------
    rows : sslrank.core.columns.Columns
    graph : sslrank.rankers.graph.affinity.RowGraph

    Returns
    -------
    ndarray of shape (n_features,)

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank.core.features import encode_features
    >>> rows = numeric_rows(encode_features(load_iris().data), "range")
    >>> laplacian_scores(rows, LaplacianScore()._graph(rows)).round(2)
    array([0.07, 0.12, 0.02, 0.02])
    """
    smoothness = rows.sum_by_feature(graph.energy(rows.values))
    variance = rows.sum_by_feature(weighted_scatter(rows.values, graph.degrees()))
    return ratio(smoothness, variance)
