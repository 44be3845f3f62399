"""sSelect: Laplacian score on all rows plus agreement with the labels."""

import numpy as np
from scipy.special import entr

from sslrank.core.columns import numeric_rows
from sslrank.core.validation import check_number
from sslrank.rankers.graph.base import GraphRanker
from sslrank.rankers.graph.laplacian_score import laplacian_scores
from sslrank.rankers.graph.scores import lower_is_better


class SSelect(GraphRanker):
    r"""Semi-supervised feature selection via spectral analysis (Zhao and Liu 2007; thesis, Eqs. 2.7-2.9).

    .. math:: sSelect_r = \lambda \frac{g_r^T L g_r}{g_r^T D g_r} + (1 - \lambda) (1 - NMI(\hat g_r, Y_L)),
        \qquad g_r = f_r - \frac{f_r^T D 1}{1^T D 1} 1

    Lower is better. The first term, the cut of the cluster indicator g_r, is the Laplacian score of the feature on all
    rows. The second term compares the clusters :math:`\hat g_r = sign(g_r)` of the labelled rows with their classes.

    The sign gives two clusters, which are compared with all classes, also if there are more than two. NMI(A, B) = I(A;
    B) / sqrt(H(A) H(B)), or 0 if either side is a single group. A value equal to the mean (g = 0) counts as negative.
    The clusters of a nominal feature are its categories; the first term sums over its indicators. Without labelled rows
    NMI is 0, and the order is that of the Laplacian score.

    Parameters
    ----------
    balance : float in [0, 1], default=0.1
        Weight of the first term (lambda above, eta in the thesis).
    n_neighbors, bandwidth, scale
        See :class:`sslrank.rankers.graph.base.GraphRanker`. Paper ssfi does not print a bandwidth.
    supervised : bool, default=False
        Remove the unlabelled rows.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        sSelect_r of each feature; NaN for a constant feature, whose importance is 0.

    Raises
    ------
    ValueError
        From `fit`: a parameter out of its range.

    References
    ----------
    Zhao, Liu: Semi-supervised feature selection via spectral analysis, SDM 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import SSelect
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> SSelect().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    balance: float = 0.1
    supervised: bool = False

    def check_params(self):
        check_number("balance", self.balance, 0, 1)

    def rank_coded(self, features, targets):
        rows = numeric_rows(features, self.scale)
        graph = self._graph(rows)
        cut = laplacian_scores(rows, graph)
        labeled = targets.labeled
        codes = targets.values[labeled, 0].astype(np.intp)
        agreement = np.zeros(features.shape[1])
        numeric = ~features.nominal
        columns = rows.values[:, numeric[rows.owner]]
        degrees = graph.degrees()
        means = degrees @ columns / max(degrees.sum(), np.finfo(float).tiny)
        positive = columns[labeled] > means
        agreement[numeric] = cluster_agreement(positive, codes, targets.n_classes)
        for feature in np.flatnonzero(features.nominal):
            category = features.values[labeled, feature]
            known = ~np.isnan(category)
            clusters = category[known, None] == np.arange(features.n_categories[feature])
            table = class_counts(clusters, codes[known], targets.n_classes)
            agreement[feature] = normalized_mutual_information(table[:, None])[0]
        self.scores_ = self.balance * cut + (1.0 - self.balance) * (1.0 - agreement)
        return lower_is_better(self.scores_)


def class_counts(clusters, codes, n_classes):
    """Count rows per class in each cluster.

    Parameters
    ----------
    clusters : ndarray of shape (l, W), bool
        Masks of W clusters.
    codes : ndarray of shape (l,), int
    n_classes : int

    Returns
    -------
    ndarray of shape (W, n_classes)

    Examples
    --------
    >>> class_counts(np.array([[True], [True], [False]]), np.array([0, 1, 1]), 2)
    array([[1., 1.]])
    """
    return clusters.T.astype(np.float64) @ (codes[:, None] == np.arange(n_classes)).astype(np.float64)


def cluster_agreement(positive, codes, n_classes):
    """Compute the normalised mutual information of partitions in two clusters with the classes.

    Parameters
    ----------
    positive : ndarray of shape (l, W), bool
        Rows of the first of two clusters, for each of W partitions.
    codes : ndarray of shape (l,), int
    n_classes : int

    Returns
    -------
    ndarray of shape (W,)

    Examples
    --------
    >>> cluster_agreement(np.array([[True], [False]]), np.array([0, 1]), 2)
    array([1.])
    """
    inside = class_counts(positive, codes, n_classes)
    outside = np.bincount(codes, minlength=n_classes) - inside
    return normalized_mutual_information(np.stack([inside, outside]))


def normalized_mutual_information(tables):
    """Compute I / sqrt(H H) of W contingency tables.

    Parameters
    ----------
    tables : ndarray of shape (clusters, W, classes)
        Counts.

    Returns
    -------
    ndarray of shape (W,)
        In [0, 1]; 0 if one of the partitions has a single group or all counts are 0.

    Examples
    --------
    >>> normalized_mutual_information(np.array([[[2.0, 0.0]], [[0.0, 2.0]]]))
    array([1.])
    """
    total = tables.sum(axis=(0, 2))
    shares = tables / np.maximum(total, 1.0)[:, None]
    of_clusters, of_classes = _entropy(shares.sum(axis=2), 0), _entropy(shares.sum(axis=0), 1)
    joint = _entropy(shares, (0, 2))
    scale = np.sqrt(of_clusters * of_classes)
    information = of_clusters + of_classes - joint
    return np.clip(np.divide(information, scale, out=np.zeros_like(scale), where=scale > 0), 0.0, 1.0)


def _entropy(shares, axis):
    return entr(shares).sum(axis=axis)  # as NumPy's logarithm has other last bits where a processor has AVX-512
