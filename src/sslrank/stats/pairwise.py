"""Pairwise comparisons of methods over datasets, and intervals of average ranks.

A table of scores has one row per dataset and one column per method, as in :mod:`sslrank.stats.rank_tests`; here cells
may be missing (NaN).

References
----------
A. Ismail-Fawaz et al.: An approach to multiple comparison benchmark evaluations that is stable under manipulation of
the comparate set. arXiv:2305.11921, 2023.
S. Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6:65-70, 1979.
J. L. Hodges, E. L. Lehmann: Estimates of location based on rank tests. Annals of Mathematical Statistics 34(2), 1963.
A. Benavoli, G. Corani, F. Mangili: Should we really use post-hoc tests based on mean-ranks? JMLR 17(5), 2016.
B. Efron, R. Tibshirani: An Introduction to the Bootstrap, section 13.3. Chapman and Hall, 1993.
"""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy import special

from sslrank.stats.rank_tests import rank_table, wilcoxon_test

#: Columns of :func:`pairwise_tests`.
PAIR_COLUMNS = [
    *("first", "second", "n_datasets", "mean_difference", "low", "high", "wins", "ties", "losses", "p_value"),
    *("p_holm", "significant"),
]


def holm(p_values):
    """Adjust p-values for multiple testing (Holm 1979).

    The i-th smallest of m p-values is multiplied by m - i + 1; adjusted values are made monotone and at most 1.

    Parameters
    ----------
    p_values : array-like of shape (m,)
        NaN means no test; it stays NaN and does not count in m.

    Returns
    -------
    ndarray of shape (m,)

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3)
    array([0.03, 0.06, 0.06])
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p_values.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    return adjusted


def pairwise_tests(scores, *, higher_is_better=True):
    """Compare all pairs of methods: multiple comparison matrix, and Wilcoxon tests with Holm's correction.

    A pair is compared on the datasets that both methods have. Its difference, wins, ties, losses and p-value therefore
    do not depend on other methods (Ismail-Fawaz et al. 2023, section 4). Holm's p-value depends on all pairs of the
    table.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_methods)
        NaN if a method has no score.
    higher_is_better : bool, default=True

    Returns
    -------
    DataFrame
        One row per pair, in the order of the columns: first, second, n_datasets, mean_difference (of the scores,
        positive when the first is better) with the ends low and high of its interval (:func:`mean_interval`), wins,
        ties, losses (of the first, in datasets), p_value (two-sided, of
        :func:`sslrank.stats.rank_tests.wilcoxon_test`), p_holm, significant (p_holm < 0.05). A pair without a common
        dataset has NaN and is not significant.

    Raises
    ------
    ValueError
        If a method is duplicated.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"a": [0.8, 0.7, 0.9], "b": [0.6, 0.7, 0.8]}, index=["iris", "wine", "digits"])
    >>> pairwise_tests(scores)[["first", "second", "mean_difference", "wins", "ties", "p_holm"]].round(2)
      first second  mean_difference  wins  ties  p_holm
    0     a      b              0.1     2     1     0.5
    """
    scores = pd.DataFrame(scores)
    if not scores.columns.is_unique:
        twice = scores.columns[scores.columns.duplicated()][0]
        raise ValueError(f"the method {twice!r} is duplicated; rename or drop one of the two")
    values, names = scores.to_numpy(dtype=np.float64), [str(name) for name in scores.columns]
    rows = []
    for i, j in combinations(range(len(names)), 2):
        first, second = values[~np.isnan(values[:, [i, j]]).any(axis=1)][:, [i, j]].T
        if not len(first):
            rows.append((names[i], names[j], 0, np.nan, np.nan, np.nan, 0, 0, 0, np.nan))
            continue
        test = wilcoxon_test(first, second, higher_is_better=higher_is_better)
        ends = mean_interval((first - second) * (1 if higher_is_better else -1))
        rows.append((names[i], names[j], len(first), *ends, test.wins, test.ties, test.losses, test.p_value))
    pairs = pd.DataFrame(rows, columns=PAIR_COLUMNS[:-2])
    pairs["p_holm"] = holm(pairs["p_value"])
    pairs["significant"] = pairs["p_holm"] < 0.05
    return pairs


def mean_interval(values):
    """Compute the mean and its 95 % interval by Student's t.

    Parameters
    ----------
    values : ndarray of shape (n,)

    Returns
    -------
    tuple of float
        Mean, low and high; the ends are NaN for fewer than two values.

    Examples
    --------
    >>> mean, low, high = mean_interval(np.array([1.0, 2.0, 3.0]))
    >>> round(mean, 2), round(low, 2), round(high, 2)
    (2.0, -0.48, 4.48)
    """
    mean, n = float(np.mean(values)) + 0.0, len(values)
    half_width = special.stdtrit(n - 1, 0.975) * np.std(values, ddof=1) / np.sqrt(n) if n > 1 else np.nan
    return mean, float(mean - half_width), float(mean + half_width)


def hodges_lehmann(differences):
    """Estimate the centre of differences by the median of their pairwise means, with its 95 % interval.

    The estimate belongs to Wilcoxon's signed-rank test: the interval has the centres that the test does not reject at 5
    %, by the test's exact distribution without ties (Hodges and Lehmann 1963). One large difference moves neither much.

    Parameters
    ----------
    differences : array-like of shape (n,)

    Returns
    -------
    estimate, low, high : float
        NaN without differences; the interval is infinite for fewer than six.

    Examples
    --------
    >>> [float(value) for value in hodges_lehmann([1.0, 2.0, 3.0, 4.0, 5.0, 100.0])]
    [3.5, 1.0, 100.0]
    """
    differences = np.asarray(differences, dtype=np.float64)
    n = len(differences)
    if n == 0:
        return np.nan, np.nan, np.nan
    means = np.sort((differences[:, None] + differences)[np.triu_indices(n)] / 2)
    share = np.ones(1)  # of the sign patterns with each sum of ranks
    for rank in range(1, n + 1):
        share = (np.pad(share, (0, rank)) + np.pad(share, (rank, 0))) / 2
    outside = int(np.searchsorted(np.cumsum(share), 0.025, side="right"))  # sums with P(W <= w) <= 2.5 %
    if outside == 0:
        return float(np.median(means)), -np.inf, np.inf
    return float(np.median(means)), float(means[outside - 1]), float(means[-outside])


def cliques(order, pairs):
    """Find maximal runs of methods without significant differences, the bars of a critical-distance diagram.

    Runs are contiguous in `order`, so no bar covers a method that differs from another one in it. Benavoli, Corani and
    Mangili (2016) advise pairwise tests instead of Nemenyi's.

    Parameters
    ----------
    order : sequence of str
        Methods, best first, such as by average rank.
    pairs : DataFrame
        From :func:`pairwise_tests`.

    Returns
    -------
    list of list of str
        Runs, best first; runs of one method are left out.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"first": ["a", "a", "b"], "second": ["b", "c", "c"], "significant": [False, True, False]})
    >>> cliques(["a", "b", "c"], pairs)
    [['a', 'b'], ['b', 'c']]
    """
    order = list(order)
    differ = {frozenset(pair) for pair in pairs.loc[pairs["significant"], ["first", "second"]].itertuples(index=False)}
    runs, last_covered = [], 0
    for first in range(len(order)):
        last = first
        while last + 1 < len(order) and not any(
            frozenset((order[last + 1], member)) in differ for member in order[first : last + 1]
        ):
            last += 1
        if last > max(first, last_covered):  # a run with the end of the previous one is part of it
            runs.append(order[first : last + 1])
            last_covered = last
    return runs


def average_rank_intervals(scores, *, higher_is_better=True):
    """Compute 95 % percentile bootstrap intervals of average ranks, from 10,000 resamples of the datasets.

    They show how much an average rank depends on the choice of datasets (Efron and Tibshirani 1993, section 13.3); for
    few datasets they are too short. To decide whether two methods differ, test the pair instead of comparing intervals.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (n_datasets, n_methods)
        Scores without missing values.
    higher_is_better : bool, default=True

    Returns
    -------
    DataFrame
        Columns average_rank, lower and upper, one row per method; the ends are NaN for fewer than two datasets.

    Raises
    ------
    ValueError
        If a score is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"a": [0.8, 0.7, 0.9, 0.6], "b": [0.6, 0.7, 0.8, 0.7]})
    >>> average_rank_intervals(scores)
       average_rank  lower  upper
    a         1.375   1.00   1.75
    b         1.625   1.25   2.00
    """
    ranks = rank_table(scores, higher_is_better=higher_is_better)
    n = len(ranks)
    intervals = pd.DataFrame({"average_rank": ranks.mean(axis=0), "lower": np.nan, "upper": np.nan})
    if n > 1 and ranks.shape[1]:
        counts = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=10_000)
        means = counts @ ranks.to_numpy() / n  # sums of halves: exact in any order
        intervals[["lower", "upper"]] = np.quantile(means, [0.025, 0.975], axis=0).T
    return intervals
