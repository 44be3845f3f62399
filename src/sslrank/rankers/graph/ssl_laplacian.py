"""Semi-supervised Laplacian score for regression (Doquire and Verleysen 2013; thesis scls, section 2.3.6)."""

import numpy as np

from sslrank.core import libm
from sslrank.core.base import BaseRanker
from sslrank.core.columns import expand
from sslrank.core.validation import check_count, check_number
from sslrank.rankers.graph.affinity import row_graph
from sslrank.rankers.graph.scores import weighted_scatter


class SSLLaplacianScore(BaseRanker):
    """Rank features by the semi-supervised Laplacian score, extended to nominal features.

    A good feature changes little between neighbours with similar targets. Its score is the product of its Laplacian
    quotients on the graph of all rows and on the graph of the labelled rows (Eq. 2.24); lower is better. The similarity
    of a row and one of its k nearest rows is exp(-d / lambda), where d is the squared difference of the targets if both
    are known, and otherwise the mean squared difference of the features. Edges between two labelled rows count C times
    (Eqs. 2.23 and 2.25, in which the thesis swaps "known" and "unknown").

    Parameters
    ----------
    n_neighbors : int, default=5
        k. Two rows are neighbours if one of them is among the k nearest of the other; rows at the k-th distance share
        the places that nearer rows leave.
    lam : float, default=1.0
        Lambda. Features and target are standardised, so two independent rows are at d = 2 on average and have
        the similarity exp(-2); near rows are well below 1. One scale suits both kinds of d, and the score
        does not depend on the units of the data.
    label_weight : float, default=5.0
        C. The papers only ask for more weight on known targets. With few labels, few edges join two labelled rows; with
        C = k = 5 one such edge has the weight of all k edges of a row.
    task : {"auto", "regression"}, default="auto"
        Pass "regression" for a target of integers.
    supervised : bool, default=False
        Remove the unlabelled rows, and score on the graph of the labelled rows (SLS, Eqs. 2.21 and 2.22).
    n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`. Nothing is random; the threads are scikit-learn's.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        S + s - s_i for the scores s_i, S and s being the largest and the smallest (paper ssl-ranking, section
        6.6).
    scores_ : ndarray of shape (n_features,)
        The scores s_i, lower is better.

    Notes
    -----
    A nominal feature is 1-hot encoded; its score is the sum of the scores of its columns, as section 6.6 says, so
    features of many categories score worse. Categories that do not occur are ignored. Missing values are replaced by
    the mean of the column (for a 1-hot column, the share of the category). A constant feature, for which the quotient
    is 0/0, gets the worst score of the others. If there are fewer than two labelled rows, or the column is constant on
    them, the second factor is 1, about the quotient of a column unrelated to the graph. Targets are standardised on the
    labelled rows.

    References
    ----------
    Doquire, Verleysen: A graph Laplacian based approach to semi-supervised feature selection for regression
    problems. Neurocomputing 121 (2013).

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_regression
    >>> from sslrank import SSLLaplacianScore
    >>> X, y = make_regression(80, 5, n_informative=2, random_state=0)
    >>> y[::2] = np.nan  # unlabelled
    >>> SSLLaplacianScore().fit(X, y).ranking_
    array([1, 2, 5, 4, 3])
    """

    tasks = frozenset({"regression"})
    n_neighbors: int = 5
    lam: float = 1.0
    label_weight: float = 5.0
    supervised: bool = False

    def check_params(self):
        check_count("n_neighbors", self.n_neighbors)
        for name in ("lam", "label_weight"):
            check_number(name, getattr(self, name), above=True)

    def rank_coded(self, features, targets):
        columns, owner = expand_nominal(features)
        labeled = targets.labeled
        y = targets.values[:, 0]
        spread = y[labeled].std() if labeled.any() else 0.0
        y = y / spread if spread > 0 else y

        supervised = np.full(columns.shape[1], np.nan)
        if labeled.sum() >= 2:
            known, target = columns[labeled], y[labeled]
            graph = row_graph(known, self.n_neighbors, self.lam, kind=target)
            weights = graph.share * self._similarity((target[graph.i] - target[graph.j]) ** 2)
            supervised = laplacian_quotients(known, graph, weights)
        score = supervised
        if not self.supervised:
            graph = row_graph(columns, self.n_neighbors, self.lam, kind=y)
            both = labeled[graph.i] & labeled[graph.j]
            of_targets = self.label_weight * self._similarity((y[graph.i] - y[graph.j]) ** 2)
            of_features = self._similarity(graph.distances / max(columns.shape[1], 1))
            semi = laplacian_quotients(columns, graph, graph.share * np.where(both, of_targets, of_features))
            score = semi * np.where(np.isnan(supervised), 1.0, supervised)
        self.scores_ = collect(score, owner, features.shape[1])
        return self.scores_.max() + self.scores_.min() - self.scores_

    def _similarity(self, distance):
        # A similarity of 0 would take the row out of the graph.
        return np.maximum(libm.exp(-distance / self.lam), 1e-300)


