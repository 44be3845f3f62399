"""Stratified folds of equal size and equal class shares."""

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed


def deal(n_rows, folds, rng, strata=None):
    """Distribute shuffled rows over folds, stratum by stratum.

    Parameters
    ----------
    n_rows, folds : int
    rng : numpy.random.Generator
    strata : ndarray of shape (n_rows,), optional
        Stratum of each row; strata are distributed in ascending order.

    Returns
    -------
    list of ndarray of int
        Rows of each fold. Fold sizes, in total and within each stratum, differ by at most one.

    Examples
    --------
    >>> import numpy as np
    >>> [sorted(rows.tolist()) for rows in deal(6, 2, np.random.default_rng(0), np.array([0, 0, 1, 1, 1, 1]))]
    [[0, 3, 5], [1, 2, 4]]
    """
    order = rng.permutation(n_rows)
    if strata is not None:
        order = order[np.argsort(strata[order], kind="stable")]
    return [order[i::folds] for i in range(folds)]


def stratified_folds(targets, n_folds, seed=0):
    """Split rows into test folds of equal size with nearly equal class shares.

    Rows are shuffled, sorted by class (by value in single-target regression) and distributed in turn. A class with
    fewer rows than folds is missing in some of them.

    Parameters
    ----------
    targets : Targets
    n_folds : int
        At least 2, at most the number of rows.
    seed : int, default=0

    Returns
    -------
    list of (train, test) arrays of row indices

    Raises
    ------
    ValueError
        If `n_folds` is not in 2..n.

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> for train, test in stratified_folds(encode_targets([0, 0, 1, 1], 4), 2):
    ...     print(train, test)
    [1 3] [0 2]
    [0 2] [1 3]
    """
    n = len(targets.values)
    if not 2 <= n_folds <= n:
        raise ValueError(f"cv must be in 2..{n} (the number of rows), got {n_folds}")
    strata = targets.values[:, 0] if targets.task in ("classification", "regression") else None
    parts = deal(n, n_folds, np.random.default_rng(seed), strata)
    return [(np.setdiff1d(np.arange(n), test), np.sort(test)) for test in parts]


def grouped_folds(targets, groups, n_folds, seed=0):
    """Split rows into test folds without splitting groups, with nearly equal sizes and class shares.

    Groups are assigned in descending size, ties in random order, each to the fold after which sizes and class shares
    differ least, as in scikit-learn's ``StratifiedGroupKFold``.

    Parameters
    ----------
    targets : Targets
    groups : array-like of shape (n,)
    n_folds : int
        At least 2, at most the number of groups.
    seed : int, default=0

    Returns
    -------
    list of (train, test) arrays of row indices

    Raises
    ------
    ValueError
        If there are fewer groups than folds.

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> for train, test in grouped_folds(encode_targets([0, 0, 1, 1], 4), [7, 8, 8, 7], 2):
    ...     print(train, test)
    [1 2] [0 3]
    [0 3] [1 2]
    """
    names, groups = np.unique(np.asarray(groups), return_inverse=True)
    n_groups = len(names)
    if not 2 <= n_folds <= n_groups:
        raise ValueError(f"the number of folds must be in 2..{n_groups} (the number of groups), got {n_folds}")
    shares = _strata(targets)
    sums = np.zeros((n_groups, shares.shape[1]))
    np.add.at(sums, groups, shares)
    sums /= np.maximum(sums.sum(axis=0), 1.0)
    shuffled = np.random.default_rng(seed).permutation(n_groups)
    order = shuffled[np.argsort(-np.bincount(groups)[shuffled], kind="stable")]
    filled, fold_of = np.zeros((n_folds, shares.shape[1])), np.empty(n_groups, dtype=np.intp)
    for group in order:
        # adding to fold k changes the sum of squares by 2 filled_k . sums + |sums|^2: the least of these is most equal
        cost = filled @ sums[group]
        fold_of[group] = np.lexsort((filled[:, 0], np.round(cost, 12)))[0]
        filled[fold_of[group]] += sums[group]
    test_fold = fold_of[groups]
    return [(np.flatnonzero(test_fold != fold), np.flatnonzero(test_fold == fold)) for fold in range(n_folds)]


def labeled_folds(targets, n_folds, seed=0, groups=None):
    """Split the labelled rows into folds; unlabelled rows are in all training sets and in no test set.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
    n_folds : int
        At least 2, at most the number of labelled rows, or of groups with labelled rows.
    seed : int, default=0
    groups : array-like of shape (n,), optional
        Rows of one group are not in both sets of a fold; unlabelled rows of tested groups are in neither.

    Returns
    -------
    list of (train, test) arrays of row indices, sorted

    Raises
    ------
    ValueError
        If there are fewer labelled rows, or groups with labelled rows, than folds.

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> for train, test in labeled_folds(encode_targets([0, 1, -1, 0, 1], 5), 2):
    ...     print(train, test)
    [2 3 4] [0 1]
    [0 1 2] [3 4]
    """
    labeled, unlabeled = np.flatnonzero(targets.labeled), np.flatnonzero(~targets.labeled)
    if len(labeled) < n_folds:
        raise ValueError(f"there are {len(labeled)} labelled rows, too few for {n_folds} folds")
    seed = derive_seed(seed, "folds")
    if groups is None:
        folds = stratified_folds(targets.rows(labeled), n_folds, seed)
        return [(np.sort(np.concatenate([labeled[train], unlabeled])), labeled[test]) for train, test in folds]
    groups = np.asarray(groups)
    if groups.shape != targets.labeled.shape:
        raise ValueError(f"groups must have one value per row, {len(targets.labeled)}, got shape {groups.shape}")
    if pd.isna(groups).any():
        raise ValueError(f"row {int(np.argmax(pd.isna(groups)))} (counted from 0) has no group")
    n_groups = len(np.unique(groups[labeled]))
    if n_groups < n_folds:
        raise ValueError(f"there are {n_groups} groups with labelled rows, too few for {n_folds} folds")
    pairs = []
    for train, test in grouped_folds(targets.rows(labeled), groups[labeled], n_folds, seed):
        apart = unlabeled[~np.isin(groups[unlabeled], groups[labeled[test]])]
        pairs.append((np.sort(np.concatenate([labeled[train], apart])), labeled[test]))
    return pairs


def _strata(targets):
    """Build columns whose sums should be equal in all folds: ones, and one per class, label or tenth of the values."""
    values = targets.values
    columns = [np.ones(len(values))]
    if targets.task == "classification":
        columns += [values[:, 0] == code for code in range(targets.n_classes)]
    elif targets.task == "regression":
        edges = np.unique(np.nanquantile(values[:, 0], np.arange(1, 10) / 10))
        tenth = np.searchsorted(edges, values[:, 0], side="right")
        columns += [tenth == code for code in range(len(edges) + 1)]
    elif targets.task in ("multilabel", "hierarchical"):
        columns += list((values == 1.0).T)
    return np.column_stack(columns).astype(np.float64)
