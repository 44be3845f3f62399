"""Compare methods over datasets: ranks, Friedman, Nemenyi's critical distance, Wilcoxon (Demsar 2006, JMLR 7).

A table of scores has one row per dataset and one column per method. `higher_is_better` is the direction; rank 1 is the
best. Tests are SciPy's; Nemenyi's p-values are those of ``scikit_posthocs.posthoc_nemenyi_friedman``.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats


def rank_table(scores, *, higher_is_better=True):
    """Rank the methods on each dataset; equal scores share the mean of their ranks.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (n_datasets, n_methods)
    higher_is_better : bool, default=True

    Returns
    -------
    DataFrame of shape (n_datasets, n_methods)
        1 is the best.

    Raises
    ------
    ValueError
        If a score is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> rank_table(pd.DataFrame({"a": [0.8, 0.7], "b": [0.6, 0.7], "c": [0.9, 0.1]}))
         a    b    c
    0  2.0  3.0  1.0
    1  1.5  1.5  3.0
    """
    scores = pd.DataFrame(scores).rename(columns=str).astype(np.float64)
    if scores.isna().to_numpy().any():
        row, column = np.argwhere(scores.isna().to_numpy())[0]
        name = scores.columns[column]
        raise ValueError(f"the score of method {name!r} on dataset {row} is missing; drop one of the two")
    return scores.rank(axis=1, ascending=not higher_is_better)


def average_ranks(scores, *, higher_is_better=True):
    """Average the ranks of each method over the datasets, 1 the best; see :func:`rank_table`.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (n_datasets, n_methods)
    higher_is_better : bool, default=True

    Returns
    -------
    Series of shape (n_methods,)
        In column order.

    Raises
    ------
    ValueError
        If a score is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> average_ranks(pd.DataFrame({"a": [0.8, 0.7], "b": [0.6, 0.7], "c": [0.9, 0.1]})).to_dict()
    {'a': 1.75, 'b': 2.25, 'c': 2.0}
    """
    return rank_table(scores, higher_is_better=higher_is_better).mean(axis=0).rename("average_rank")


class FriedmanResult(NamedTuple):
    """Result of :func:`friedman_test`.

    Attributes
    ----------
    statistic, p_value : float
        Friedman's chi-squared, corrected for ties.
    iman_davenport, iman_davenport_p_value : float
        Iman and Davenport's F with (k - 1) and (k - 1)(N - 1) degrees of freedom, the recommended test.

    Examples
    --------
    >>> FriedmanResult(6.0, 0.05, 12.0, 0.01).iman_davenport
    12.0
    """

    statistic: float
    p_value: float
    iman_davenport: float
    iman_davenport_p_value: float


def friedman_test(scores):
    """Test that all methods perform equally well: Friedman's test with Iman and Davenport's correction.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (n_datasets, n_methods)

    Returns
    -------
    FriedmanResult
        If all methods tie on all datasets, both statistics are 0 and both p-values 1. If the methods have the same
        order on all datasets, F is infinite and its p-value 0.

    Raises
    ------
    ValueError
        With fewer than three methods or two datasets, or a missing score.

    Examples
    --------
    >>> found = friedman_test([[0.8, 0.6, 0.5], [0.7, 0.6, 0.4], [0.9, 0.7, 0.8], [0.6, 0.5, 0.3]])
    >>> round(found.iman_davenport, 2), round(found.iman_davenport_p_value, 4)
    (13.0, 0.0066)
    """
    ranks = rank_table(scores).to_numpy()
    n, k = ranks.shape
    if k < 3 or n < 2:
        raise ValueError(f"the Friedman test needs three methods and two datasets at least, got {k} and {n}")
    if (ranks == ranks.mean()).all():
        return FriedmanResult(0.0, 1.0, 0.0, 1.0)
    statistic, p_value = stats.friedmanchisquare(*ranks.T)
    denominator = n * (k - 1) - statistic
    f = (n - 1) * statistic / denominator if denominator > 1e-9 else np.inf
    return FriedmanResult(float(statistic), float(p_value), float(f), float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))))


def critical_distance(n_methods, n_datasets, alpha=0.05):
    """Compute Nemenyi's critical distance q_alpha sqrt(k (k + 1) / (6 N)).

    Parameters
    ----------
    n_methods, n_datasets : int
    alpha : float, default=0.05

    Returns
    -------
    float
        Two methods differ significantly if their average ranks differ by at least this distance.

    Raises
    ------
    ValueError
        If there is no dataset, `n_methods` < 2 or `alpha` is not in (0, 1).

    Examples
    --------
    >>> round(critical_distance(5, 30), 3)
    1.114
    """
    if n_methods < 2 or n_datasets < 1 or not 0 < alpha < 1:
        requirement = "two methods, one dataset and 0 < alpha < 1 are needed"
        raise ValueError(f"{requirement}, got {n_methods}, {n_datasets} and {alpha}")
    q = stats.studentized_range.ppf(1 - alpha, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


class WilcoxonResult(NamedTuple):
    """Result of :func:`wilcoxon_test`.

    Attributes
    ----------
    p_value : float
        Two-sided.
    wins, ties, losses : int
        Datasets on which the first method is better, equal or worse.
    median_difference : float
        Positive when the first method is better.

    Examples
    --------
    >>> result = wilcoxon_test([0.9, 0.8, 0.7, 0.9], [0.8, 0.7, 0.7, 0.95])
    >>> result.wins, result.ties, result.losses
    (2, 1, 1)
    """

    p_value: float
    wins: int
    ties: int
    losses: int
    median_difference: float


def wilcoxon_test(first, second, *, higher_is_better=True):
    """Compare two methods over the same datasets by Wilcoxon's signed-rank test (two-sided).

    Zero differences are split between both sides, as Demsar advises ("zsplit").

    Parameters
    ----------
    first, second : array-like of shape (n_datasets,)
    higher_is_better : bool, default=True

    Returns
    -------
    WilcoxonResult
        p is 1 if all differences are zero.

    Raises
    ------
    ValueError
        If lengths differ, a score is missing, or there are no datasets.

    Examples
    --------
    >>> found = wilcoxon_test([0.80, 0.71, 0.93, 0.65], [0.72, 0.60, 0.90, 0.66])
    >>> found.wins, found.losses, found.p_value
    (3, 1, 0.25)
    """
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if first.shape != second.shape or first.ndim != 1 or first.size == 0:
        raise ValueError(f"two equally long lists of scores are needed, got {first.shape} and {second.shape}")
    difference = first - second if higher_is_better else second - first
    if np.isnan(difference).any():
        raise ValueError("a score is missing; drop the dataset")
    wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
    p_value, median = signed_rank_p(difference), float(np.median(difference))
    return WilcoxonResult(p_value, wins, difference.size - wins - losses, losses, median)


def signed_rank_p(differences, zero_method="zsplit"):
    """Compute the two-sided p-value of Wilcoxon's signed-rank test.

    It is that of ``scipy.stats.wilcoxon``: exact for up to 50 differences, or up to 13 if some are zero or tied, and
    otherwise a normal approximation.

    Parameters
    ----------
    differences : array-like of shape (n,)
    zero_method : {"zsplit", "wilcox"}, default="zsplit"
        Zeros count half for each side, or they are left out.

    Returns
    -------
    float
        1 if all differences are zero.

    Examples
    --------
    >>> signed_rank_p([0.1, 0.1, 0.3, 0.0])
    0.25
    """
    values = np.asarray(differences, dtype=np.float64)
    nonzero = values[values != 0]
    if len(nonzero) == 0:
        return 1.0
    if len(values) > 13 or np.isnan(values).any() or len(np.unique(abs(nonzero))) == len(values):
        return float(stats.wilcoxon(values, zero_method=zero_method).pvalue)
    ranks = stats.rankdata(abs(values))[values != 0] if zero_method == "zsplit" else stats.rankdata(abs(nonzero))
    signs = 1 - 2 * (np.arange(2 ** len(ranks))[:, None] >> np.arange(len(ranks)) & 1)  # SciPy loops over them slowly
    return float((abs(signs @ ranks) >= abs(np.sign(nonzero) @ ranks)).mean())


def sign_p(values):
    """Compute the two-sided p-value of the sign test; values of 0 do not count.

    Parameters
    ----------
    values : array-like of shape (n,)

    Returns
    -------
    float

    Examples
    --------
    >>> sign_p([0.2, 0.1, 0.4, 0.3, 0.0])
    0.125
    """
    values = np.asarray(values)
    above, below = int((values > 0).sum()), int((values < 0).sum())
    return float(stats.binomtest(above, above + below).pvalue) if above + below else 1.0


def corrected_resampled_t_test(differences, test_to_train):
    """Test whether the mean difference over the folds of one dataset is zero, two-sided.

    Folds share training rows, so their differences are dependent and a plain t-test has too many false positives. The
    variance is therefore multiplied by 1 / n + test_to_train instead of 1 / n (corrected resampled t-test, Nadeau and
    Bengio 2003, Machine Learning 52:239-281).

    Parameters
    ----------
    differences : array-like of shape (n_folds,)
        One difference per fold, none missing.
    test_to_train : float
        Test rows per training row: 1 / (n_folds - 1) for one cross-validation.

    Returns
    -------
    float
        p-value of a t distribution with n_folds - 1 degrees of freedom; NaN for fewer than two folds. For constant
        differences it is 1 if they are zero, otherwise 0.

    Examples
    --------
    >>> round(corrected_resampled_t_test([0.02, 0.05, 0.01, 0.04], test_to_train=1 / 3), 3)
    0.121
    """
    values = np.asarray(differences, dtype=np.float64)
    if len(values) < 2:
        return np.nan
    mean, error = values.mean(), corrected_error(values, test_to_train)
    return float(2 * stats.t.sf(abs(mean) / error, len(values) - 1)) if error else float(mean == 0)


def corrected_error(differences, test_to_train):
    """Compute the standard error of a mean over folds, corrected for shared training rows (Nadeau and Bengio 2003).

    Parameters
    ----------
    differences : ndarray of shape (n_folds,)
    test_to_train : float
        Test rows per training row.

    Returns
    -------
    float

    Examples
    --------
    >>> round(corrected_error(np.array([0.02, 0.05, 0.01, 0.04]), test_to_train=1 / 3), 4)
    0.0139
    """
    return float(np.sqrt((1 / len(differences) + test_to_train) * np.var(differences, ddof=1)))
