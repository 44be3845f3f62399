"""Dealing rows out to folds, apart from :mod:`sslrank.splits`, as rankers and error curves deal too."""

import numpy as np


def deal(n_rows, folds, rng, strata=None):
    """Deal shuffled rows out to folds, stratum after stratum.

    Parameters
    ----------
    n_rows, folds : int
    rng : numpy.random.Generator
    strata : ndarray of shape (n_rows,), optional
        Rows of equal value are one stratum; they are dealt in the order of the values.

    Returns
    -------
    list of ndarray of int
        The rows of each fold. Sizes, and sizes within each stratum, differ by at most one.
    """
    order = rng.permutation(n_rows)
    if strata is not None:
        order = order[np.argsort(strata[order], kind="stable")]
    return [order[i::folds] for i in range(folds)]
