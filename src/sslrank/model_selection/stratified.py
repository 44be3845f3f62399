"""Stratified folds: deal rows out to folds of equal size and equal class shares."""

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


def stratified_folds(targets, n_folds, seed=0):
    """Test folds of equal size, with equal shares of every class as far as that goes.

    Rows are shuffled, sorted by class (by value in single-target regression) and dealt out in turn. A class
    with fewer rows than folds is simply absent from some of them.

    Parameters
    ----------
    targets : Targets
    n_folds : int
        At least 2, at most the number of rows.
    seed : int, default=0

    Returns
    -------
    list of (train, test) arrays of row indices
    """
    n = len(targets.values)
    if not 2 <= n_folds <= n:
        raise ValueError(f"cv must be in 2..{n} (the number of rows), got {n_folds}")
    strata = targets.values[:, 0] if targets.task in ("classification", "str") else None
    parts = deal(n, n_folds, np.random.default_rng(seed), strata)
    return [(np.setdiff1d(np.arange(n), test), np.sort(test)) for test in parts]
