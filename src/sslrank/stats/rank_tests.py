"""Comparing methods over datasets: Friedman, Iman-Davenport, Nemenyi, Wilcoxon (Demsar 2006, JMLR 7).

A table of scores has one row per dataset and one column per method. `higher_is_better` says which end is
good; rank 1 is always the best.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats


def _table(scores):
    if isinstance(scores, pd.DataFrame):
        methods, values = [str(name) for name in scores.columns], scores.to_numpy(dtype=np.float64)
    else:
        values = np.asarray(scores, dtype=np.float64)
        if values.ndim != 2:
            raise ValueError(f"scores must be a table of datasets by methods, got shape {values.shape}")
        methods = [str(j) for j in range(values.shape[1])]
    if np.isnan(values).any():
        row, column = np.argwhere(np.isnan(values))[0]
        raise ValueError(f"the score of method {methods[column]!r} on dataset {row} is missing; drop one of the two")
    return values, methods


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
    values, methods = _table(scores)
    ranks = stats.rankdata(-values if higher_is_better else values, axis=1)
    index = scores.index if isinstance(scores, pd.DataFrame) else None
    return pd.DataFrame(ranks, columns=methods, index=index)


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


@dataclass(frozen=True)
class FriedmanResult:
    """Result of :func:`friedman_test`.

    Attributes
    ----------
    statistic, p_value : float
        Friedman's chi-squared (corrected for ties) with k - 1 degrees of freedom.
    iman_davenport, iman_davenport_p_value : float
        Iman and Davenport's F with (k - 1) and (k - 1)(N - 1) degrees of freedom; the one to go by.
    degrees_of_freedom : tuple of int
        Those of the F distribution.
    average_ranks : Series
    n_datasets, n_methods : int

    Examples
    --------
    >>> scores = pd.DataFrame({"rf": [0.9, 0.8, 0.7, 0.9], "relief": [0.8, 0.7, 0.6, 0.7]})
    >>> result = friedman_test(scores)
    >>> result.n_datasets, float(result.average_ranks["rf"])
    (4, 1.0)
    """

    statistic: float
    p_value: float
    iman_davenport: float
    iman_davenport_p_value: float
    degrees_of_freedom: tuple
    average_ranks: pd.Series
    n_datasets: int
    n_methods: int


def friedman_test(scores, *, higher_is_better=True):
    """Test that all methods perform equally well: Friedman's test with Iman and Davenport's correction.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (n_datasets, n_methods)
    higher_is_better : bool, default=True

    Returns
    -------
    FriedmanResult
        When all methods tie everywhere, both statistics are 0 and both p-values 1. When the methods come in
        the same order everywhere, F is infinite and its p-value 0.

    Raises
    ------
    ValueError
        With fewer than two methods or two datasets, or a missing score.

    Examples
    --------
    >>> found = friedman_test([[0.8, 0.6, 0.5], [0.7, 0.6, 0.4], [0.9, 0.7, 0.8], [0.6, 0.5, 0.3]])
    >>> round(found.iman_davenport, 2), round(found.iman_davenport_p_value, 4)
    (13.0, 0.0066)
    """
    ranks = rank_table(scores, higher_is_better=higher_is_better)
    n, k = ranks.shape
    if k < 2 or n < 2:
        raise ValueError(f"the Friedman test needs two methods and two datasets at least, got {k} and {n}")
    values = ranks.to_numpy()
    mean = values.mean(axis=0)
    # Conover's form: for untied ranks it is 12N/(k(k+1)) (sum R_j^2 - k(k+1)^2/4), and ties are corrected
    # for.
    spread = (values**2).sum() - n * k * (k + 1) ** 2 / 4
    between = n * ((mean - (k + 1) / 2) ** 2).sum()
    statistic = (k - 1) * n * between / spread if spread > 1e-12 else 0.0
    degrees = (k - 1, (k - 1) * (n - 1))
    rest = n * (k - 1) - statistic
    if statistic == 0:
        f, p_f = 0.0, 1.0
    elif rest <= 1e-9:
        f, p_f = np.inf, 0.0
    else:
        f = (n - 1) * statistic / rest
        p_f = float(stats.f.sf(f, *degrees))
    return FriedmanResult(
        statistic=float(statistic),
        p_value=float(stats.chi2.sf(statistic, k - 1)),
        iman_davenport=float(f),
        iman_davenport_p_value=p_f,
        degrees_of_freedom=degrees,
        average_ranks=ranks.mean(axis=0).rename("average_rank"),
        n_datasets=n,
        n_methods=k,
    )


def critical_value(n_methods, alpha=0.05):
    """Compute Nemenyi's q_alpha: the studentized range for infinite degrees of freedom, divided by sqrt(2).

    Parameters
    ----------
    n_methods : int
    alpha : float, default=0.05

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If `n_methods` < 2 or `alpha` is not in (0, 1).

    Examples
    --------
    >>> round(critical_value(5), 3)
    2.728
    """
    if n_methods < 2 or not 0 < alpha < 1:
        raise ValueError(f"two methods at least and 0 < alpha < 1 are needed, got {n_methods} and {alpha}")
    return float(stats.studentized_range.ppf(1 - alpha, n_methods, np.inf) / np.sqrt(2))


def critical_distance(n_methods, n_datasets, alpha=0.05):
    """Compute Nemenyi's critical distance q_alpha sqrt(k (k + 1) / (6 N)).

    Parameters
    ----------
    n_methods, n_datasets : int
    alpha : float, default=0.05

    Returns
    -------
    float
        Two methods differ significantly when their average ranks differ by at least this much.

    Raises
    ------
    ValueError
        If there is no dataset, `n_methods` < 2 or `alpha` is not in (0, 1).

    Examples
    --------
    >>> round(critical_distance(5, 30), 3)
    1.114
    """
    if n_datasets < 1:
        raise ValueError(f"at least one dataset is needed, got {n_datasets}")
    return critical_value(n_methods, alpha) * float(np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


@dataclass(frozen=True)
class NemenyiResult:
    """Result of :func:`nemenyi_test`.

    Attributes
    ----------
    average_ranks : Series
        1 is the best.
    critical_distance : float
    p_values : DataFrame of shape (n_methods, n_methods)
    significant : DataFrame of bool, same shape
        Whether the average ranks differ by the critical distance or more.
    groups : list of list of str
        Maximal groups of methods that do not differ significantly, best first: the bars of the diagram.

    Examples
    --------
    >>> scores = {"rf": [0.9, 0.8, 0.7, 0.9], "relief": [0.8, 0.7, 0.6, 0.7], "none": [0.5, 0.5, 0.5, 0.5]}
    >>> nemenyi_test(pd.DataFrame(scores)).groups
    [['rf', 'relief'], ['relief', 'none']]
    """

    average_ranks: pd.Series
    critical_distance: float
    p_values: pd.DataFrame
    significant: pd.DataFrame
    groups: list


def nemenyi_test(scores, *, alpha=0.05, higher_is_better=True):
    """Test all pairs of methods by Nemenyi's test, to be used after Friedman's.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (n_datasets, n_methods)
    alpha : float, default=0.05
    higher_is_better : bool, default=True

    Returns
    -------
    NemenyiResult

    Raises
    ------
    ValueError
        If a score is missing, there are fewer than two methods, or `alpha` is not in (0, 1).

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"a": [0.8, 0.7, 0.9, 0.6], "b": [0.6, 0.6, 0.7, 0.5], "c": [0.5, 0.4, 0.6, 0.3]})
    >>> found = nemenyi_test(scores)
    >>> round(found.critical_distance, 3), found.groups
    (1.657, [['a', 'b'], ['b', 'c']])
    """
    ranks = rank_table(scores, higher_is_better=higher_is_better)
    n, k = ranks.shape
    mean = ranks.mean(axis=0).rename("average_rank")
    distance = critical_distance(k, n, alpha)
    gaps = np.abs(mean.to_numpy()[:, None] - mean.to_numpy())
    z = gaps / np.sqrt(k * (k + 1) / (6 * n))
    p_values = stats.studentized_range.sf(z * np.sqrt(2), k, np.inf)
    p_values[gaps == 0] = 1.0
    significant = gaps >= distance
    return NemenyiResult(
        average_ranks=mean,
        critical_distance=distance,
        p_values=pd.DataFrame(np.clip(p_values, 0.0, 1.0), index=mean.index, columns=mean.index),
        significant=pd.DataFrame(significant, index=mean.index, columns=mean.index),
        groups=undistinguished_groups(mean, distance),
    )


def undistinguished_groups(ranks, distance):
    """Find maximal runs, in order of rank, whose ends are less than `distance` apart; singletons are left out.

    Parameters
    ----------
    ranks : Series
        Average rank by method.
    distance : float

    Returns
    -------
    list of list of str

    Examples
    --------
    >>> import pandas as pd
    >>> undistinguished_groups(pd.Series({"a": 1.0, "b": 1.8, "c": 2.4}), distance=1.0)
    [['a', 'b'], ['b', 'c']]
    """
    ordered = ranks.sort_values(kind="stable")
    values, names = ordered.to_numpy(), list(ordered.index)
    groups, reach = [], 0
    for first in range(len(values)):
        last = int(np.flatnonzero(values - values[first] < distance)[-1])
        if last > max(first, reach):  # a run that ends where the one before does is part of it
            groups.append(names[first : last + 1])
            reach = last
    return groups


@dataclass(frozen=True)
class WilcoxonResult:
    """Result of :func:`wilcoxon_test`.

    Attributes
    ----------
    statistic, p_value : float
        The smaller rank sum, and the two-sided p-value.
    wins, ties, losses : int
        Datasets on which the first method is better, equal or worse.
    median_difference : float
        Median of the differences, positive when the first method is better.

    Examples
    --------
    >>> result = wilcoxon_test([0.9, 0.8, 0.7, 0.9], [0.8, 0.7, 0.7, 0.95])
    >>> result.wins, result.ties, result.losses
    (2, 1, 1)
    """

    statistic: float
    p_value: float
    wins: int
    ties: int
    losses: int
    median_difference: float


def wilcoxon_test(first, second, *, higher_is_better=True):
    """Compare two methods over the same datasets by Wilcoxon's signed-rank test (two-sided).

    Zero differences are split between both sides, as Demsar advises ("zsplit"). The distribution is exact for
    up to 50 datasets without zeros and ties, otherwise the normal approximation: SciPy's choice.

    Parameters
    ----------
    first, second : array-like of shape (n_datasets,)
    higher_is_better : bool, default=True

    Returns
    -------
    WilcoxonResult
        With p = 1 when all differences are zero.

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
    if wins == losses == 0:
        statistic, p_value = difference.size * (difference.size + 1) / 4, 1.0
    else:
        result = stats.wilcoxon(difference, zero_method="zsplit")
        statistic, p_value = float(result.statistic), float(result.pvalue)
    ties = difference.size - wins - losses
    return WilcoxonResult(statistic, p_value, wins, ties, losses, float(np.median(difference)))


