"""A ranker that wraps :func:`sslrank.rank`, so that studies evaluate it as users call it."""

import numpy as np
import pandas as pd

from sslrank.core.base import BaseRanker, rank_features
from sslrank.core.tasks import TASKS
from sslrank.tabular.ranking import rank


class PublicRanking(BaseRanker):
    """Rank by :func:`sslrank.rank` with its defaults, except the effort, which does not change the order.

    The order is :attr:`sslrank.tabular.result.Ranking.order`: features that a test shows first, by the harmonic mean of
    the ranks by methods and p-value, then the others likewise. Columns that :func:`sslrank.rank` leaves out, such as
    constants, come last.

    Parameters
    ----------
    hierarchy : list of list of int, optional
        Parents of each label, for hierarchical multi-label classification.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; the columns of X alone decide which features are nominal.

    Attributes
    ----------
    importances_ : dict of str to ndarray of shape (n_features,)
        "sslrank": decreasing from 1 in that order. "sslrank_without_tests": by mean rank alone.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> y[::2] = -1  # unlabelled
    >>> PublicRanking(random_state=0).fit(X, y).ranking_
    array([4, 3, 1, 2])
    """

    tasks = frozenset(TASKS)
    hierarchy: list | None = None

    def fit(self, X, y):
        """Rank the features of a table, without encoding it first.

        Parameters
        ----------
        X : DataFrame, or array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Times and events with the task "survival".

        Returns
        -------
        self
        """
        X = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X).add_prefix("x")
        options = {"hierarchy": self.hierarchy, "n_jobs": self.n_jobs}
        if self.task == "survival":
            y, options["event"] = np.asarray(y, dtype=np.float64).T
        elif self.task != "auto":
            options["task"] = self.task
        ranking = rank(X, y, effort="order", random_state=self.resolve_seed(), **options)
        names = list(map(str, X.columns))
        self.n_features_in_ = len(names)
        self.importances_ = {}
        positions = [names.index(str(name)) for name in ranking.table.X.columns]
        for name, ranks in (("sslrank", ranking.rank_of), ("sslrank_without_tests", ranking.mean_rank)):
            self.importances_[name] = np.zeros(len(names))
            self.importances_[name][positions] = (len(names) + 1 - ranks) / len(names)
        self.feature_importances_ = self.importances_["sslrank"]
        self.ranking_ = rank_features(self.feature_importances_)
        return self

    def rank_coded(self, features, targets):
        """Raise an error: this ranker needs the table itself."""
        raise TypeError("PublicRanking needs the table itself: call fit(X, y)")
