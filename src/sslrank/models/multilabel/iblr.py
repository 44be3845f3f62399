"""IBLR-ML: logistic regression on the labels of the neighbours."""

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from sslrank.core.validation import check_count
from sslrank.models.multilabel.base import MultilabelClassifier, positive_probability
from sslrank.models.votes import nearest_votes


@dataclass(eq=False, repr=False)
class IBLR(MultilabelClassifier):
    """Instance-based learning by logistic regression (Cheng and Huellermeier 2009; thesis, section 4.4.2.1).

    Each label has a logistic regression on the shares of the k nearest neighbours with each label; a training row is
    not its own neighbour. Rows as far as the k-th neighbour share the vote.

    Parameters
    ----------
    n_neighbors : int, default=10
    C : float, default=100.0
        Inverse strength of the ridge penalty, which keeps coefficients of separable labels finite.

    Attributes
    ----------
    n_neighbors_ : int
    models_ : list of LogisticRegression or None
        None for a label that is constant in the training rows; this value is predicted.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(100, n_features=8, n_classes=3, random_state=0)
    >>> IBLR(n_neighbors=5).fit(X[:80], Y[:80]).predict(X[80:83])
    array([[1, 1, 1],
           [0, 0, 0],
           [0, 1, 1]])
    """

    n_neighbors: int = 10
    C: float = 100.0

    def _fit(self, X, Y):
        if len(X) < 2:
            raise ValueError(f"IBLR needs at least 2 rows, got n_samples = {len(X)}")
        check_count("n_neighbors", self.n_neighbors)
        self.n_neighbors_ = min(self.n_neighbors, len(X) - 1)
        self._rows, self._labels = X, Y
        inputs = self._shares()
        self.models_ = [self._fit_label(inputs, y) for y in Y.T]

    def _fit_label(self, inputs, y):
        if (y == y[0]).all():
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # nearly optimal if it does not converge
            return LogisticRegression(C=self.C, max_iter=1000).fit(inputs, y)

    def _probabilities(self, X):
        inputs = self._shares(X)
        columns = [
            np.full(len(X), self._labels[0, label]) if model is None else positive_probability(model, inputs)
            for label, model in enumerate(self.models_)
        ]
        return np.column_stack(columns)

    def _shares(self, queries=None):
        """Compute the share of the neighbours with each label."""
        k = self.n_neighbors_
        return nearest_votes(self._rows, self._labels, [k], queries)[k] / k
