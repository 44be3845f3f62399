"""Combine p-values, and find features at a false discovery rate.

References
----------
Y. Liu, J. Xie: Cauchy combination test: a powerful test with analytic p-value calculation under arbitrary dependency
structures. JASA 115, 2020.
R. J. Simes: An improved Bonferroni procedure for multiple tests of significance. Biometrika 73, 1986.
Y. Benjamini, Y. Hochberg: Controlling the false discovery rate. JRSS B 57(1), 1995.
"""

import numpy as np
from scipy.stats import false_discovery_control

from sslrank.core import libm

#: Larger p-values are replaced by this one, so that one test cannot cancel another: .02 and .995 combine to .05 instead
#: of .96. The level stays near nominal (tests/measurements/README.md, "Choices that were measured").
_MAX_P = 0.9


def cauchy(p_values, weights=None):
    """Combine p-values by the Cauchy combination test (Liu, Xie 2020) over the first axis.

    Parameters
    ----------
    p_values : ndarray of shape (K, ...)
    weights : ndarray that broadcasts with it, optional

    Returns
    -------
    ndarray of shape (...)
        1 if all weights are 0.

    Examples
    --------
    >>> cauchy(np.array([0.01, 0.5])).round(3)
    np.float64(0.02)
    """
    p = np.clip(p_values, 1e-300, _MAX_P)
    weights = np.broadcast_to(1.0 if weights is None else weights, p.shape)
    total = weights.sum(axis=0)
    shares = weights / np.where(total > 0, total, 1.0)
    small = p < 1e-8  # where tan((1/2 - p) pi) is 1 / (p pi) to the last digit
    values = np.where(small, 1 / (np.where(small, p, 1.0) * np.pi), libm.tan((0.5 - np.where(small, 0.5, p)) * np.pi))
    statistic = (shares * values).sum(axis=0)
    large = statistic > 1e8
    safe = np.where(large, statistic, 1.0)
    combined = np.where(large, 1 / (safe * np.pi), 0.5 - libm.arctan(np.where(large, 0.0, statistic)) / np.pi)
    smallest = np.where(weights > 0, p_values, 1.0).min(axis=0)
    return np.where(smallest < _MAX_P, np.clip(combined, 1e-300, 1.0), smallest)


def q_values(p_values):
    """Compute q-values of Benjamini and Hochberg; the smallest is Simes' p-value that no feature is related.

    Parameters
    ----------
    p_values : ndarray of shape (D,)

    Returns
    -------
    ndarray of shape (D,)

    Examples
    --------
    >>> q_values(np.array([0.01, 0.5, 0.02, 0.04])).round(3)
    array([0.04 , 0.5  , 0.04 , 0.053])
    """
    return false_discovery_control(p_values)