def laplacian_quotients(values, graph, weights):
    """Compute the Laplacian score of every column: f' L f / f' D f, f being centred with weights D.

    D is the diagonal of the row sums of S, and L = D - S (He, Cai, Niyogi 2005; Eq. 2.22 of the scls thesis).

    Parameters
    ----------
    values : ndarray of shape (n, C)
    graph : sslrank.rankers.graph.affinity.RowGraph
    weights : ndarray of shape (n_edges,)
        The entries of S.

    Returns
    -------
    ndarray of shape (C,)
        In [0, 2], lower is better; NaN for a column that is constant on the rows that have an edge.

    Examples
    --------
    >>> Z = np.array([[0.0, 0.0], [1.0, 5.0], [2.0, 0.0]])
    >>> laplacian_quotients(Z, row_graph(Z[:, :1].copy(), 1, 1.0), np.ones(2)).round(3)
    array([1., 2.])
    """
    degrees = graph.degrees(weights)
    varies = np.zeros(values.shape[1], dtype=bool)
    if (degrees > 0).any():
        varies = np.ptp(values[degrees > 0], axis=0) > 0
    spread = np.where(varies, weighted_scatter(values, degrees), 1.0)
    return np.where(varies, graph.energy(values, weights) / spread, np.nan)


def expand_nominal(features):
    """1-hot encode nominal features, replace missing values by means, and standardise all columns.

    Parameters
    ----------
    features : sslrank.core.features.Features
        n rows, D features.

    Returns
    -------
    columns : ndarray of shape (n, C)
        Mean 0 and standard deviation 1; constant columns are left out.
    owner : ndarray of shape (C,), int
        The feature of each column.

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.core.features import encode_features
    >>> columns, owner = expand_nominal(encode_features(pd.DataFrame({"a": [1.0, 3.0], "c": ["u", "v"]})))
    >>> columns.round(3).tolist(), owner.tolist()
    ([[-1.0, 1.0, -1.0], [1.0, -1.0, 1.0]], [0, 1, 1])
    """
    expanded = expand(features)
    columns, owner = expanded.values, expanded.owner
    known = ~np.isnan(columns)
    varies = np.fmax.reduce(columns, axis=0) > np.fmin.reduce(columns, axis=0)
    columns, owner, known = columns[:, varies], owner[varies], known[:, varies]
    scale = np.abs(np.where(known, columns, 0.0)).max(axis=0, initial=0.0)  # squares of huge numbers overflow
    columns = columns / scale
    count = known.sum(axis=0)
    mean = np.where(known, columns, 0.0).sum(axis=0) / count
    columns = np.where(known, columns - mean, 0.0)
    deviation = np.sqrt(np.square(columns).sum(axis=0) / count)
    return np.ascontiguousarray(columns / np.where(deviation > 0, deviation, 1.0)), owner


def collect(scores, owner, n_features):
    """Sum the scores of the columns of each feature; a feature without a defined score gets the worst one.

    Parameters
    ----------
    scores : ndarray of shape (C,)
        NaN is undefined.
    owner : ndarray of shape (C,), int
    n_features : int

    Returns
    -------
    ndarray of shape (n_features,)
        Zeros when no score is defined.

    Examples
    --------
    >>> collect(np.array([0.5, 0.2, np.nan]), np.array([0, 0, 1]), 2)
    array([0.7, 0.7])
    """
    defined = ~np.isnan(scores)
    total = np.bincount(owner[defined], weights=scores[defined], minlength=n_features)
    has_score = np.bincount(owner[defined], minlength=n_features) > 0
    total[~has_score] = total[has_score].max() if has_score.any() else 0.0
    return total