def compare_modes(ssl, sl, *, higher_is_better=True):
    """Compute differences "SSL minus SL", with the sign turned so that positive means SSL is better (section 7).

    Parameters
    ----------
    ssl, sl : array-like of one shape
    higher_is_better : bool, default=True

    Returns
    -------
    ndarray

    Examples
    --------
    >>> compare_modes([0.5, 0.75], [0.25, 1.0])
    array([ 0.25, -0.25])
    """
    difference = np.asarray(ssl, dtype=np.float64) - np.asarray(sl, dtype=np.float64)
    return difference if higher_is_better else -difference


def corrected_resampled_t_test(differences, test_to_train):
    """Test whether the mean difference over the folds of one dataset is zero, two-sided.

    Folds share training rows, so that their differences depend on each other and a plain t-test finds too much.
    The variance is therefore multiplied by 1 / n + test_to_train instead of 1 / n (Nadeau and Bengio 2003,
    Machine Learning 52:239-281, the corrected resampled t-test).

    Parameters
    ----------
    differences : array-like of shape (n_folds,)
        One difference per fold, none missing.
    test_to_train : float
        Test rows per training row: 1 / (n_folds - 1) for one cross-validation.

    Returns
    -------
    float
        The p-value, of a t distribution with n_folds - 1 degrees of freedom; NaN for fewer than two folds. Differences
        that are all the same have 1 where they are zero, and otherwise 0.

    Examples
    --------
    >>> round(corrected_resampled_t_test([0.02, 0.05, 0.01, 0.04], test_to_train=1 / 3), 3)
    0.121
    """
    values = np.asarray(differences, dtype=np.float64)
    n = len(values)
    if n < 2:
        return np.nan
    mean, variance = values.mean(), values.var(ddof=1)
    if variance == 0:
        return float(mean == 0)
    return float(2 * stats.t.sf(abs(mean) / np.sqrt((1 / n + test_to_train) * variance), n - 1))
