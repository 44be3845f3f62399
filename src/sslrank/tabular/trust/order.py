"""The order of the features: ranks by each method and by p-value, joined."""

import numpy as np
from scipy.stats import rankdata


def joint_ranks(ranks, related=None, pairs=None):
    """Join the ranks by several methods and by p-value, with features that a test shows before the others.

    The harmonic mean lets one member that ranks a feature first place it, where means would let the others outvote it
    (tests/measurements/README.md). A feature of a pair counts with the smallest p-value.

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
    is_shown = np.isin(np.arange(len(joint)), [*related.related, *pairs.features])
    return np.where(is_shown, joint, joint + len(joint))


def listed_by_tests(order, related, pairs, conditional=None):
    """List the features that tests show, each list in the order of the ranking.

    Parameters
    ----------
    order : ndarray of int
        Features, the best first.
    related : sslrank.hypothesis_tests.related.Related
    pairs : sslrank.hypothesis_tests.pairs.Pairs
    conditional : sslrank.hypothesis_tests.conditional.ConditionalTests, optional

    Returns
    -------
    adding, together, given_others : ndarray of int
        See :class:`sslrank.tabular.result.Ranking`. Without conditional tests the first and last are empty. Features of
        the block of one that is shown to be related, such as indicators of one category, are left out of the last.
    """
    together, adding, given_others = np.setdiff1d(pairs.features, related.related), [], []
    if conditional is not None:
        blocks, shown = conditional.blocks, [*related.related, *pairs.features]
        adding = np.intersect1d(conditional.named, related.related)
        given_others = [j for j in conditional.named if blocks[j] not in blocks[shown]]
    return tuple(order[np.isin(order, features)] for features in (adding, together, given_others))
