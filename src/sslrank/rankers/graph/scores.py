"""From sums over the graph to scores and importances."""

import numpy as np

#: Sums of squares below this share of their scale count as 0 (rounding error).
RELATIVE_ZERO = 1e-24


def ratio(numerator, denominator):
    """Compute ``numerator / denominator``; NaN where both are 0, inf where only the denominator is 0.

    Parameters
    ----------
    numerator, denominator : array-like

    Returns
    -------
    ndarray of float64

    Examples
    --------
    >>> ratio([1, 0, 1], np.array([2.0, 0.0, 0.0]))
    array([0.5, nan, inf])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(numerator, dtype=np.float64) / denominator


def lower_is_better(scores):
    """Turn scores whose lowest is the best into importances.

    The importance is ``S + s - s_i`` for the largest score S and the smallest score s (ssl-ranking, section 6.3). A
    feature without a finite score, such as a constant one, has importance 0.

    Parameters
    ----------
    scores : ndarray of shape (D,)

    Returns
    -------
    ndarray of shape (D,)

    Examples
    --------
    >>> lower_is_better(np.array([1.0, 3.0, np.nan]))
    array([3., 1., 0.])
    """
    return _finite(scores, lambda known: known.max() + known.min() - known)


def higher_is_better(scores):
    """Turn scores whose highest is the best into importances.

    An infinite score (its denominator is 0) becomes twice the largest finite one, an undefined score 0.

    Parameters
    ----------
    scores : ndarray of shape (D,)

    Returns
    -------
    ndarray of shape (D,)

    Examples
    --------
    >>> higher_is_better(np.array([1.0, np.inf, np.nan]))
    array([1., 2., 0.])
    """
    importances = _finite(scores, lambda known: known)
    importances[np.isposinf(scores)] = 2.0 * max(importances.max(initial=0.0), 0.5)
    return importances


def _finite(scores, change):
    importances = np.zeros(len(scores))
    known = np.isfinite(scores)
    if known.any():
        importances[known] = change(scores[known])
    return importances


def weighted_scatter(Z, weights, counted=None, mean=None):
    """Compute ``sum_i weights_i (z_i - mean)^2`` of every column.

    Parameters
    ----------
    Z : ndarray of shape (n, W)
    weights : ndarray of shape (n,)
    counted : ndarray of shape (n,), bool, optional
        Rows to sum over, all by default.
    mean : ndarray of shape (W,), optional
        The weighted mean of all rows by default.

    Returns
    -------
    ndarray of shape (W,)

    Examples
    --------
    >>> weighted_scatter(np.array([[0.0], [2.0]]), np.array([1.0, 1.0]))
    array([2.])
    """
    total = weights.sum()
    if total == 0.0:
        return np.zeros(Z.shape[1])
    mean = weights @ Z / total if mean is None else mean
    scatter = (weights if counted is None else weights * counted) @ (Z - mean) ** 2
    scatter[scatter < RELATIVE_ZERO * (weights @ Z**2)] = 0.0
    return scatter
