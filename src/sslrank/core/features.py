"""Check, encode and scale features.

:func:`encode_features` encodes, :func:`feature_ranges` and :func:`scaled_columns` scale. :mod:`sslrank.core.columns`
converts coded features to indicators and vectors.
"""

import warnings
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy import sparse

from sslrank.core.containers import DATE, NOMINAL, as_table, read_column
from sslrank.core.messages import quoted

#: Sums of products of larger values than this may overflow.
MAX_MAGNITUDE = 1e140


@dataclass(frozen=True)
class Features:
    """The features of n rows, checked and encoded.

    Attributes
    ----------
    values : ndarray or csr_array of shape (n, D), float64
        Numbers; codes 0..k-1 in a nominal column. NaN marks a missing value. Dense arrays are C-contiguous.
    n_categories : ndarray of shape (D,), int32
        0 for a numeric column, the number of categories of a nominal one.

    Examples
    --------
    >>> import numpy as np
    >>> features = encode_features(np.array([[1.5, 0.0], [2.0, 1.0]]), categorical_features=[1])
    >>> features.nominal, features.rows([1]).values
    (array([False,  True]), array([[2., 1.]]))
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
        """Select rows; codes are unchanged.

        Parameters
        ----------
        index : ndarray of int or bool, or slice

        Returns
        -------
        Features
        """
        return replace(self, values=self.values[index])

    def columns(self, index):
        """Select columns of a dense table.

        Parameters
        ----------
        index : ndarray of int

        Returns
        -------
        Features
        """
        return Features(np.ascontiguousarray(self.values[:, index]), self.n_categories[index])

    def without_unused_categories(self):
        """Renumber the categories that occur, for example after :meth:`rows`.

        Returns
        -------
        Features
            `self` if all categories occur.

        Examples
        --------
        >>> part = encode_features([[0.0], [1.0], [2.0]], categorical_features=[0]).rows([0, 2])
        >>> part.without_unused_categories()
        Features(values=array([[0.],
               [1.]]), n_categories=array([2], dtype=int32))
        """
        nominal = [j for j in np.flatnonzero(self.nominal) if self._has_unused(j)]
        if not nominal:
            return self
        values, n_categories = self.values.copy(), self.n_categories.copy()
        for j in nominal:
            _number_anew(values, n_categories, j)
        return Features(values, n_categories)

    def _has_unused(self, j):
        """Check if a category of a nominal column does not occur."""
        codes = self.values[:, j]
        return np.count_nonzero(np.bincount(codes[~np.isnan(codes)].astype(np.intp))) < self.n_categories[j]


def _number_anew(values, n_categories, j):
    """Encode the distinct known values of a column as 0..k-1."""
    known = ~np.isnan(values[:, j])
    categories, values[known, j] = np.unique(values[known, j], return_inverse=True)
    n_categories[j] = max(len(categories), 1)


def encode_features(X, categorical_features=None, *, accept_sparse=False):
    """Check `X` and encode its nominal columns.

    Parameters
    ----------
    X : array-like, DataFrame, polars or Arrow table, or sparse matrix of shape (n, D)
        NaN, None and masked values are missing. Columns of categories, texts or booleans (also of type object) are
        nominal, with the categories that occur; numeric objects (Decimal, Fraction) are numbers. Dates, times,
        durations and periods are refused.
    categorical_features : array-like of int, bool or str, optional
        Further nominal columns by index, mask or (of a table with names) name, whose categories are the sorted distinct
        values.
    accept_sparse : bool, default=False
        Keep a sparse X as CSR; otherwise it is refused.

    Returns
    -------
    Features

    Raises
    ------
    ValueError
        On infinite or complex values, dates and times, numbers and texts in one column, no rows or columns, or an
        unknown nominal column.
    TypeError
        If a value is neither a number nor a text.

    Examples
    --------
    >>> import pandas as pd
    >>> encode_features(pd.DataFrame({"a": [1.5, None], "shade": ["light", "dark"]}))
    Features(values=array([[1.5, 1. ],
           [nan, 0. ]]), n_categories=array([0, 2], dtype=int32))
    """
    X = as_table(X)
    if isinstance(X, pd.DataFrame):
        return _encode_frame(X, categorical_features, accept_sparse)
    values = _check_array(X, accept_sparse="csr" if accept_sparse else False, input_name="X")
    n_categories = np.zeros(values.shape[1], dtype=np.int32)
    listed = np.flatnonzero(_column_mask(categorical_features, values.shape[1]))
    if sparse.issparse(values):
        if listed.size:
            raise ValueError("a sparse X has numeric columns only; pass nominal columns in a dense X")
        return Features(sparse.csr_array(values), n_categories)
    if listed.size:
        values = values.copy()
    for j in listed:
        _number_anew(values, n_categories, j)
    return Features(values, n_categories)


def _encode_frame(X, categorical_features, accept_sparse):
    n_columns = X.shape[1]
    listed = _column_mask(categorical_features, n_columns, X.columns)
    n_categories = np.zeros(n_columns, dtype=np.int32)
    is_sparse = np.array([isinstance(kind, pd.SparseDtype) for kind in X.dtypes], dtype=bool)
    if accept_sparse and n_columns and is_sparse.all() and not listed.any():
        return encode_features(X.sparse.to_coo(), accept_sparse=True)
    # plain numbers are converted at once, because pandas loops slowly over the columns of a wide table
    plain = np.array([isinstance(kind, np.dtype) and kind.kind in "iuf" for kind in X.dtypes], dtype=bool) & ~listed
    values = np.empty(X.shape)
    values[:, plain] = (X if plain.all() else X.iloc[:, np.flatnonzero(plain)]).to_numpy(dtype=np.float64)
    for j in np.flatnonzero(~plain):
        name = X.columns[j]
        kind, column = read_column(X.iloc[:, j], name, nominal=bool(listed[j]))
        if kind == DATE:
            raise ValueError(f"column {quoted(name)} of X holds dates or times; give parts of them as numbers")
        if kind == NOMINAL:
            column, n_categories[j] = _occurring_codes(column)
            if n_categories[j] == 1 and np.isnan(column).any():
                warnings.warn(
                    f"column {quoted(name)} of X has one value besides missing ones, so its importance is 0; if a "
                    "missing value means 'no', make that a category: column.fillna('no')",
                    stacklevel=2,
                )
        values[:, j] = column
    if np.isinf(values).any():
        row, j = np.argwhere(np.isinf(values))[0]
        raise ValueError(
            f"X contains infinity: column {quoted(X.columns[j])}, row {row} (counted from 0); missing values are NaN"
        )
    return Features(values if values.size else _check_array(values), n_categories)


def _check_array(values, **options):
    """Check an array with scikit-learn, which refuses one without rows or columns."""
    from sklearn.utils.validation import check_array  # takes a second to load: jobs that only score do without

    return check_array(values, dtype=np.float64, order="C", ensure_all_finite="allow-nan", **options)


def _occurring_codes(values):
    """Encode a Categorical (NaN is missing) without categories that do not occur; also return their number."""
    occurs = np.bincount(values.codes + 1, minlength=len(values.categories) + 1)[1:] > 0
    number = np.append(np.cumsum(occurs) - 1.0, np.nan)  # code -1 takes the last one
    return number[values.codes], max(int(occurs.sum()), 1)


def _column_mask(columns, n_columns, names=()):
    mask = np.zeros(n_columns, dtype=bool)
    columns = np.asarray([] if columns is None else columns)
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
    positions = {str(name): j for j, name in enumerate(names)}
    for name in columns.astype(str):
        if name not in positions:
            raise ValueError(f"categorical_features names {quoted(name)}, which X does not have")
        mask[positions[name]] = True
    return mask


def feature_ranges(features):
    """Compute the smallest value and the range of every numeric column, over the known values of all rows.

    Parameters
    ----------
    features : Features
        The training rows, labelled and unlabelled ones.

    Returns
    -------
    minimum, spread : ndarray of shape (D,)
        0 and 1 for nominal and for entirely missing columns; a constant column has spread 1.

    Examples
    --------
    >>> feature_ranges(encode_features([[1.0, 5.0], [3.0, 5.0]]))
    (array([1., 5.]), array([2., 1.]))
    """
    low, high = _extremes(features.values)
    plain = features.nominal | (low > high)
    low, high = np.where(plain, 0.0, low), np.where(plain, 1.0, high)
    half = high / 2 - low / 2  # the range of two huge numbers would overflow
    return low, np.where(half > 0, np.minimum(half, np.finfo(np.float64).max / 2) * 2, 1.0)


def scaled_columns(values, seen=None):
    """Divide columns by their range.

    Parameters
    ----------
    values : ndarray of shape (n, D), float64
        NaN is missing.
    seen : ndarray of shape (m, D), optional
        Rows to compute the ranges from, `values` by default.

    Returns
    -------
    ndarray of shape (n, D), float64
        `seen` is mapped to [0, 1]; constant columns become 0, NaN stays NaN.

    Examples
    --------
    >>> import numpy as np
    >>> scaled_columns(np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]]))
    array([[0. , 0. ],
           [0.5, 0. ],
           [1. , 0. ]])
    """
    low, high = _extremes(values if seen is None else seen)
    half = high / 2 - low / 2
    varies = half > 0
    scaled = rescaled(values, np.where(varies, low, 0.0), np.where(varies, half, 0.5), halved=True)
    scaled[:, ~varies] = np.where(np.isnan(values[:, ~varies]), np.nan, 0.0)
    return scaled


def rescaled(values, low, spread, *, halved=False):
    """Compute ``(values - low) / spread`` without overflow for columns of very large range.

    Parameters
    ----------
    values : ndarray of shape (n, D)
    low, spread : ndarray of shape (D,)
    halved : bool, default=False
        Whether `spread` is halved, because the range may exceed the largest float64.

    Returns
    -------
    ndarray of shape (n, D)

    Examples
    --------
    >>> import numpy as np
    >>> rescaled(np.array([[1.0], [3.0]]), low=np.array([1.0]), spread=np.array([4.0]))
    array([[0. ],
           [0.5]])
    """
    scaled = values * 0.5
    scaled -= low / 2
    scaled /= spread if halved else spread / 2
    return scaled


def _extremes(values):
    """Compute the smallest and largest known value of each column; inf and -inf if none is known."""
    if sparse.issparse(values):
        return values.min(axis=0).toarray().ravel(), values.max(axis=0).toarray().ravel()
    return np.fmin.reduce(values, axis=0, initial=np.inf), np.fmax.reduce(values, axis=0, initial=-np.inf)


def check_magnitude(features):
    """Raise ValueError if sums of products of rows might overflow.

    Parameters
    ----------
    features : Features

    Raises
    ------
    ValueError
        If a value is larger than :data:`MAX_MAGNITUDE`; the message names the column.

    Examples
    --------
    >>> check_magnitude(encode_features([[1.0], [1e200]]))
    Traceback (most recent call last):
        ...
    ValueError: column 0 of X (counted from 0): values too large (1e+200), rescale it
    """
    largest = np.maximum(*map(np.abs, _extremes(features.values)))
    largest[~np.isfinite(largest)] = 0.0  # nothing is known
    if (largest > MAX_MAGNITUDE).any():
        j = int(np.argmax(largest > MAX_MAGNITUDE))
        raise ValueError(f"column {j} of X (counted from 0): values too large ({largest[j]:.3g}), rescale it")
