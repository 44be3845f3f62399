"""Recursive feature elimination with a linear support vector machine: paper eca, section 5.2."""

import numpy as np
from sklearn import config_context
from sklearn.svm import SVC

from sslrank.core.base import BaseRanker
from sslrank.core.columns import design_matrix
from sslrank.core.validation import check_number, resolve_size


class SVMRFE(BaseRanker):
    """Rank features by SVM-RFE (Guyon et al. 2002): train, remove the feature with the smallest weight, repeat.

    A linear SVM is trained on the labelled rows, prepared by :func:`sslrank.core.columns.design_matrix`
    (numbers scaled to [0, 1], an indicator per category, missing values imputed). The weight of a feature is
    the sum of the squared weights of its columns over the SVMs of all pairs of classes.

    Parameters
    ----------
    C : float, default=0.1
        Regularisation parameter of the SVM; smaller is stronger.
    step : int or float, default=1
        Features removed at a time: a number, or a share in (0, 1] of the remaining ones (at least one).
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`. Nothing here is random, and there is one thread.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        D for the last remaining feature, 1 for the first removed one. Features removed together are ordered by their
        weights; of equal weights the later column ranks lower.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import SVMRFE
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> SVMRFE().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    labeled_only = True
    C: float = 0.1
    step: float = 1

    def check_params(self):
        check_number("C", self.C, above=True)

    def rank_coded(self, features, targets):
        labels = targets.values[:, 0].astype(np.intp)
        design = design_matrix(features, np.arange(len(labels)))
        left, importances = np.arange(features.shape[1]), np.zeros(features.shape[1])
        X, owner = design.values, design.owner
        alive, products = np.full(len(owner), True), None
        while left.size:
            n_columns = alive.sum()
            # Columns of removed features are dropped in batches, because copying the others takes time.
            if n_columns <= max(0.75 * len(owner), len(labels)) and not alive.all():
                X, owner = X[:, alive], owner[alive]
                alive = np.full(len(owner), True)
            if n_columns <= len(labels):
                products = None
            elif products is None:
                products = X @ X.T
            with config_context(assume_finite=True, skip_parameter_validation=True):
                weights = squared_weights(X, labels, self.C, products)
            weights = np.bincount(owner, weights, minlength=features.shape[1])[left]
            count = resolve_size("step", self.step, left.size, rounding=int)
            dropped = np.lexsort((-left, weights))[:count]
            importances[left[dropped]] = features.shape[1] - left.size + 1 + np.arange(len(dropped))
            gone = np.isin(owner, left[dropped])
            alive &= ~gone
            if products is not None:
                products = products - X[:, gone] @ X[:, gone].T
            left = np.delete(left, dropped)
        return importances


def squared_weights(X, labels, C, products=None):
    """Compute the squared weights of a linear SVM, summed over the SVMs of all pairs of classes.

    Parameters
    ----------
    X : ndarray of shape (n, p)
    labels : ndarray of shape (n,), int
    C : float
    products : ndarray of shape (n, n), optional
        Inner products of the rows, which save time if p is much larger than n; default ``X @ X.T``.

    Returns
    -------
    ndarray of shape (p,)
        Zeros if there is only one class.

    Examples
    --------
    >>> import numpy as np
    >>> squared_weights(np.array([[0.0, 1.0], [2.0, 1.0]]), np.array([0, 1]), C=1.0)
    array([1., 0.])
    """
    if (labels == labels[0]).all():
        return np.zeros(X.shape[1])
    if products is None:
        machine = SVC(kernel="linear", C=C).fit(X, labels)
    else:
        machine = SVC(kernel="precomputed", C=C).fit(products, labels)
    edges = np.concatenate([[0], np.cumsum(machine.n_support_)])
    total = np.zeros(X.shape[1])
    for i in range(len(edges) - 1):
        for j in range(i + 1, len(edges) - 1):
            first, second = slice(edges[i], edges[i + 1]), slice(edges[j], edges[j + 1])
            coefficients = np.zeros(len(X))
            coefficients[machine.support_[first]] = machine.dual_coef_[j - 1, first]
            coefficients[machine.support_[second]] = machine.dual_coef_[i, second]
            total += (coefficients @ X) ** 2
    return total
