"""Controls: rankings that use no target, which show how much of a study's scores is due to the rankings."""

import numpy as np

from sslrank.core.base import BaseRanker
from sslrank.core.columns import expand
from sslrank.core.tasks import EVERY_TASK
from sslrank.core.validation import check_choice


class EqualWeights(BaseRanker):
    """No ranking: every feature has the importance 1.

    The score of these importances is that of the evaluator with equally weighted features. If two rankings are
    evaluated in different ways, such as SSL and SL rankings in paper ssl-ranking, this control shows how much of their
    difference is due to the evaluation.

    Parameters
    ----------
    supervised : bool, default=False
        Remove the unlabelled rows, which changes only the evaluation.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random.

    Examples
    --------
    >>> EqualWeights().fit([[0.0, 5.0], [1.0, 1.0]], [0, 1]).feature_importances_
    array([1., 1.])
    """

    tasks = EVERY_TASK
    supervised: bool = False

    def rank_coded(self, features, targets):
        return np.ones(features.shape[1])


class RandomRanking(BaseRanker):
    """Rank features at random: importances 1/D, 2/D, ..., 1 in a random permutation.

    The baseline that any ranking has to beat, and the zero of the scale on which scores of different datasets are
    compared. The error curves of paper eca compare with many random rankings.

    Parameters
    ----------
    supervised : bool, default=False
        Remove the unlabelled rows; the order is the same.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Examples
    --------
    >>> RandomRanking(random_state=0).fit([[0.0, 5.0, 1.0], [1.0, 1.0, 2.0]], [0, 1]).ranking_
    array([1, 3, 2])
    """

    tasks = EVERY_TASK
    supervised: bool = False

    def rank_coded(self, features, targets):
        n_features = features.shape[1]
        order = np.random.default_rng(self.resolve_seed()).permutation(n_features)
        return (1.0 + order) / n_features


class TrivialRanking(BaseRanker):
    """Rank features without the target: by their position in the table, or the least variance first.

    A selector that is not better than these on a dataset shows nothing there.

    Parameters
    ----------
    order : {"first columns", "last columns", "least variance"}, default="first columns"
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random.

    Examples
    --------
    >>> TrivialRanking(order="last columns").fit([[0.0, 5.0, 1.0], [1.0, 1.0, 1.0]], [0, 1]).ranking_
    array([3, 2, 1])
    """

    tasks = EVERY_TASK
    order: str = "first columns"

    def check_params(self):
        check_choice("order", self.order, ("first columns", "last columns", "least variance"))

    def rank_coded(self, features, targets):
        if self.order == "least variance":
            columns = expand(features)
            return -columns.sum_by_feature(np.nan_to_num(np.nanvar(columns.values, axis=0)))
        positions = np.arange(features.shape[1]) + 1.0
        return positions if self.order == "last columns" else -positions
