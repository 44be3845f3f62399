"""LSDF: locality sensitive discriminant feature score."""

from sslrank.core.base import BaseRanker
from sslrank.core.columns import numeric_rows
from sslrank.rankers.graph.affinity import row_graph
from sslrank.rankers.graph.class_constraints import ClassConstraints, class_codes
from sslrank.rankers.graph.scores import higher_is_better, ratio


class LSDF(BaseRanker):
    r"""Locality sensitive semi-supervised feature selection (Zhao et al. 2008; thesis, Eqs. 2.10-2.12).

    .. math:: L_r = \frac{f_r^T L_b f_r}{f_r^T L_w f_r}

    Higher is better. The within-class graph gives the weight `gamma` to pairs of one class and the weight 1 to nearest
    neighbours if one is unlabelled; the between-class graph links pairs of different classes. Labelled pairs are
    summed class by class, in time linear in the rows.

    With fewer than two classes the numerator is 0, and all features have equal scores.

    Parameters
    ----------
    gamma : float, default=100.0
        Weight of a pair of one class.
    n_neighbors : int, default=10
        k of the graph.
    scale : {None, "range", "standard"}, default=None
        Divide numeric features by their range or standard deviation first.
    supervised : bool, default=False
        Remove the unlabelled rows.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        inf for a feature that varies only between classes, NaN for a constant one.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import LSDF
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> LSDF().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    gamma: float = 100.0
    n_neighbors: int = 10
    scale: str | None = None
    supervised: bool = False

    def rank_coded(self, features, targets):
        rows = numeric_rows(features, self.scale)
        constraints = ClassConstraints(class_codes(targets, features.shape[0]))
        within = self.gamma * constraints.must_energy(rows.values)
        unlabeled = constraints.codes < 0
        if unlabeled.any():
            graph = row_graph(rows.values, self.n_neighbors, 1.0, kind=unlabeled)
            within += graph.energy(rows.values, graph.share * (unlabeled[graph.i] | unlabeled[graph.j]))
        between = constraints.cannot_energy(rows.values)
        self.scores_ = ratio(rows.sum_by_feature(between), rows.sum_by_feature(within))
        return higher_is_better(self.scores_)
