"""Cross-validation that trains on labelled and unlabelled rows, and tests on labelled ones."""

from numbers import Integral

from sklearn.model_selection import BaseCrossValidator
from sklearn.utils.validation import _num_samples

from sslrank.core.random_state import resolve_seed
from sslrank.core.stratified import labeled_folds
from sslrank.core.targets import encode_targets


class LabeledKFold(BaseCrossValidator):
    """Split rows for scikit-learn's cross-validation if y has missing labels.

    Each labelled row is tested once, stratified by class. Unlabelled rows are in all training sets and in no test set;
    ``KFold`` would test on them. With `groups`, no group is in both sets: unlabelled rows of a tested group are in
    neither.

    Parameters
    ----------
    n_splits : int, default=5
    task : str, default="auto"
        Kind of target, see :func:`sslrank.core.targets.encode_targets`; it determines whether -1 is a missing label.
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
