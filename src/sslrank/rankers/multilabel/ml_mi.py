"""ML-MI: greedy selection by mutual information of features with labels and pairs of labels."""

from itertools import combinations

import numpy as np

from sslrank.core.base import BaseRanker
from sslrank.core.validation import check_count
from sslrank.rankers.multilabel.discrete import Indicators, label_information
from sslrank.rankers.multilabel.ppt_mi import order_importances
from sslrank.rankers.multilabel.s_cls import relevant_labels


class MLMI(BaseRanker):
    r"""Rank features by multivariate mutual information with labels (ML-MI, Lee and Kim 2013; thesis, section 3.3.2).

    Features are added one at a time, each time the one with the highest

    .. math:: J(f) = \sum_l I(f; l) - \sum_{f' \in S} \sum_l I(f; f'; l) - \sum_{l < l'} I(f; l; l')

    for the set S selected so far. This is the information between the enlarged set and the labels, decomposed into
    interactions of at most three variables, I(x; y; z) = I(x; y) - I(x; y | z).

    The thesis leaves these choices open: numeric features are cut into `n_bins` intervals of equal width; a pair of
    labels counts once; the selection stops after `n_greedy` features, which rank in the order of selection, and the
    others follow by their last J.

    Unlabelled rows are not used; a missing label of a labelled row counts as 0. Counts are products of indicator
    matrices, so a round needs one product for all features and labels.

    Parameters
    ----------
    n_bins : int, default=3
    n_greedy : int, default=100
        Number of features to select one at a time.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random; matrix products use the threads of BLAS.

    Attributes
    ----------
    selected_ : ndarray
        Selected features, in the order of selection.
    utilities_ : ndarray
        J of each feature when it was selected, in nats.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from sslrank import MLMI
    >>> X, Y = make_multilabel_classification(80, 5, n_classes=3, random_state=0)
    >>> Y = np.where(np.arange(80)[:, None] % 2, Y, np.nan)  # every other row is unlabelled
    >>> MLMI().fit(X, Y).ranking_
    array([5, 4, 3, 2, 1])
    """

    tasks = frozenset({"multilabel"})
    labeled_only = True
    n_bins: int = 3
    n_greedy: int = 100

    def check_params(self):
        check_count("n_greedy", self.n_greedy)

    def rank_coded(self, features, targets):
        labels, _ = relevant_labels(targets)
        indicators = Indicators(features, self.n_bins)
        relevance = label_information(indicators, labels)
        total = relevance.sum(axis=1)
        utility = total - label_pair_interaction(indicators, labels, relevance)
        n_features = len(total)
        left = np.ones(n_features, dtype=bool)
        selected, reached = [], []
        for _ in range(min(self.n_greedy, n_features)):
            best = int(np.argmax(np.where(left, utility, -np.inf)))
            left[best] = False
            selected.append(best)
            reached.append(utility[best])
            if left.any():
                utility = utility - feature_interaction(indicators, labels, total, best)
        self.selected_, self.utilities_ = np.array(selected), np.array(reached)
        return order_importances(selected, utility)


def label_pair_interaction(indicators, labels, relevance, step=256):
    """Compute ``sum_{l < l'} I(f; l; l')`` of every feature, I(f; l; l') = I(f; l) + I(f; l') - I(f; (l, l')).

    Parameters
    ----------
    indicators : sslrank.rankers.multilabel.discrete.Indicators
    labels : ndarray of shape (n, C), 0 or 1
    relevance : ndarray of shape (D, C)
        I(f; l).
    step : int, default=256
        Number of pairs of labels at a time.

    Returns
    -------
    ndarray of shape (D,)
    """
    n_labels = labels.shape[1]
    pairs = np.array(list(combinations(range(n_labels), 2)), dtype=np.intp).reshape(-1, 2)
    total = (n_labels - 1) * relevance.sum(axis=1)
    all_rows = indicators.columns.sum(axis=0, dtype=np.float64)[:, None]
    ones = indicators.counts(labels)
    for start in range(0, len(pairs), step):
        a, b = pairs[start : start + step].T
        both = indicators.counts(labels[:, a] * labels[:, b])
        cells = [both, ones[:, a] - both, ones[:, b] - both, all_rows - ones[:, a] - ones[:, b] + both]
        total -= indicators.information(cells).sum(axis=1)
    return total


def feature_interaction(indicators, labels, total, other):
    """Compute ``sum_l I(f; f'; l)`` of every feature f with another one.

    I(f; f'; l) = I(f; l) + I(f; f') - I(f; (f', l)).

    Parameters
    ----------
    indicators : sslrank.rankers.multilabel.discrete.Indicators
    labels : ndarray of shape (n, C), 0 or 1
    total : ndarray of shape (D,)
        Sum of I(f; l) over the labels.
    other : int
        Index of f'.

    Returns
    -------
    ndarray of shape (D,)
    """
    values = indicators.of(other)
    alone = [indicators.counts(values[:, [v]]) for v in range(values.shape[1])]
    cells = []
    for v, single in enumerate(alone):
        ones = indicators.counts(labels * values[:, [v]])
        cells += [ones, single - ones]
    joint = indicators.information(cells).sum(axis=1)
    return total + labels.shape[1] * indicators.information(alone)[:, 0] - joint
