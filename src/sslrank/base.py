"""The contract of every ranker: a scikit-learn estimator and selector that accepts missing labels."""

from abc import ABCMeta, abstractmethod
from dataclasses import dataclass, replace
from numbers import Integral, Real

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from sslrank.seeds import resolve_seed
from sslrank.targets import encode_targets


@dataclass(frozen=True)
class Features:
    """The descriptive side of n rows, checked and coded.

    Attributes
    ----------
    values : ndarray or csr_array of shape (n, D), float64
        Numbers; codes 0..k-1 in a nominal column. NaN marks a missing value. Dense arrays are C-contiguous.
    n_categories : ndarray of shape (D,), int32
        0 for a numeric column, the number of categories of a nominal one.
    """

    values: np.ndarray | sparse.csr_array
    n_categories: np.ndarray

    @property
    def nominal(self):
        """Mask of the nominal columns, shape (D,)."""
        return self.n_categories > 0

    @property
    def shape(self):
        """(rows, columns)."""
        return self.values.shape

    def rows(self, index):
        """Some rows (index array, mask or slice), coded as before."""
        return replace(self, values=self.values[index])


def encode_features(X, categorical_features=None, *, accept_sparse=False, feature_names=None):
    """Check `X` and code its nominal columns.

    Parameters
    ----------
    X : array-like, DataFrame or sparse matrix of shape (n, D)
        NaN is a missing value. Columns of a DataFrame that are categorical, strings, objects or booleans are
        nominal.
    categorical_features : array-like of int, bool or str, optional
        Further nominal columns by index, mask or name. Their categories are the sorted distinct values.
    accept_sparse : bool, default=False
        Keep a sparse X as CSR; otherwise it is refused.
    feature_names : array-like of str, optional
        Names that `categorical_features` may refer to.

    Returns
    -------
    Features

    Raises
    ------
    ValueError
        On infinite values, text in a numeric column, no rows or columns, or an unknown nominal column.
    """
    if isinstance(X, pd.DataFrame):
        n_columns = X.shape[1]
        listed = _column_mask(categorical_features, n_columns, X.columns)
        columns, n_categories = [], np.zeros(n_columns, dtype=np.int32)
        for j in range(n_columns):
            column = X.iloc[:, j]
            if listed[j] or not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
                coded = column if isinstance(column.dtype, pd.CategoricalDtype) else column.astype("category")
                codes = coded.cat.codes.to_numpy(dtype=np.float64, copy=True)
                codes[codes < 0] = np.nan
                n_categories[j] = max(len(coded.cat.categories), 1)
                columns.append(codes)
            else:
                columns.append(column.to_numpy(dtype=np.float64, na_value=np.nan))
        values = np.column_stack(columns) if columns else np.empty(X.shape)
        values = check_array(values, dtype=np.float64, order="C", ensure_all_finite="allow-nan")
        return Features(values, n_categories)
    values = check_array(
        X,
        accept_sparse="csr" if accept_sparse else False,
        dtype=np.float64,
        order="C",
        ensure_all_finite="allow-nan",
        input_name="X",
    )
    n_categories = np.zeros(values.shape[1], dtype=np.int32)
    listed = np.flatnonzero(_column_mask(categorical_features, values.shape[1], feature_names))
    if sparse.issparse(values):
        if listed.size:
            raise ValueError("a sparse X has numeric columns only; pass nominal columns in a dense X")
        return Features(sparse.csr_array(values), n_categories)
    if listed.size:
        values = values.copy()
    for j in listed:
        known = ~np.isnan(values[:, j])
        categories, values[known, j] = np.unique(values[known, j], return_inverse=True)
        n_categories[j] = max(len(categories), 1)
    return Features(values, n_categories)


def _column_mask(columns, n_columns, names):
    mask = np.zeros(n_columns, dtype=bool)
    if columns is None:
        return mask
    columns = np.asarray(columns)
    if columns.size == 0:
        return mask
    if columns.dtype.kind == "b":
        if len(columns) != n_columns:
            raise ValueError(f"categorical_features is a mask of {len(columns)} columns, X has {n_columns}")
        return columns.copy()
    if columns.dtype.kind in "iu":
        if columns.min() < 0 or columns.max() >= n_columns:
            raise ValueError(f"categorical_features must be in 0..{n_columns - 1}, got {columns.tolist()}")
        mask[columns] = True
        return mask
    known = {} if names is None else {str(name): j for j, name in enumerate(names)}
    for name in columns.astype(str):
        if name not in known:
            raise ValueError(f"categorical_features names {name!r}, which X does not have")
        mask[known[name]] = True
    return mask


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
            raise ValueError(
                f"n_features_to_select must be None, an int >= 1 or a float in (0, 1], got {keep!r}"
            )

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
