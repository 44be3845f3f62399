"""Base class of multi-label classifiers: checks, base learners, labels from probabilities."""

from abc import ABCMeta, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted, validate_data


class MultilabelClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Base class: ``fit(X, Y)`` with Y 0/1 of shape (n, C), ``predict_proba`` and ``predict`` of that shape.

    A subclass implements `_fit` and `_probabilities`, both on checked float64 arrays.

    Examples
    --------
    >>> import numpy as np
    >>> class Prior(MultilabelClassifier):
    ...     def _fit(self, X, Y):
    ...         self.shares_ = Y.mean(axis=0)
    ...     def _probabilities(self, X):
    ...         return np.tile(self.shares_, (len(X), 1))
    >>> Prior().fit([[0.0], [1.0], [2.0]], [[1, 0], [1, 1], [0, 0]]).predict([[5.0]])
    array([[1, 0]])
    """

    def fit(self, X, Y):
        """Fit the classifier.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers without missing values.
        Y : array-like of shape (n_samples, n_labels), 0 or 1

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the shapes do not match or Y is not 0/1.
        """
        X, Y = validate_data(self, X, Y, multi_output=True, dtype=np.float64, order="C")
        Y = np.asarray(Y, dtype=np.float64)
        if Y.ndim == 1:
            Y = Y[:, None]
        if not np.isin(Y, (0.0, 1.0)).all():
            raise ValueError("Unknown label type: Y must be 0 or 1 of shape (n_samples, n_labels)")
        self.n_labels_ = Y.shape[1]
        self.classes_ = [np.array([0, 1])] * self.n_labels_
        self._fit(X, Y)
        return self

    def predict_proba(self, X):
        """Estimate the probability, or share of votes, of every label.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
        """
        return self._probabilities(self._check(X))

    def predict(self, X):
        """Predict the labels with a probability above 0.5.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_labels), 0 or 1
        """
        return (self.predict_proba(X) > 0.5).astype(np.int64)

    def score(self, X, Y):
        """Compute the share of rows with all labels correct.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        Y : array-like of shape (n_samples, n_labels), 0 or 1

        Returns
        -------
        float
        """
        return float((self.predict(X) == np.asarray(Y).reshape(-1, self.n_labels_)).all(axis=1).mean())

    def _check(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=np.float64, order="C")

    @abstractmethod
    def _fit(self, X, Y):
        """Fit to checked arrays."""

    @abstractmethod
    def _probabilities(self, X):
        """Predict probabilities for checked rows."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags


def fit_base(estimator, X, y, seed):
    """Fit a clone of the base learner.

    Parameters
    ----------
    estimator : classifier or None
        None is a decision tree with at least two rows per leaf, like J48.
    X : ndarray of shape (n, n_features)
    y : ndarray of shape (n,)
    seed : int
        Seed of learners with a `random_state`.

    Returns
    -------
    classifier

    Examples
    --------
    >>> fit_base(None, [[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1], seed=0).predict([[4.5]])
    array([1])
    """
    learner = DecisionTreeClassifier(min_samples_leaf=2) if estimator is None else clone(estimator)
    if "random_state" in learner.get_params():
        learner.set_params(random_state=seed)
    return learner.fit(X, y)


def positive_probability(learner, X):
    """Estimate the probability of class 1 by a fitted binary learner, which may have seen a single class.

    Parameters
    ----------
    learner : classifier
    X : ndarray of shape (n, n_features)

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> learner = fit_base(None, [[0.0], [1.0], [4.0], [5.0]], [0, 0, 0, 0], seed=0)
    >>> positive_probability(learner, [[4.5]])
    array([0.])
    """
    if not hasattr(learner, "predict_proba"):
        return np.asarray(learner.predict(X), dtype=np.float64)
    column = np.flatnonzero(learner.classes_ == 1)
    return learner.predict_proba(X)[:, column[0]] if len(column) else np.zeros(len(X))
