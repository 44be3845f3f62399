"""The public function as a ranker, so that studies judge what ``rank(X, y)`` gives to a user."""

import numpy as np
import pandas as pd

from sslrank.core.base import BaseRanker, rank_features
from sslrank.core.tasks import TASKS
from sslrank.tabular.ranking import rank


class PublicRanking(BaseRanker):
    """Rank by :func:`sslrank.rank`, called with its defaults but for the effort, which does not change the order.

    The order is that of :attr:`sslrank.tabular.result.Ranking.order`: related features first, by the mean of the
    methods' ranks, then the others by their p-value. Columns that :func:`sslrank.rank` leaves out, such as copies and
    constants, are last.

    Parameters
    ----------
    curve : bool, default=False
        Judge how many features are enough; it changes no order.
    hierarchy : list of list of int, optional
        Parents of each label, for hierarchical multi-label classification.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; categories are told by the columns of X alone.

    Attributes
    ----------
    importances_ : dict of str to ndarray of shape (n_features,)
        "sslrank", that order, from 1 for the first down; and "sslrank_without_tests", by the mean of the methods' ranks
        alone.
    n_related_ : int
        How many features are related to the target, which are the first ones.
    n_enough_ : int or None
        How many features are enough to predict it, by the curve; None without one.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> y[::2] = -1  # unlabelled
    >>> PublicRanking(random_state=0).fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset(TASKS)
    curve: bool = False
    hierarchy: list | None = None

    def fit(self, X, y):
        """Rank the features of a table as it is, which is not coded before.

        Parameters
        ----------
        X : DataFrame, or array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)

        Returns
        -------
        self
        """
        X = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X).add_prefix("x")
        task = None if self.task == "auto" else self.task
        options = {"task": task, "hierarchy": self.hierarchy, "n_jobs": self.n_jobs}
        found = rank(X, y, effort="order", curve=self.curve, random_state=self.resolve_seed(), **options)
        names = list(map(str, X.columns))
        self.n_features_in_ = len(names)
        self.n_related_ = len(found.tests.related)
        self.n_enough_ = None if found.curve is None else found.curve.enough
        self.importances_ = {}
        kept = [names.index(str(name)) for name in found.table.X.columns]
        for name, ranks in (("sslrank", found.place), ("sslrank_without_tests", found.mean_rank)):
            self.importances_[name] = np.zeros(len(names))
            self.importances_[name][kept] = (len(names) + 1 - ranks) / len(names)
        self.feature_importances_ = self.importances_["sslrank"]
        self.ranking_ = rank_features(self.feature_importances_)
        return self

    def rank_coded(self, features, targets):
        """Refuse coded features, which are no table."""
        raise TypeError("PublicRanking ranks tables as a user has them: call fit(X, y)")
