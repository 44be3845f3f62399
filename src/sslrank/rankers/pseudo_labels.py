"""Rankings on pseudo-labels of scikit-learn: self-training and label spreading."""

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import f_classif
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

from sslrank.core.base import BaseRanker
from sslrank.core.columns import design_matrix
from sslrank.core.validation import check_count, check_number


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

    Parameters
    ----------
    n_neighbors : int, default=7
        Neighbours in the graph; features are scaled to [0, 1].
    alpha : float, default=0.2
        In (0, 1): how much given labels may change; see ``sklearn.semi_supervised.LabelSpreading``.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,), int
        Class codes.

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
        model = LabelSpreading(kernel="knn", n_neighbors=n_neighbors, alpha=self.alpha, n_jobs=self.n_jobs)
        self.labels_ = model.fit(X, y).transduction_
        varies, scores = X.std(axis=0) > 0, np.zeros(X.shape[1])
        if 1 < len(np.unique(self.labels_)) < len(y):
            scores[varies] = np.nan_to_num(f_classif(X[:, varies], self.labels_)[0], posinf=1e12)
        return scores
