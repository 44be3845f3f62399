"""Intervals of ranks of any ranker or model, from complementary half-samples.

References
----------
R. D. Shah, R. J. Samworth: Variable selection with error control: another look at stability selection. JRSS B 75(1),
2013.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.special import stdtrit
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import validate_data

from sslrank.core.base import BaseRanker
from sslrank.core.coded_table import CodedTable
from sslrank.core.features import encode_features
from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.targets import encode_targets
from sslrank.hypothesis_tests.design import Design, check_rows, design_of, given_codes, labeled_rows
from sslrank.hypothesis_tests.related import find_related

#: Nominal coverage of the intervals of ranks.
RANK_COVERAGE = 0.8
#: Fewer pairs of half-samples give no interval: the standard deviation of four is uncertain by a third.
MIN_PAIRS = 5


@dataclass(frozen=True)
class HalfSampleRanks:
    """Rankings of complementary pairs of half-samples, which share no row.

    Attributes
    ----------
    ranks : ndarray of shape (B, 2, D)
        Ranks of the features in both halves of each pair; 1 is the best.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = rank(X, y, methods="f_score", repeats=5, effort="order").samples
    >>> found.n_pairs, found.ranks.shape
    (5, (5, 2, 4))
    """

    ranks: np.ndarray

    @property
    def n_pairs(self):
        """Number of pairs."""
        return len(self.ranks)

    @property
    def spread(self):
        """Standard deviation of each feature's rank from table to table, shape (D,).

        Two disjoint halves are independent tables of half the size, so half of the mean squared difference of their
        ranks is an unbiased estimate of the variance. Tied features share their mean rank; the order of m tied features
        adds a variance of (m² - 1) / 12. The estimate is averaged with those of features of similar rank, because it is
        uncertain with few pairs.
        """
        variances = np.mean((self.ranks[:, 0] - self.ranks[:, 1]) ** 2, axis=0) / 2
        variances += np.mean([(_n_equal(ranks) ** 2 - 1) / 12 for pair in self.ranks for ranks in pair], axis=0)
        order = np.argsort(self.ranks.mean(axis=(0, 1)), kind="stable")
        near, window = np.empty_like(variances), 2
        for position, feature in enumerate(order):
            near[feature] = variances[order[max(0, position - window) : position + window + 1]].mean()
        return np.sqrt((variances + near) / 2)

    def intervals(self, ranks, q_values):
        """Ends of the 80 % confidence interval of the expected rank in tables of the same size from the same source.

        The variance of a related feature's rank is half of that in half-samples, because the table has twice the rows.
        For noise, whose order is arbitrary in both, it is the same; for q from 0 to 1/2 it is interpolated.

        Parameters
        ----------
        ranks : ndarray of shape (D,)
            Ranks from all rows, the middle of the intervals, which are cut to [1, D].
        q_values : ndarray of shape (D,)
            q-values of the relation to the target.

        Returns
        -------
        low, high : ndarray of shape (D,)
        """
        share = (1 + np.minimum(2 * q_values, 1.0)) / 2
        half_width = stdtrit(self.n_pairs, (1 + RANK_COVERAGE) / 2) * self.spread * np.sqrt(share)
        return np.maximum(ranks - half_width, 1.0), np.minimum(ranks + half_width, float(len(ranks)))

    def selected(self, top, seed=0):
        """Select the `top` best features of each half-sample, shape (2 B, D), 0 or 1; ties are broken at random."""
        ranks = self.ranks.reshape(-1, self.ranks.shape[2])
        order = np.lexsort((np.random.default_rng(derive_seed(seed, "ties")).random(ranks.shape), ranks))[:, :top]
        is_selected = np.zeros(ranks.shape)
        np.put_along_axis(is_selected, order, 1.0, axis=1)
        return is_selected


def _n_equal(ranks):
    _, of_value, counts = np.unique(ranks, return_inverse=True, return_counts=True)
    return counts[of_value]


def halves(coded, design, seed):
    """Split labelled and unlabelled rows into two halves (labeled, unlabeled) with equal shares of each class.

    Groups of `design` stay whole; in the order of time, stretches of it.
    """
    rng = np.random.default_rng(seed)
    labeled, unlabeled = coded.labeled, rng.permutation(coded.unlabeled)
    order = rng.permutation(labeled)
    strata, groups = coded.strata, design.splits
    if groups is not None:
        names, first = np.unique(groups[order], return_index=True)
        names = names[np.argsort(first)]
        mean = {name: strata[labeled[groups[labeled] == name]].mean() for name in names}
        names = np.array(sorted(names, key=mean.get))  # in order of their target, at random among equal ones
        side = _draw_halves(len(names), rng)
        sides = [labeled[np.isin(groups[labeled], names[side == k])] for k in (0, 1)]
    else:
        order = order[np.argsort(strata[order], kind="stable")]
        side = _draw_halves(len(order), rng)
        sides = [np.sort(order[side == k]) for k in (0, 1)]
    middle = len(unlabeled) // 2
    return [(sides[0], np.sort(unlabeled[:middle])), (sides[1], np.sort(unlabeled[middle:]))]


def _draw_halves(n, rng):
    """Draw the half of each of n rows, one row of each successive pair for either half."""
    side = np.tile([0, 1], (n + 1) // 2).reshape(-1, 2)
    swap = rng.random(len(side)) < 0.5
    side[swap] = side[swap, ::-1]
    return side.ravel()[:n]


class HalfSamples(BaseEstimator):
    """Rank features by a model, with intervals of the ranks.

    Parameters
    ----------
    estimator : estimator
        With `feature_importances_`, or `coef_`, whose mean magnitude counts.
    n_pairs : int, default=10
        Number of complementary pairs of half-samples.
    importance_getter : callable, optional
        Function of the fitted estimator, the rows of X and those of y, that returns one importance per feature, such
        as the mean magnitude of SHAP values.
    task : str, default="auto"
        Kind of target, see :func:`sslrank.core.targets.encode_targets`.
    random_state : int, default=0

    Attributes
    ----------
    ranks_, low_, high_ : ndarray of shape (D,)
        Rank of each feature from all rows, 1 is the best, and the ends of its 80 % interval.
    half_ranks_ : ndarray of shape (n_pairs, 2, D)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (D,)
        Only when X has string column names.

    Notes
    -----
    Halves of a pair share no row, group or stretch of time, so that they are independent tables of half the size. The
    interval is that of the expected rank in tables of the same size; features shown in few of such tables are covered
    less often than 80 % (``tests/measurements/README.md``).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> found = HalfSamples(RandomForestClassifier(20, random_state=0), n_pairs=5).fit(X, y)
    >>> found.ranks_[:2].min() > 2, (found.low_ <= found.ranks_).all()
    (np.True_, np.True_)
    """

    def __init__(self, estimator, n_pairs=10, *, importance_getter=None, task="auto", random_state=0):
        self.estimator = estimator
        self.n_pairs = n_pairs
        self.importance_getter = importance_getter
        self.task = task
        self.random_state = random_state

    def fit(self, X, y, *, groups=None, time=None, strata=None) -> Self:
        """Fit the model on all rows and on pairs of halves.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, D)
        y : array-like of shape (n,) or (n, T)
            NaN, None, and -1 among integer classes, mean unlabelled: only rankers of this library get these rows.
        groups, time, strata : array-like of shape (n,), optional
            See :class:`MarginalTest`.

        Returns
        -------
        self
        """
        validate_data(self, X, skip_check_array=True)
        seed = resolve_seed(self.random_state)
        features = encode_features(X)
        table = CodedTable(features, encode_targets(y, features.shape[0], task=self.task))
        labeled, every = labeled_rows(table.targets), np.arange(features.shape[0])
        declared = {"groups": groups, "time": time, "strata": strata}
        check_rows(X, y, **declared)
        design = design_of(table.target_values[labeled], **given_codes(labeled, **declared))
        of_all = Design(**given_codes(every, **declared), unit=design.unit)
        pairs = [halves(table, of_all, derive_seed(seed, "halves", i)) for i in range(self.n_pairs)]
        ranks = [[self._ranks(X, y, *half) for half in pair] for pair in pairs]
        self.half_ranks_ = np.array(ranks)
        self.ranks_ = self._ranks(X, y, labeled, table.unlabeled)
        tested = table.rows(labeled)
        data = tested.features.without_unused_categories(), tested.targets.without_unused_categories()
        tests = find_related(*data, design=design, seed=seed)
        self.low_, self.high_ = HalfSampleRanks(self.half_ranks_).intervals(self.ranks_, tests.q_values)
        return self

    def _ranks(self, X, y, labeled, unlabeled):
        """Fit the model on some rows, and rank the features by its importances."""
        is_ranker = isinstance(self.estimator, BaseRanker)
        rows = np.sort(np.concatenate([labeled, unlabeled])) if is_ranker else labeled
        X, y = _safe_indexing(X, rows), _safe_indexing(y, rows)
        model = clone(self.estimator).fit(X, y)
        if self.importance_getter is not None:
            importances = self.importance_getter(model, X, y)
        elif hasattr(model, "feature_importances_"):
            importances = model.feature_importances_
        else:
            importances = np.abs(np.atleast_2d(model.coef_)).mean(axis=0)
        return rankdata(-np.asarray(importances, dtype=np.float64))
