"""Rankings on pseudo-labels of scikit-learn: self-training and label spreading."""

import numpy as np
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

from sslrank.core.base import BaseRanker
from sslrank.core.columns import design_matrix
from sslrank.core.distances import Distances, merge_equal
from sslrank.core.validation import check_count, check_number
from sslrank.rankers.graph.affinity import nearest_points
from sslrank.rankers.graph.neighbors import near_points, neighbor_shares


class _PseudoLabels(BaseRanker):
    """Base class: importances of the columns of a design matrix of all rows, summed by feature."""

    tasks = frozenset({"classification"})

    def rank_coded(self, features, targets):
        if not targets.labeled.any():
            raise ValueError(f"{type(self).__name__} needs at least one labelled row, y has none")
        design = design_matrix(features, np.arange(features.shape[0]))
        y = np.where(targets.labeled, np.nan_to_num(targets.values[:, 0]), -1).astype(np.intp)
        if len(np.unique(y[y >= 0])) < 2:
            return np.zeros(features.shape[1])
        return design.sum_by_feature(self._importances(design.values, y, self.resolve_seed() % 2**31))


class OrderedForest(RandomForestClassifier):
    """A forest that sums its trees' predictions in a fixed order, so that threads do not change the result."""

    def predict_proba(self, X):
        n_jobs, self.n_jobs = self.n_jobs, 1
        try:
            return super().predict_proba(X)
        finally:
            self.n_jobs = n_jobs


class SelfTraining(_PseudoLabels):
    """Rank by decrease of impurity in a self-trained random forest, which repeatedly labels rows of high confidence.

    Parameters
    ----------
    n_estimators : int, default=100
    threshold : float, default=0.75
        Minimum share of votes to label a row.
    max_iter : int, default=10
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    n_iter_ : int
        Rounds of labelling.
    n_labeled_ : int
        Labelled rows, including pseudo-labelled ones.

    References
    ----------
    .. [1] D. Yarowsky (1995), Unsupervised word sense disambiguation rivaling supervised methods, ACL.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> SelfTraining(n_estimators=20, random_state=0).fit(X, y).n_labeled_
    146
    """

    n_estimators: int = 100
    threshold: float = 0.75
    max_iter: int = 10

    def check_params(self):
        check_count("n_estimators", self.n_estimators)
        check_number("threshold", self.threshold, high=1.0)
        check_count("max_iter", self.max_iter)

    def _importances(self, X, y, seed):
        forest = OrderedForest(self.n_estimators, n_jobs=self.n_jobs, random_state=seed)
        self_training = SelfTrainingClassifier(forest, threshold=self.threshold, max_iter=self.max_iter).fit(X, y)
        self.n_iter_ = max(self_training.n_iter_, 1)
        self.n_labeled_ = int((self_training.transduction_ >= 0).sum())
        return self_training.estimator_.feature_importances_


class LabelPropagation(_PseudoLabels):
    """Rank by F with the classes that label spreading assigns to all rows.

    A row that is as likely to be of several classes counts in each of them with an equal part.

    Parameters
    ----------
    n_neighbors : int, default=7
        Neighbours in the graph, the row itself among them; features are scaled to [0, 1]. Rows at the distance of the
        last one share the places that nearer rows leave, so the order of the rows does not matter.
    alpha : float, default=0.2
        In (0, 1): how much given labels may change; see ``sklearn.semi_supervised.LabelSpreading``.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,), int
        Class codes; the first of equally likely classes.

    References
    ----------
    .. [1] D. Zhou, O. Bousquet, T. N. Lal, J. Weston, B. Schölkopf (2004), Learning with local and global consistency,
       NIPS 16.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> LabelPropagation().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    n_neighbors: int = 7
    alpha: float = 0.2

    def check_params(self):
        check_count("n_neighbors", self.n_neighbors)
        check_number("alpha", self.alpha, high=1.0, above=True)

    def _importances(self, X, y, seed):
        n_neighbors = min(self.n_neighbors, len(y) - 1)
        model = LabelSpreading(kernel=lambda rows, _: shared_neighbors(rows, n_neighbors - 1), alpha=self.alpha)
        self.labels_ = model.fit(X, y).transduction_
        likely = model.label_distributions_
        parts = likely >= likely.max(axis=1, keepdims=True) * (1.0 - 1e-9)
        return f_of_parts(X, parts / parts.sum(axis=1, keepdims=True))


def shared_neighbors(X, k):
    """Make the graph of each row with itself and its k nearest rows; rows at the k-th distance share places.

    Parameters
    ----------
    X : ndarray of shape (n, D)
    k : int

    Returns
    -------
    scipy.sparse.csr_matrix of shape (n, n)

    Examples
    --------
    >>> shared_neighbors(np.array([[0.0], [1.0], [-1.0]]), 1).toarray()
    array([[1. , 0.5, 0.5],
           [1. , 1. , 0. ],
           [1. , 0. , 1. ]])
    """
    X = np.ascontiguousarray(X)
    first, group = merge_equal(X)
    counts, points = np.bincount(group, minlength=len(first)), X[first]
    near = nearest_points(points, min(2 * k, len(first) - 1))
    p, q, share = neighbor_shares(points, counts, *near_points(points, counts, near, k, Distances(points)), k)
    of_points = sparse.csr_matrix((share, (p, q)), shape=(len(first), len(first)))
    graph = of_points[group][:, group].tolil()
    graph.setdiag(1.0)
    return graph.tocsr()


def f_of_parts(X, parts):
    """Compute F of every column, where a row can belong to several classes in part.

    Parameters
    ----------
    X : ndarray of shape (n, D)
    parts : ndarray of shape (n, C)
        Of sum 1 in each row.

    Returns
    -------
    ndarray of shape (D,)
        That of :func:`sklearn.feature_selection.f_classif` if the rows are whole, but 0 for a constant column and at
        most 1e12.

    Examples
    --------
    >>> f_of_parts(np.array([[0.0], [1.0], [3.0], [4.0]]), np.eye(2)[[0, 0, 1, 1]])
    array([18.])
    """
    sizes = parts.sum(axis=0)
    parts, sizes = parts[:, sizes > 0], sizes[sizes > 0]
    n_rows, n_classes = parts.shape
    if not 1 < n_classes < n_rows:
        return np.zeros(X.shape[1])
    Z = X - X.mean(axis=0)
    between = ((parts.T @ Z) ** 2 / sizes[:, None]).sum(axis=0)
    total = (Z**2).sum(axis=0)
    within = np.maximum(total - between, 0.0)
    within[within < 1e-13 * total] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num((between / (n_classes - 1)) / (within / (n_rows - n_classes)), posinf=1e12).clip(max=1e12)
