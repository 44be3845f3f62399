"""Cross-validation that trains on unlabelled rows too and judges on labelled ones only."""

from numbers import Integral

import numpy as np
import pandas as pd
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils.validation import _num_samples

from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.targets import encode_targets
from sslrank.model_selection.stratified import grouped_folds, stratified_folds


def labeled_folds(targets, n_folds, seed=0, groups=None):
    """Split the labelled rows into folds; unlabelled rows are in every training part, never in a test part.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
    n_folds : int
        At least 2, at most the number of labelled rows, or of groups with labelled rows.
    seed : int, default=0
    groups : array-like of shape (n,), optional
        Rows of one group are never in both parts of a fold: unlabelled rows of the test part's groups are in neither.

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
    found = []
    for train, test in grouped_folds(targets.rows(labeled), groups[labeled], n_folds, seed):
        apart = unlabeled[~np.isin(groups[unlabeled], groups[labeled[test]])]
        found.append((np.sort(np.concatenate([labeled[train], apart])), labeled[test]))
    return found


class LabeledKFold(BaseCrossValidator):
    """Split rows for scikit-learn's cross-validation where y has missing labels.

    Each labelled row is tested once, stratified by class; unlabelled rows are in every training part and in no test
    part. ``KFold`` would test on unlabelled rows. With `groups`, no group is in both parts: unlabelled rows of the
    groups that are tested are in neither part.

    Parameters
    ----------
    n_splits : int, default=5
    task : str, default="auto"
        Kind of target, see :func:`sslrank.core.targets.encode_targets`; it decides whether -1 is a missing label.
    random_state : int, RandomState, Generator or None, default=None

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank import LabeledKFold
    >>> y = np.array([0, 1, -1, 0, 1, -1])
    >>> for train, test in LabeledKFold(2, random_state=0).split(np.zeros((6, 1)), y):
    ...     print(set(test) <= {0, 1, 3, 4}, {2, 5} <= set(train))
    True True
    True True
    """

    def __init__(self, n_splits=5, *, task="auto", random_state=None):
        if isinstance(n_splits, bool) or not isinstance(n_splits, Integral) or n_splits < 2:
            raise ValueError(f"n_splits must be an int >= 2, got {n_splits!r}")
        self.n_splits = n_splits
        self.task = task
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        """Return the number of folds.

        Parameters
        ----------
        X, y, groups : object
            Ignored.

        Returns
        -------
        int
        """
        return self.n_splits

    def split(self, X, y=None, groups=None):
        """Yield training and test rows of each fold.

        Parameters
        ----------
        X : array-like of shape (n, D)
        y : array-like of shape (n,) or (n, T)
            None, NaN (and -1 in integers) are unlabelled.
        groups : array-like of shape (n,), optional
            Rows that belong together, such as those of a patient.

        Yields
        ------
        train, test : ndarray of int
            Sorted.

        Raises
        ------
        ValueError
            If y is None, or has fewer labelled rows (or groups with labelled rows) than folds.
        """
        if y is None:
            raise ValueError("y is needed: it says which rows have a label")
        targets = encode_targets(y, _num_samples(X), task=self.task)
        yield from labeled_folds(targets, self.n_splits, resolve_seed(self.random_state), groups)
