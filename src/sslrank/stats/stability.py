"""Stability: agreement of rankings of the same features, such as those of cross-validation folds.

References
----------
S. Nogueira, K. Sechidis, G. Brown: On the stability of feature selection algorithms. JMLR 18(174), 2018.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special  # scipy.stats takes 0.8 s to load


@dataclass(frozen=True)
class Stability:
    """Result of :func:`selection_stability`.

    Attributes
    ----------
    value : float
        At most 1, for identical selections; the expectation for random selections is 0. NaN if undefined.
    lower, upper : float
        Ends of the interval.

    Examples
    --------
    >>> stable = selection_stability([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]])
    >>> round(stable.value, 2), stable.lower < stable.value < stable.upper
    (0.33, True)
    """

    value: float
    lower: float
    upper: float


def ranks_of(values, ties="average"):
    """Rank the values of each row, 1 for the smallest.

    Parameters
    ----------
    values : array-like of shape (n_rows, n_columns)
    ties : {"average", "max"}
        Rank of ties.

    Returns
    -------
    ndarray of float64, same shape

    Examples
    --------
    >>> ranks_of([[0.5, 0.1, 0.5]])
    array([[2.5, 1. , 2.5]])
    """
    return pd.DataFrame(np.asarray(values, dtype=np.float64)).rank(axis=1, method=ties).to_numpy()


def top_features(importances, k):
    """Mark the features that are among the best `k` whatever the order of ties.

    Features that tie across rank k are left out, so fewer than `k` may be selected.

    Parameters
    ----------
    importances : array-like of shape (n_rankings, n_features)
        Higher is better.
    k : int

    Returns
    -------
    ndarray of bool, same shape

    Examples
    --------
    >>> top_features([[0.5, 0.3, 0.1], [0.5, 0.5, 0.1]], 1)
    array([[ True, False, False],
           [False, False, False]])
    """
    return ranks_of(-np.asarray(importances), "max") <= k


def selection_stability(selected):
    """Measure the stability of feature selection, corrected for chance, with its 95 % interval (Nogueira et al. 2018).

    With M selections out of d features, p_f the share of selections that have feature f, s_f^2 = M / (M - 1) p_f (1 -
    p_f) and kbar the mean number of selected features, it is 1 - mean(s_f^2) / (kbar / d (1 - kbar / d)) (Definition
    4); the interval is that of Corollary 9, for independent selections. Those of a cross-validation share training
    rows, so stability is overestimated and the interval too short; compare only values of the same folds.

    Parameters
    ----------
    selected : array-like of shape (n_selections, n_features)
        True or 1 for a selected feature; selections may have different sizes.

    Returns
    -------
    Stability
        NaN for fewer than two selections, or if each selects no feature or each selects all.

    Raises
    ------
    ValueError
        If `selected` is not a table of zeros and ones.

    Examples
    --------
    >>> found = selection_stability([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]])
    >>> round(found.value, 3), round(found.lower, 3), round(found.upper, 3)
    (0.333, -0.022, 0.689)
    """
    selected = np.asarray(selected, dtype=np.float64)
    if selected.ndim != 2 or not np.isin(selected, (0, 1)).all():
        raise ValueError(f"a table of zeros and ones is needed, selections by features; got shape {selected.shape}")
    m, d = selected.shape
    share = selected.mean() if selected.size else 0.0  # kbar / d
    if m < 2 or share in (0.0, 1.0):
        return Stability(np.nan, np.nan, np.nan)
    frequency, sizes = selected.mean(axis=0), selected.mean(axis=1)  # p_f, k_i / d
    chance = share * (1 - share)
    value = 1 - m / (m - 1) * (frequency * (1 - frequency)).mean() / chance
    of_each = selected @ frequency / d - sizes * share + value / 2 * (2 * sizes * share - sizes - share + 1)
    of_each /= chance
    error = np.sqrt(4 / m**2 * ((of_each - of_each.mean()) ** 2).sum())
    half_width = special.ndtri(0.975) * error
    return Stability(float(value), float(value - half_width), float(value + half_width))


def rank_agreement(importances):
    """Average the Spearman correlation over all pairs of rankings; ties share the mean of their ranks.

    Parameters
    ----------
    importances : array-like of shape (n_rankings, n_features)

    Returns
    -------
    float
        In [-1, 1]. A ranking in which all features tie is ignored; NaN without a pair.

    Examples
    --------
    >>> rank_agreement([[0.9, 0.5, 0.1], [0.8, 0.6, 0.2], [0.5, 0.9, 0.1]])
    0.6666666666666665
    """
    ranks = ranks_of(importances)
    ranks = 2 * ranks - (ranks.shape[1] + 1)  # integers with mean 0, whose products sum without rounding
    products = ranks @ ranks.T
    varying = products.diagonal() > 0
    products = products[varying][:, varying]
    if len(products) < 2:
        return np.nan
    lengths = np.sqrt(products.diagonal())
    correlations = products / np.outer(lengths, lengths)
    return float(correlations[np.triu_indices(len(products), 1)].mean())


def kendall_w(importances):
    """Compute Kendall's coefficient of concordance W of several rankings, corrected for ties.

    Parameters
    ----------
    importances : array-like of shape (n_rankings, n_features)

    Returns
    -------
    float
        1 if all rankings agree, about 1 / n_rankings for random ones; NaN if all features tie in each ranking.

    References
    ----------
    M. G. Kendall, B. Babington Smith (1939), The problem of m rankings, Annals of Mathematical Statistics 10 (3).

    Examples
    --------
    >>> from sslrank.stats.stability import kendall_w
    >>> kendall_w([[3, 2, 1], [3, 2, 1]])
    1.0
    """
    ranks = ranks_of(importances)
    n_rankings, n_features = ranks.shape
    sums = ranks.sum(axis=0)
    ties = sum((counts**3 - counts).sum() for counts in (np.unique(row, return_counts=True)[1] for row in ranks))
    largest = n_rankings**2 * (n_features**3 - n_features) - n_rankings * ties
    return float(12 * ((sums - sums.mean()) ** 2).sum() / largest) if largest > 0 else np.nan
