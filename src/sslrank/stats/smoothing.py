"""A smooth line through points.

References
----------
W. S. Cleveland: Robust locally weighted regression and smoothing scatterplots. JASA 74, 1979.
"""

import numpy as np


def local_lines(x, y, places):
    """Fit a line around each place to the nearer half of the points, weighted by tricubes of their distance.

    The first round of Cleveland's LOWESS, without its robust repetitions.

    Parameters
    ----------
    x, y : ndarray of shape (n,)
    places : ndarray of shape (m,)
        Values of x.

    Returns
    -------
    ndarray of shape (m,)
        Values of y.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(20.0)
    >>> local_lines(x, 3 * x + 1, np.array([2.5, 10.0])).round(6)
    array([ 8.5, 31. ])
    """
    found = np.empty(len(places))
    span = min(max(5, len(x) // 2), len(x))
    for i, place in enumerate(places):
        distance = np.abs(x - place)
        reach = max(np.partition(distance, span - 1)[span - 1], np.ptp(x) * 1e-3)
        weight = np.clip(1 - (distance / reach) ** 3, 0, None) ** 3 + 1e-12
        mean_x, mean_y = np.average(x, weights=weight), np.average(y, weights=weight)
        spread = np.average((x - mean_x) ** 2, weights=weight)
        slope = np.average((x - mean_x) * (y - mean_y), weights=weight) / spread if spread > 0 else 0.0
        found[i] = mean_y + slope * (place - mean_x)
    return found
