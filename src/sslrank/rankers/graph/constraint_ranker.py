"""Base class of rankers that take pairs of rows instead of labels."""

import numpy as np
from sklearn.utils.validation import _num_samples

from sslrank.core.base import BaseRanker
from sslrank.rankers.graph.class_constraints import ClassConstraints, class_codes
from sslrank.rankers.graph.pair_constraints import check_pairs


class ConstraintRanker(BaseRanker):
    """Base class of rankers that take pairwise constraints instead of labels.

    ``fit(X, y)`` derives the constraints from the classes: a must-link for two rows of the same class, a cannot-link
    for two rows of different classes. ``fit(X, must_link=..., cannot_link=...)`` uses the given constraints and ignores
    y.

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank import ConstraintScore
    >>> X = np.array([[0.0, 5.0], [0.1, 1.0], [9.0, 4.0], [9.1, 2.0]])
    >>> ConstraintScore().fit(X, must_link=[[0, 1], [2, 3]], cannot_link=[[0, 2]]).ranking_
    array([1, 2])
    """

    def fit(self, X, y=None, must_link=None, cannot_link=None, **fit_params):
        """Rank the features.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            NaN is a missing value.
        y : array-like of shape (n_samples,), optional
            Classes; NaN (or -1 among integers) is a missing label.
        must_link, cannot_link : array-like of int, shape (n_pairs, 2), optional
            Pairs of row numbers.
        **fit_params
            No further parameters are accepted.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X, y or the pairs are malformed, or there are neither labels nor constraints.
        """
        given = must_link is not None or cannot_link is not None
        if not given:
            return super().fit(X, y, **fit_params)
        if getattr(self, "supervised", False):
            raise ValueError("supervised=True removes rows, so it does not go with given pairs of rows")
        n_rows = _num_samples(X)
        constraints = check_pairs(must_link, cannot_link, n_rows)
        return super().fit(X, np.full(n_rows, -1), constraints=constraints, **fit_params)

    @staticmethod
    def _constraints(targets, n_rows, constraints):
        return ClassConstraints(class_codes(targets, n_rows)) if constraints is None else constraints
