"""Intervals of ranks, from complementary half-samples.

References
----------
R. D. Shah, R. J. Samworth: Variable selection with error control: another look at stability selection. JRSS B 75(1),
2013.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit
from scipy.stats import rankdata

from sslrank.core.random_state import derive_seed
from sslrank.tabular.fits.folds import halves

#: Nominal coverage of the intervals of ranks.
RANK_COVERAGE = 0.8
#: Fewer pairs of half-samples give no interval: the standard deviation of four is uncertain by a third.
MIN_PAIRS = 5


@dataclass(frozen=True)
class HalfSamples:
    """Rankings of complementary pairs of half-samples, which share no row.

    Attributes
    ----------
    ranks : ndarray of shape (B, 2, D)
        Ranks of the mean rank over the methods in both halves of each pair; 1 is the best.

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
        for place, feature in enumerate(order):
            near[feature] = variances[order[max(0, place - window) : place + window + 1]].mean()
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
        chosen = np.zeros(ranks.shape)
        np.put_along_axis(chosen, order, 1.0, axis=1)
        return chosen


def _n_equal(ranks):
    _, of_value, counts = np.unique(ranks, return_inverse=True, return_counts=True)
    return counts[of_value]


def half_samples(procedure, work, n_pairs=10):
    """Rank complementary pairs of half-samples; None if no method can rank all of them.

    `procedure` is a :class:`sslrank.tabular.trust.procedure.Procedure`, whose methods choose their settings inside each
    half; `work` a :class:`sslrank.tabular.fits.work.ParallelFits`.
    """
    seed, parts = procedure.seed, []
    for i in range(n_pairs):
        sides = halves(procedure.coded, procedure.rows.design, derive_seed(seed, "halves", i))
        parts += [(*side, derive_seed(seed, "half", i, k)) for k, side in enumerate(sides)]
    importances = procedure.importances(parts, work)
    is_ranked = ~np.isnan(importances).any(axis=(0, 2))
    if not is_ranked.any():
        return None
    ranks = rankdata(rankdata(-importances[:, is_ranked], axis=2).mean(axis=1), axis=1)
    return HalfSamples(ranks.reshape(n_pairs, 2, -1))
