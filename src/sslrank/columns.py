"""From features to numbers: coded columns, indicators, imputed and scaled vectors.

Every way from a data frame to the arrays of a ranker or a predictor is here, once.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import check_array


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


def feature_ranges(features):
    """Smallest value and range of every numeric column, over the known values of all rows.

    Parameters
    ----------
    features : Features
        The training rows, labelled and unlabelled ones.

    Returns
    -------
    minimum, spread : ndarray of shape (D,)
        0 and 1 for nominal and for entirely missing columns; a constant column has spread 1.
    """
    values = features.values
    if sparse.issparse(values):
        low, high = values.min(axis=0).toarray().ravel(), values.max(axis=0).toarray().ravel()
    else:
        known = ~np.isnan(values)
        low = np.min(values, axis=0, where=known, initial=np.inf)
        high = np.max(values, axis=0, where=known, initial=-np.inf)
    plain = features.nominal | (low > high)
    low, high = np.where(plain, 0.0, low), np.where(plain, 1.0, high)
    half = high / 2 - low / 2  # the range of two huge numbers would overflow
    return low, np.where(half > 0, np.minimum(half, np.finfo(np.float64).max / 2) * 2, 1.0)


@dataclass(frozen=True)
class Design:
    """A numeric matrix in which every feature has a block of columns.

    Attributes
    ----------
    values : ndarray of shape (n, n_columns), float64
    starts : ndarray of shape (D + 1,), int
        Feature j has columns starts[j] to starts[j + 1] - 1.
    """

    values: np.ndarray
    starts: np.ndarray

    def columns(self, selected):
        """Columns of some features, in the order in which the features are given."""
        return np.concatenate([np.arange(self.starts[j], self.starts[j + 1]) for j in selected])


def design_matrix(features, fit_rows, one_hot=1.0):
    """Impute, code nominal features and scale, with what the training rows say.

    A missing number becomes the training mean, a missing category the most frequent one. A nominal feature
    with two categories is one column of 0 and 1, one with more has a 0/1 column per category. Numbers are
    scaled to [0, 1] over the training rows. (WEKA's SMO, which the eca paper used, prepares its input so.)

    Parameters
    ----------
    features : Features
        All n rows, D features.
    fit_rows : ndarray of int
        Training rows.
    one_hot : float, default=1.0
        The "1" of a nominal feature with three or more categories. With the square root of 1/2, two different
        categories are at squared distance 1, as in Eq. (6) of ssl-ranking.

    Returns
    -------
    Design
    """
    values = features.values
    values = values.toarray() if sparse.issparse(values) else values
    n_categories = features.n_categories
    widths = np.where(n_categories > 2, n_categories, 1)
    starts = np.concatenate([[0], np.cumsum(widths)])
    out = np.zeros((values.shape[0], starts[-1]))
    numeric = np.flatnonzero(n_categories == 0)
    low, spread = feature_ranges(features.rows(fit_rows))
    scaled = (values[:, numeric] / 2 - low[numeric] / 2) / (spread[numeric] / 2)
    known = ~np.isnan(scaled[fit_rows])
    means = np.sum(scaled[fit_rows], axis=0, where=known) / np.maximum(known.sum(axis=0), 1)
    out[:, starts[numeric]] = np.where(np.isnan(scaled), means, scaled)
    for j in np.flatnonzero(n_categories):
        codes = values[:, j]
        seen = codes[fit_rows]
        counts = np.bincount(seen[~np.isnan(seen)].astype(np.intp), minlength=n_categories[j])
        codes = np.where(np.isnan(codes), np.argmax(counts), codes).astype(np.intp)
        if n_categories[j] > 2:
            out[np.arange(len(codes)), starts[j] + codes] = one_hot
        else:
            out[:, starts[j]] = codes
    return Design(out, starts)


SCALES = (None, "range", "standard")


@dataclass(frozen=True)
class NumericRows:
    """Rows as vectors of numbers.

    Attributes
    ----------
    Z : ndarray of shape (n, W), float64, C-contiguous
        Columns without missing values, shifted to about zero; a constant column is exactly zero.
    owner : ndarray of shape (W,)
        The feature that each column belongs to.
    n_features : int
    """

    Z: np.ndarray
    owner: np.ndarray
    n_features: int

    def fold(self, sums):
        """Add up the columns of each feature: (W,) to (n_features,)."""
        return np.bincount(self.owner, weights=sums, minlength=self.n_features)


def numeric_rows(features, scale=None):
    """Turn coded features into vectors.

    The equations of these methods are for real vectors. A nominal feature becomes one indicator per category,
    divided by sqrt(2), so that two rows are at squared distance 1 when their categories differ; sums over its
    columns are the feature's own. A missing value takes the mean of its column (of the indicators: the
    categories' shares).

    Parameters
    ----------
    features : sslrank.columns.Features
    scale : {None, "range", "standard"}
        Leave numeric columns as they are, divide them by their range, or by their standard deviation. The
        papers do not scale; features in different units need it, since the graph is built on distances.

    Returns
    -------
    NumericRows

    Raises
    ------
    ValueError
        If `scale` is unknown.
    """
    if scale not in SCALES:
        raise ValueError(f"scale must be one of {SCALES}, got {scale!r}")
    values, n_categories = features.values, features.n_categories
    if n_categories.any():
        columns, owner = [], []
        for j, count in enumerate(n_categories):
            column = values[:, j]
            if count:
                indicators = (column[:, None] == np.arange(count)) / np.sqrt(2.0)
                indicators[np.isnan(column)] = np.nan
                columns.append(indicators)
            else:
                columns.append(column[:, None])
            owner += [j] * max(count, 1)
        Z, owner = np.hstack(columns), np.array(owner, dtype=np.intp)
    else:
        Z, owner = values.copy(), np.arange(values.shape[1])
    missing = np.isnan(Z)
    if missing.any():
        known = (~missing).sum(axis=0)
        means = np.where(missing, 0.0, Z).sum(axis=0) / np.maximum(known, 1)
        Z[missing] = np.broadcast_to(means, Z.shape)[missing]
    low, high = Z.min(axis=0), Z.max(axis=0)
    numeric = n_categories[owner] == 0
    if scale is not None:
        divisor = high - low if scale == "range" else Z.std(axis=0)
        divisor[~numeric | (divisor == 0.0)] = 1.0
        Z /= divisor
    # A shift changes no score; the mean's keeps products accurate, a whole one keeps integers exact.
    shift = np.round(Z.mean(axis=0)) if is_whole(Z) else Z.mean(axis=0)
    Z -= shift
    Z[:, low == high] = 0.0
    return NumericRows(np.ascontiguousarray(Z), owner, values.shape[1])


def is_whole(Z):
    """Whether products of rows are sums of integers that float64 holds exactly."""
    if Z.size == 0 or not (np.floor(Z) == Z).all():
        return False
    return float(np.abs(Z).max()) ** 2 * Z.shape[1] < 2.0**50
