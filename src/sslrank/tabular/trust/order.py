"""The order of the features: ranks by each method and by p-value, joined."""

import numpy as np
from scipy.stats import rankdata


def joint_ranks(ranks, related=None, pairs=None):
    """Join the ranks by several methods and by p-value, with features that a test shows before the others.

    The harmonic mean lets one member that ranks a feature first place it, where means would let the others outvote it
    (tests/benchmarks/README.md). A feature of a pair counts with the smallest p-value.

    Parameters
    ----------
    ranks : sequence of ndarray of shape (D,)
        Ranks by each method; 1 is the best.
    related : sslrank.hypothesis_tests.related.Related, optional
    pairs : sslrank.hypothesis_tests.pairs.Pairs, optional
        Given if `related` is.

    Returns
    -------
    ndarray of shape (D,)
        Low for good features: the harmonic mean of the ranks, plus D for features that no test shows.
    """
    if related is None:
        return len(ranks) / np.sum([1 / rank for rank in ranks], axis=0)
    p_values = related.p_values.copy()
    p_values[pairs.features] = p_values.min()
    joint = joint_ranks([*ranks, rankdata(p_values)])
    shown = np.isin(np.arange(len(joint)), [*related.related, *pairs.features])
    return np.where(shown, joint, joint + len(joint))
