"""The contract of every ranker: a scikit-learn estimator and selector that accepts missing labels."""

from abc import ABCMeta, abstractmethod
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from sslrank.columns import encode_features
from sslrank.seeds import resolve_seed
from sslrank.targets import encode_targets


class BaseRanker(SelectorMixin, BaseEstimator, metaclass=ABCMeta):
    """Base class of all rankers.

    A subclass stores its parameters in ``__init__`` (at least the four below) and implements :meth:`_rank`.
    It sets `_tasks` to the kinds of target it supports and, when it can work on a sparse X, `_accept_sparse`.

    Parameters
    ----------
    n_features_to_select : int, float or None
        How many features :meth:`get_support` keeps: a number, a share in (0, 1], or half of them for None.
    categorical_features : array-like of int, bool or str, optional
        Nominal columns besides the non-numeric ones of a DataFrame.
    n_jobs : int or None
        Threads; None is 1 and -1 is all. The result does not depend on it.
    random_state : int, RandomState, Generator or None
        Seed of everything random.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,), float64
        Higher is better.
    ranking_ : ndarray of shape (n_features,), int
        1 is the best feature. Equal importances rank in column order.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Only when X has string column names.
    """

    _tasks = frozenset()
    _accept_sparse = False

    def fit(self, X, y=None, **fit_params):
        """Rank the features.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
            NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_targets), optional
            NaN (or -1 in an integer y of classes) is a missing target; see
            :func:`sslrank.targets.encode_targets`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X or y is malformed, or the ranker does not support this kind of target.
        """
        self._check_common_params()
        features, targets = self._encode(X, y)
        importances = np.ascontiguousarray(self._rank(features, targets, **fit_params), dtype=np.float64)
        self.feature_importances_ = importances
        self.ranking_ = rank_features(importances)
        return self

    @abstractmethod
    def _rank(self, features, targets):
        """Importances, shape (n_features,), of coded :class:`Features` and targets."""

    def _encode(self, X, y):
        validate_data(self, X, skip_check_array=True)
        features = encode_features(
            X,
            self.categorical_features,
            accept_sparse=self._accept_sparse,
            feature_names=getattr(self, "feature_names_in_", None),
        )
        self.n_features_in_ = features.shape[1]
        targets = encode_targets(
            y,
            features.shape[0],
            task=getattr(self, "task", "auto"),
            hierarchy=getattr(self, "hierarchy", None),
            alpha=getattr(self, "hierarchy_alpha", 0.75),
        )
        if targets.task not in self._tasks:
            if targets.task == "none":
                raise ValueError(
                    f"{type(self).__name__} requires y to be passed, but the target y is None: it "
                    "cannot rank without a target"
                )
            raise ValueError(
                f"{type(self).__name__} does not support targets of kind {targets.task!r}; it supports "
                f"{', '.join(sorted(self._tasks))}"
            )
        if getattr(self, "supervised", False):
            labeled = targets.labeled
            if not labeled.any():
                raise ValueError("supervised=True needs at least one labelled row, y has none")
            features, targets = features.rows(labeled), targets.rows(labeled)
        return features, targets

    def _check_common_params(self):
        keep = self.n_features_to_select
        whole = isinstance(keep, Integral) and not isinstance(keep, bool) and keep >= 1
        share = isinstance(keep, Real) and not isinstance(keep, Integral) and 0 < keep <= 1
        if keep is not None and not whole and not share:
            raise ValueError(f"n_features_to_select must be None, an int >= 1 or a float in (0, 1], got {keep!r}")

    def _seed(self):
        return resolve_seed(self.random_state)

    def _get_support_mask(self):
        check_is_fitted(self)
        n_features = self.n_features_in_
        keep = self.n_features_to_select
        if keep is None:
            count = max(1, n_features // 2)
        elif isinstance(keep, Integral):
            count = keep
        else:
            count = max(1, int(keep * n_features))
        return self.ranking_ <= count

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = self._accept_sparse
        tags.target_tags.required = "none" not in self._tasks
        tags.target_tags.multi_output = bool(self._tasks & {"mtr", "mlc", "hmlc"})
        return tags


def rank_features(importances):
    """Ranks of importances: 1 is the highest, equal ones in column order."""
    ranking = np.empty(len(importances), dtype=np.intp)
    ranking[np.argsort(-np.asarray(importances), kind="stable")] = np.arange(1, len(importances) + 1)
    return ranking
