"""Rank features by Cox's score test of each alone, the usual filter for a time until an event."""

import numpy as np
from scipy.stats import chi2

from sslrank.core.base import BaseRanker
from sslrank.core.columns import design_matrix
from sslrank.core.null_model import log_rank_scores


class CoxScore(BaseRanker):
    """Score test of Cox's model with one feature, over the rows with a time and an event.

    For a feature of two values it is the log-rank test, with Breslow's treatment of ties. A nominal feature has an
    indicator of each category; missing numbers take the mean of the others, missing categories the most frequent one.

    Parameters
    ----------
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`. Nothing here is random, and there is one thread.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        Minus the logarithm of the p-value.
    statistics_ : ndarray of shape (n_features,)
        Chi-squared, with as many degrees of freedom as the feature has independent columns.

    References
    ----------
    D. R. Cox: Regression models and life-tables. Journal of the Royal Statistical Society B 34, 1972, section 5.

    Examples
    --------
    >>> X = [[1.0, 5], [2, 1], [3, 4], [4, 2], [5, 3]]
    >>> y = np.array([(1, 1.0), (1, 2), (0, 3), (1, 4), (1, 5)], dtype=[("died", bool), ("years", float)])
    >>> CoxScore().fit(X, y).statistics_.round(2)
    array([4.57, 0.  ])
    """

    tasks = frozenset({"regression"})
    labeled_only = True

    def rank_coded(self, features, targets):
        if targets.kind != "survival":
            raise ValueError("CoxScore needs a time and an event of each row, as a structured array of both")
        time, event = targets.null.time, targets.null.event
        scores = log_rank_scores(time, event)
        at = np.unique(time, return_inverse=True)[1]
        hazard, events = event - scores, np.bincount(at, event)
        at_risk = np.cumsum(np.bincount(at)[::-1])[::-1]
        design = design_matrix(features, slice(None))
        self.statistics_, degrees = np.zeros(features.shape[1]), np.ones(features.shape[1])
        for j in range(features.shape[1]):
            Z = design.values[:, design.starts[j] : design.starts[j + 1]]
            Z = Z - Z.mean(axis=0)
            sums = [np.cumsum(np.bincount(at, column)[::-1])[::-1] for column in Z.T]
            means = np.array(sums) / at_risk
            information = Z.T @ (hazard[:, None] * Z) - events * means @ means.T
            inverse = np.linalg.pinv(information, rcond=1e-10, hermitian=True)
            degrees[j] = max(np.linalg.matrix_rank(inverse, hermitian=True), 1)
            self.statistics_[j] = scores @ Z @ inverse @ (scores @ Z)
        return -chi2.logsf(self.statistics_, degrees)
