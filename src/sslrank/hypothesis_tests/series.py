"""Rows in the order of time: trends, seasons, and the effective number of independent rows.

References
----------
R. A. Fisher: Tests of significance in harmonic analysis. Proceedings of the Royal Society A 125, 1929.
M. S. Bartlett: Some aspects of the time-correlation problem in regard to tests of significance. JRSS 98, 1935.
"""

import math

import numpy as np

from sslrank.core import libm

#: Level of the test for a season, and number of frequencies tried per frequency of the discrete Fourier transform.
_LEVEL, _FINER = 0.05, 8
#: Number of values in memory at a time.
_CELLS = 1_000_000


def trend_and_seasons(targets, time):
    """Find the quadratic trend and the seasons to remove from all columns before rows are shifted.

    Seasons are sines of at least four periods whose share of the target's spectrum is significant (Fisher's g test at 5
    %), found one after the other. With fewer periods they cannot be distinguished from slow movements.

    Parameters
    ----------
    targets : ndarray of shape (n, q)
        With mean 0.
    time : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (n, 2 + 2 * seasons)
        Orthonormal, with mean 0.

    Examples
    --------
    >>> months = np.arange(120)
    >>> y = np.sin(months / 12 * 2 * np.pi) + np.random.default_rng(0).normal(size=120)
    >>> trend_and_seasons((y - y.mean())[:, None], months).shape
    (120, 4)
    """
    times, position = np.unique(time, return_inverse=True)
    counts = np.bincount(position)
    if len(times) < len(time):
        targets = np.column_stack([np.bincount(position, column) for column in targets.T]) / counts[:, None]
        targets = targets - targets.mean(axis=0)
        return trend_and_seasons(targets, times)[position]
    order, n = np.argsort(time, kind="stable"), len(time)
    columns = [position, (position - (n - 1) / 2) ** 2]
    ordinates = max((n - 1) // 2, 2)
    significant = 1 - (_LEVEL / ordinates) ** (1 / (ordinates - 1))
    while True:
        basis = np.linalg.qr(np.column_stack(columns) - np.mean(columns, axis=1))[0]
        residuals = targets - basis @ (basis.T @ targets)
        powers = (np.abs(np.fft.rfft(residuals[order], _FINER * n, axis=0)) ** 2).sum(axis=1)
        powers[: 4 * _FINER] = 0.0
        k = powers.argmax()
        if powers[k] <= significant * n / 2 * (residuals**2).sum() or len(columns) > n / 10:
            return basis
        angle = 2 * np.pi * k / (_FINER * n) * position
        columns += [libm.cos(angle), libm.sin(angle)]


def lag_one(columns):
    """Correlate each column with its value in the row before, ignoring gaps; 0 for a constant column."""
    correlations, n_parts = np.zeros(columns.shape[1]), columns.size // _CELLS + 1  # in parts, to save memory
    for x, out in zip(np.array_split(columns, n_parts, axis=1), np.array_split(correlations, n_parts), strict=True):
        x = np.nan_to_num(x - np.nanmean(np.where(np.isfinite(x), x, np.nan), axis=0))
        np.divide((x[1:] * x[:-1]).sum(axis=0), (x**2).sum(axis=0), out=out, where=x.any(axis=0))
    return correlations


def autocorrelations(columns, design):
    """Compute the autocorrelation of each column at all lags of time, inside groups if given: (times, columns)."""
    times = np.unique(design.time, return_inverse=True)[1]
    lines = np.zeros_like(times) if design.groups is None else np.unique(design.groups, return_inverse=True)[1]
    cells = np.zeros((times.max() + 1, lines.max() + 1, columns.shape[1]))
    np.add.at(cells, (times, lines), columns - columns.mean(axis=0))
    powers = (np.abs(np.fft.rfft(cells, 2 * len(cells), axis=0)) ** 2).sum(axis=1)
    products = np.fft.irfft(powers, axis=0)[: len(cells)]
    return products / np.maximum(products[0], 1e-300)


def effective_rows(columns, targets, design):
    """Compute the effective number of independent rows for the correlation of each column with the worst target.

    Parameters
    ----------
    columns : ndarray of shape (n, D)
    targets : ndarray of shape (n, q)
    design : sslrank.hypothesis_tests.design.Design
        With times.

    Returns
    -------
    ndarray of shape (D,)
        At most the number of times.

    Examples
    --------
    >>> from sslrank.hypothesis_tests.design import Design
    >>> walk = np.cumsum(np.random.default_rng(0).normal(size=(200, 2)), axis=0)
    >>> bool(effective_rows(walk[:, :1], walk[:, 1:], Design(time=np.arange(200), unit="times"))[0] < 30)
    True
    """
    of_columns, of_targets = autocorrelations(columns, design), autocorrelations(targets, design)
    n = len(of_columns)
    lags = np.arange(1, n // 2)
    products = of_columns[lags].T @ ((1 - lags / n)[:, None] * of_targets[lags])
    return n / (1 + 2 * products.max(axis=1, initial=0.0))


def autoregression(Y):
    """Estimate the autoregression common to all columns of Y by least squares, with the order by AIC.

    Parameters
    ----------
    Y : ndarray of shape (n, J)
        In the order of time.

    Returns
    -------
    ndarray of shape (p,)
        Coefficients, at most 10 log10(n) and a tenth of the rows, as in
        :func:`statsmodels.tsa.ar_model.ar_select_order`.
    """
    n = len(Y)
    lags = int(min(10 * math.log10(n), n / 10))
    Y = Y - Y.mean(axis=0)
    best, coefficients = np.inf, np.empty(0)
    present = Y[lags:].ravel()
    for p in range(lags + 1):
        past = np.column_stack([Y[lags - k : n - k].ravel() for k in range(1, p + 1)] or [np.empty((len(present), 0))])
        a = np.linalg.lstsq(past, present, rcond=None)[0]
        aic = (n - lags) * math.log(max(((present - past @ a) ** 2).sum(), 1e-300)) + 2 * p
        if aic < best:
            best, coefficients = aic, a
    return coefficients
