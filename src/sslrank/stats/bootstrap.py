"""Percentile intervals from bootstrap samples.

References
----------
B. Efron: Bootstrap methods: another look at the jackknife. Annals of Statistics 7, 1979.
"""

import numpy as np
from scipy.stats import rankdata

#: Number of bootstrap samples.
N_SAMPLES = 10_000


def draw(n, rng=0):
    """Draw bootstrap samples of n units, such as datasets.

    Parameters
    ----------
    n : int
    rng : numpy.random.Generator or int, default=0

    Returns
    -------
    ndarray of shape (10000, n), int
        Indices of the units of each sample.

    Examples
    --------
    >>> draw(3).shape
    (10000, 3)
    """
    return np.random.default_rng(rng).integers(n, size=(N_SAMPLES, n))


def ends(values):
    """Return the ends of the central 95 % of values, such as a statistic of each bootstrap sample.

    Parameters
    ----------
    values : array-like of shape (n,)

    Returns
    -------
    ndarray of shape (2,)

    Examples
    --------
    >>> ends(np.arange(101)).tolist()
    [2.5, 97.5]
    """
    return np.percentile(values, [2.5, 97.5])


def rank_correlations(first, second):
    """Compute Spearman's correlation of each row of two arrays.

    Parameters
    ----------
    first, second : ndarray of shape (n_samples, n), or (n,)

    Returns
    -------
    ndarray of shape (n_samples,)

    Examples
    --------
    >>> rank_correlations(np.array([[1.0, 2, 3], [3, 1, 2]]), np.array([1.0, 2, 3])).tolist()
    [1.0, -0.5]
    """
    first, second = rankdata(first, axis=-1), rankdata(second, axis=-1)
    first, second = (ranks - ranks.mean(axis=-1, keepdims=True) for ranks in (first, second))
    return (first * second).sum(axis=-1) / np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
