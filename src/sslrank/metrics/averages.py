"""Averages of a measure: over folds, and over numbers of labelled rows (paper ssl-ranking, section 6.5)."""

import numpy as np

from sslrank.core import libm


def fold_average(values, sizes):
    """Average fold scores, weighted by test-set sizes (section 6.5); undefined (NaN) folds are ignored.

    Parameters
    ----------
    values, sizes : array-like of shape (n_folds,)

    Returns
    -------
    float
        NaN if no fold is defined.

    Examples
    --------
    >>> fold_average([0.5, 0.8, float("nan")], [10, 20, 10])
    0.7
    """
    values, sizes = np.asarray(values, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    known = ~np.isnan(values)
    if not known.any() or sizes[known].sum() == 0:
        return np.nan
    return float(np.sum(values[known] * sizes[known]) / sizes[known].sum())


def area_under_curve(n_labeled, values, *, spacing="linear"):
    """Compute the area under the performance curve over L, by the trapezoidal rule (section 6.5).

    The area is divided by the length of the axis, so it is a mean performance. The paper does not define the scale of
    the L axis; see `spacing`.

    Parameters
    ----------
    n_labeled, values : array-like of shape (m,)
        Points (L, performance) in any order; NaN points are left out.
    spacing : {"linear", "log", "index"}, default="linear"
        The x axis: L itself, log L, or 0, 1, 2, ...

    Returns
    -------
    float
        The value of a single point; NaN without points.

    Raises
    ------
    ValueError
        If the lengths differ, several points are all at one L (unless `spacing` is "index"), or `spacing` is unknown.

    Examples
    --------
    >>> area_under_curve([50, 100, 200], [0.6, 0.7, 0.8])
    0.7166666666666667
    >>> area_under_curve([50, 100, 200], [0.6, 0.7, 0.8], spacing="index")
    0.7
    """
    x, y = np.asarray(n_labeled, dtype=np.float64), np.asarray(values, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"n_labeled and values must have one equal length, got {x.shape} and {y.shape}")
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    if spacing == "log":
        x = libm.log(x)
    elif spacing == "index":
        x = np.arange(len(x), dtype=np.float64)
    elif spacing != "linear":
        raise ValueError(f"spacing must be 'linear', 'log' or 'index', got {spacing!r}")
    known = ~np.isnan(y)
    x, y = x[known], y[known]
    if x.size == 0:
        return np.nan
    if x.size == 1:
        return float(y[0])
    if x[0] == x[-1]:
        raise ValueError(f"n_labeled must have at least two different L, got {x.size} points at one")
    return float(np.trapezoid(y, x)) / float(x[-1] - x[0])
