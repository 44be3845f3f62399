"""Rows in an order of time: trends, and how many independent rows they are worth.

References
----------
M. S. Bartlett: Some aspects of the time-correlation problem in regard to tests of significance. JRSS 98, 1935.
"""

import numpy as np


def without_trend(columns, time):
    """Columns without their linear trend along the order of time, with the length that they had."""
    order = np.argsort(np.argsort(time, kind="stable"))
    line = (order - order.mean()) / max(np.sqrt(((order - order.mean()) ** 2).sum()), 1e-300)
    left = columns - line[:, None] * (line @ columns)
    lengths = np.sqrt((columns**2).sum(axis=0))
    left_lengths = np.sqrt((left**2).sum(axis=0))
    scale = np.divide(lengths, left_lengths, out=np.zeros_like(lengths), where=left_lengths > 1e-6 * lengths)
    return left * scale


def lag_one(columns):
    """Correlation of each column with its value in the row before; gaps are left out, 0 where nothing varies."""
    x = columns - np.nanmean(np.where(np.isfinite(columns), columns, np.nan), axis=0)
    x = np.nan_to_num(x)
    return np.divide((x[1:] * x[:-1]).sum(axis=0), (x**2).sum(axis=0), out=np.zeros(x.shape[1]), where=x.any(axis=0))


def autocorrelations(columns, time):
    """Autocorrelation of each column along the order of time at all lags, shape (n, columns)."""
    x = columns[np.argsort(time, kind="stable")]
    x = x - x.mean(axis=0)
    powers = np.abs(np.fft.rfft(x, 2 * len(x), axis=0)) ** 2
    found = np.fft.irfft(powers, axis=0)[: len(x)]
    return found / np.maximum(found[0], 1e-300)


def effective_rows(columns, targets, time):
    """Independent rows with the variance of a correlation that these have, of each column with the worst target.

    Parameters
    ----------
    columns : ndarray of shape (n, D)
    targets : ndarray of shape (n, q)
    time : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (D,)
        At most n.

    Examples
    --------
    >>> walk = np.cumsum(np.random.default_rng(0).normal(size=(200, 2)), axis=0)
    >>> bool(effective_rows(walk[:, :1], walk[:, 1:], np.arange(200))[0] < 30)
    True
    """
    n = len(columns)
    lags = np.arange(1, n // 2)
    both = autocorrelations(columns, time)[lags].T @ ((1 - lags / n)[:, None] * autocorrelations(targets, time)[lags])
    return n / np.maximum(1 + 2 * both.max(axis=1, initial=0.0), 1.0)
