"""Rows in the order of time: trends, seasons, and the effective number of independent rows.

References
----------
R. A. Fisher: Tests of significance in harmonic analysis. Proceedings of the Royal Society A 125, 1929.
M. S. Bartlett: Some aspects of the time-correlation problem in regard to tests of significance. JRSS 98, 1935.
"""

import numpy as np

#: Level of the test for a season, and number of frequencies tried per frequency of the discrete Fourier transform.
_LEVEL, _FINER = 0.05, 8


def trend_and_seasons(targets, time):
    """Find the trend and the seasons to remove from all columns before rows are shifted.

    Seasons are sines of at least four periods whose share of the target's spectrum is significant (Fisher's g test at 5
    %), found one after the other. With fewer periods they cannot be distinguished from slow movements.

    Parameters
    ----------
    targets : ndarray of shape (n, q)
        With mean 0.
    time : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (n, 1 + 2 * seasons)
        Orthonormal, with mean 0.

    Examples
    --------
    >>> months = np.arange(120)
    >>> y = np.sin(months / 12 * 2 * np.pi) + np.random.default_rng(0).normal(size=120)
    >>> trend_and_seasons((y - y.mean())[:, None], months).shape
    (120, 3)
    """
    order = np.argsort(time, kind="stable")
    n, place = len(order), np.argsort(order, kind="stable")
    columns = [place]
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
        angle = 2 * np.pi * k / (_FINER * n) * place
        columns += [np.cos(angle), np.sin(angle)]


def remove_projection(columns, basis):
    """Remove the projection of columns on an orthonormal basis, and keep their length."""
    residuals = columns - basis @ (basis.T @ columns)
    lengths, left_lengths = np.linalg.norm(columns, axis=0), np.linalg.norm(residuals, axis=0)
    scale = np.divide(lengths, left_lengths, out=np.zeros_like(lengths), where=left_lengths > 1e-6 * lengths)
    return residuals * scale


def lag_one(columns):
    """Correlate each column with its value in the row before, ignoring gaps; 0 for a constant column."""
    x = columns - np.nanmean(np.where(np.isfinite(columns), columns, np.nan), axis=0)
    x = np.nan_to_num(x)
    return np.divide((x[1:] * x[:-1]).sum(axis=0), (x**2).sum(axis=0), out=np.zeros(x.shape[1]), where=x.any(axis=0))


def autocorrelations(columns, time):
    """Compute the autocorrelation of each column in the order of time at all lags, shape (n, columns)."""
    x = columns[np.argsort(time, kind="stable")]
    x = x - x.mean(axis=0)
    powers = np.abs(np.fft.rfft(x, 2 * len(x), axis=0)) ** 2
    products = np.fft.irfft(powers, axis=0)[: len(x)]
    return products / np.maximum(products[0], 1e-300)


def effective_rows(columns, targets, time):
    """Compute the effective number of independent rows for the correlation of each column with the worst target.

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
    lags = int(min(10 * np.log10(n), n / 10))
    Y = Y - Y.mean(axis=0)
    best, coefficients = np.inf, np.empty(0)
    present = Y[lags:].ravel()
    for p in range(lags + 1):
        past = np.column_stack([Y[lags - k : n - k].ravel() for k in range(1, p + 1)] or [np.empty((len(present), 0))])
        a = np.linalg.lstsq(past, present, rcond=None)[0]
        aic = (n - lags) * np.log(max(((present - past @ a) ** 2).sum(), 1e-300)) + 2 * p
        if aic < best:
            best, coefficients = aic, a
    return coefficients
