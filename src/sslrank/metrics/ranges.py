"""Possible values of measures."""

import numpy as np

from sslrank.metrics.single import MEASURES

#: Measures whose range is not [0, 1].
_LIMITS = {"rrmse": (0.0, np.inf), "coverage": (0.0, np.inf), "r2": (-np.inf, 1.0)}
#: Tolerance of the limits for rounding.
ROUNDING = 1e-9


def measure_range(name):
    """Return the smallest and the largest value of a measure.

    Parameters
    ----------
    name : str
        Name in the archive, such as ``"f1_macro"`` or ``"rfa accuracy"``.

    Returns
    -------
    tuple of float
        Infinite without a limit, and for an unknown measure.

    Examples
    --------
    >>> measure_range("accuracy"), measure_range("neighbors all r2"), measure_range("rrmse")
    ((0.0, 1.0), (-inf, 1.0), (0.0, inf))
    """
    base = name.split()[-1]
    if name.startswith("area"):
        return 0.0, 1.0
    if base not in MEASURES:
        return -np.inf, np.inf
    low, high = _LIMITS.get(base, (0.0, 1.0))
    if name.startswith("eca"):  # a mean difference of two curves
        return (low - high, high - low) if np.isfinite([low, high]).all() else (-np.inf, np.inf)
    return low, high
