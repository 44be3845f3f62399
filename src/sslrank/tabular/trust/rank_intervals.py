"""Ranges of ranks that cover the mean rank over tables such as this one in 80 % of the cases."""

import numpy as np
from scipy.special import stdtrit

COVERAGE = 0.8
#: Variance of a rank in the whole table over that in a half: of a feature at q = 0, and of one from q = 1/2 on.
_OF_RELATED, _OF_NOISE = 0.3, 1.1


def rank_intervals(ranks, spread, n_pairs, q_values):
    """Ends of the range around each rank.

    Ranks of related features vary less in a whole table than in half-samples; those of noise, which are arbitrary in
    both, as much. What the share is was measured on made tables (`bench_power.py`).

    Parameters
    ----------
    ranks : ndarray of shape (D,)
        From all rows: the middle of the range, which is cut at 1 and D.
    spread : ndarray of shape (D,)
        Standard deviation of each rank between half-samples that share no row.
    n_pairs : int
        Of half-samples.
    q_values : ndarray of shape (D,)

    Returns
    -------
    low, high : ndarray of shape (D,)

    Examples
    --------
    >>> low, high = rank_intervals(np.array([1.0, 2.0, 3.0]), np.full(3, 0.5), 10, np.array([0.0, 0.5, 1.0]))
    >>> low.round(2), high.round(2)
    (array([1.  , 1.28, 2.28]), array([1.38, 2.72, 3.  ]))
    """
    share = _OF_RELATED + (_OF_NOISE - _OF_RELATED) * np.minimum(2 * q_values, 1.0)
    reach = stdtrit(n_pairs, (1 + COVERAGE) / 2) * spread * np.sqrt(share)
    return np.maximum(ranks - reach, 1.0), np.minimum(ranks + reach, float(len(ranks)))
