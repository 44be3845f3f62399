"""Turn features into numbers: coded columns, indicators, imputed and scaled vectors.

Every way from a data frame to the arrays of a ranker or a predictor is here, once: :func:`encode_features` codes,
:func:`expand` makes a block of columns per feature, :func:`fill_means` imputes, :func:`feature_ranges` and
:func:`scaled_columns` scale; :func:`design_matrix` and :func:`numeric_rows` are what predictors and graphs make of
these.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import check_array

from sslrank.core.containers import DATE, NOMINAL, as_table, read_column
from sslrank.core.messages import quoted
from sslrank.core.validation import check_choice


@dataclass(frozen=True)
class Features:
    """The descriptive side of n rows, checked and coded.

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
        """Select rows; codes stay.

        Parameters
        ----------
        index : ndarray of int or bool, or slice

        Returns
        -------
        Features
        """
        return replace(self, values=self.values[index])


def encode_features(X, categorical_features=None, *, accept_sparse=False, feature_names=None):
    """Check `X` and code its nominal columns.

    Parameters
    ----------
    X : array-like, DataFrame, polars or Arrow table, or sparse matrix of shape (n, D)
        NaN, None and masked values are missing. Columns that are categorical, texts or booleans are nominal, also
        where their type is object, with the categories that occur; objects that are numbers (Decimal, Fraction) are
        numbers. Dates, times, durations and periods are refused.
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


def _encode_frame(X, categorical_features, accept_sparse):
    n_columns = X.shape[1]
    listed = _column_mask(categorical_features, n_columns, X.columns)
    n_categories = np.zeros(n_columns, dtype=np.int32)
    is_sparse = np.array([isinstance(kind, pd.SparseDtype) for kind in X.dtypes], dtype=bool)
    if accept_sparse and n_columns and is_sparse.all() and not listed.any():
        return encode_features(X.sparse.to_coo(), accept_sparse=True)
    # plain numbers are taken at once, as pandas takes its time over each column of a wide table
    plain = np.array([isinstance(kind, np.dtype) and kind.kind in "iuf" for kind in X.dtypes], dtype=bool) & ~listed
    values = np.empty(X.shape)
    values[:, plain] = (X if plain.all() else X.iloc[:, np.flatnonzero(plain)]).to_numpy(dtype=np.float64)
    for j in np.flatnonzero(~plain):
        name = X.columns[j]
        kind, found = read_column(X.iloc[:, j], name, nominal=bool(listed[j]))
        if kind == DATE:
            raise ValueError(f"column {quoted(name)} of X holds dates or times; give parts of them as numbers")
        if kind == NOMINAL:
            found, n_categories[j] = _occurring_codes(found)
        values[:, j] = found
    if np.isinf(values).any():
        row, j = np.argwhere(np.isinf(values))[0]
        raise ValueError(
            f"X contains infinity: column {quoted(X.columns[j])}, row {row} (counted from 0); missing values are NaN"
        )
    values = check_array(values, dtype=np.float64, order="C", ensure_all_finite="allow-nan")
    return Features(values, n_categories)


def _occurring_codes(values):
    """Codes of a Categorical (NaN is missing) and their number, without categories that do not occur."""
    occurs = np.bincount(values.codes + 1, minlength=len(values.categories) + 1)[1:] > 0
    number = np.append(np.cumsum(occurs) - 1.0, np.nan)  # code -1 takes the last one
    return number[values.codes], max(int(occurs.sum()), 1)


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
            raise ValueError(f"categorical_features names {quoted(name)}, which X does not have")
        mask[known[name]] = True
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
        The rows that decide the ranges, `values` by default.

    Returns
    -------
    ndarray of shape (n, D), float64
        `seen` is mapped to [0, 1]; constant columns are 0, NaN stays.

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
    scaled = in_units(values, np.where(varies, low, 0.0), np.where(varies, half, 0.5), halved=True)
    scaled[:, ~varies] = np.where(np.isnan(values[:, ~varies]), np.nan, 0.0)
    return scaled


def in_units(values, low, spread, *, halved=False):
    """Compute ``(values - low) / spread``, by halves, so that the widest columns do not overflow.

    Parameters
    ----------
    values : ndarray of shape (n, D)
    low, spread : ndarray of shape (D,)
    halved : bool, default=False
        Whether `spread` is half of it, as the range of the widest columns is no float64.

    Returns
    -------
    ndarray of shape (n, D)

    Examples
    --------
    >>> import numpy as np
    >>> in_units(np.array([[1.0], [3.0]]), low=np.array([1.0]), spread=np.array([4.0]))
    array([[0. ],
           [0.5]])
    """
    scaled = values * 0.5
    scaled -= low / 2
    scaled /= spread if halved else spread / 2
    return scaled


def _extremes(values):
    """Smallest and largest known value of every column; inf and -inf where none is known."""
    if sparse.issparse(values):
        return values.min(axis=0).toarray().ravel(), values.max(axis=0).toarray().ravel()
    return np.fmin.reduce(values, axis=0, initial=np.inf), np.fmax.reduce(values, axis=0, initial=-np.inf)


@dataclass(frozen=True)
class Columns:
    """A numeric matrix in which every feature has a block of columns.

    Attributes
    ----------
    values : ndarray of shape (n, W), float64, C-contiguous
    starts : ndarray of shape (D + 1,), int32
        Feature j has columns starts[j] to starts[j + 1] - 1.

    Examples
    --------
    >>> import pandas as pd
    >>> columns = expand(encode_features(pd.DataFrame({"a": [1.5, 2.0], "shade": ["light", "dark"]})))
    >>> columns.owner, columns.fold([1.0, 2.0, 3.0])
    (array([0, 1, 1]), array([1., 5.]))
    """

    values: np.ndarray
    starts: np.ndarray

    @property
    def n_features(self):
        """Number of features, D."""
        return len(self.starts) - 1

    @cached_property
    def owner(self):
        """The feature that each column belongs to, shape (W,)."""
        return np.repeat(np.arange(self.n_features), np.diff(self.starts))

    def columns(self, features):
        """Look up the columns of features, in the order in which the features are given.

        Parameters
        ----------
        features : array-like of int

        Returns
        -------
        ndarray of int32
        """
        features = np.asarray(features, dtype=np.int32)
        first, widths = self.starts[features], np.diff(self.starts)[features]
        within = np.arange(widths.sum()) - np.repeat(np.cumsum(widths) - widths, widths)
        return (np.repeat(first, widths) + within).astype(np.int32)

    def rows(self, index, features=None):
        """Select rows, and optionally features.

        Parameters
        ----------
        index : ndarray of int or bool, or slice
        features : ndarray of bool, shape (D,), optional
            Features that are not in the mask keep no column.

        Returns
        -------
        Columns
        """
        if features is None:
            return replace(self, values=np.ascontiguousarray(self.values[index]))
        kept = np.flatnonzero(features[self.owner])
        starts = _starts(np.where(features, np.diff(self.starts), 0))
        return Columns(np.ascontiguousarray(self.values[np.ix_(index, kept)]), starts)

    def fold(self, sums):
        """Add up the columns of each feature.

        Parameters
        ----------
        sums : array-like of shape (W,)

        Returns
        -------
        ndarray of shape (D,)
        """
        return np.bincount(self.owner, weights=sums, minlength=self.n_features)


def _starts(widths):
    return np.concatenate([[0], np.cumsum(widths)]).astype(np.int32)


def expand(features, *, binary_codes=False):
    """Make one column per numeric feature and one 0/1 indicator per category of a nominal feature.

    Parameters
    ----------
    features : Features
    binary_codes : bool, default=False
        A nominal feature of at most two categories is one column, its codes.

    Returns
    -------
    Columns
        A missing value is NaN, in all columns of its feature.

    Examples
    --------
    >>> import pandas as pd
    >>> expand(encode_features(pd.DataFrame({"a": [1.5, 2.0], "shade": ["light", "dark"]}))).values
    array([[1.5, 0. , 1. ],
           [2. , 1. , 0. ]])
    """
    values = features.values.toarray() if sparse.issparse(features.values) else features.values
    split = features.n_categories > (2 if binary_codes else 0)
    starts = _starts(np.where(split, features.n_categories, 1))
    if not split.any():
        return Columns(np.array(values, order="C"), starts)
    out = np.empty((len(values), starts[-1]))
    out[:, starts[:-1][~split]] = values[:, ~split]
    for j in np.flatnonzero(split):
        block = out[:, starts[j] : starts[j + 1]]
        block[:] = values[:, j, None] == np.arange(features.n_categories[j])
        block[np.isnan(values[:, j])] = np.nan
    return Columns(out, starts)


def fill_means(values, seen=None):
    """Replace each missing value by the column's mean, 0 where nothing is known.

    Parameters
    ----------
    values : ndarray of shape (n, W)
    seen : ndarray of int, or slice, optional
        Rows that the means are of, all by default.

    Returns
    -------
    ndarray of shape (n, W)
        `values` itself if none is missing.

    Examples
    --------
    >>> import numpy as np
    >>> fill_means(np.array([[1.0], [np.nan], [3.0]]))
    array([[1.],
           [2.],
           [3.]])
    """
    missing = np.isnan(values)
    if not missing.any():
        return values
    part = values if seen is None else values[seen]
    known = ~np.isnan(part)
    means = np.sum(part, axis=0, where=known) / np.maximum(known.sum(axis=0), 1)
    return np.where(missing, means, values)


def design_matrix(features, fit_rows, one_hot=1.0):
    """Impute, code nominal features and scale, with what the training rows say.

    A missing number becomes the training mean, a missing category the most frequent one. A nominal feature
    with two categories is one column of 0 and 1, one with more has a 0/1 column per category. Numbers are
    scaled to [0, 1] over the training rows. (WEKA's SMO, which the eca paper used, prepares its input so.)

    Parameters
    ----------
    features : Features
        All n rows, D features.
    fit_rows : ndarray of int, or slice
        Training rows.
    one_hot : float, default=1.0
        The "1" of a nominal feature with three or more categories. With the square root of 1/2, two different
        categories are at squared distance 1, as in Eq. (6) of ssl-ranking.

    Returns
    -------
    Columns

    Examples
    --------
    >>> import numpy as np
    >>> design_matrix(encode_features([[1.0, 5.0], [np.nan, 7.0], [3.0, 6.0]]), np.array([0, 2])).values
    array([[0. , 0. ],
           [0.5, 2. ],
           [1. , 1. ]])
    """
    low, spread = (found[~features.nominal] for found in feature_ranges(features.rows(fit_rows)))
    if not features.nominal.any() and not sparse.issparse(features.values):  # no copies for coding
        values = in_units(np.ascontiguousarray(features.values), low, spread)
        return Columns(fill_means(values, fit_rows), _starts(np.ones(features.shape[1], dtype=np.int32)))
    design = expand(_fill_categories(features, fit_rows), binary_codes=True)
    values, n_categories = design.values, features.n_categories[design.owner]
    numeric = np.flatnonzero(n_categories == 0)
    values[:, numeric] = fill_means(in_units(values[:, numeric], low, spread), fit_rows)
    values[:, n_categories > 2] *= one_hot
    return design


def _fill_categories(features, fit_rows):
    """Nominal features with each missing value replaced by the most frequent category of the training rows."""
    if not features.nominal.any():
        return features
    values = features.values.copy()
    for j in np.flatnonzero(features.nominal):
        codes = values[:, j]
        seen = codes[fit_rows]
        counts = np.bincount(seen[~np.isnan(seen)].astype(np.intp), minlength=features.n_categories[j])
        codes[np.isnan(codes)] = np.argmax(counts)
    return replace(features, values=values)


SCALES = (None, "range", "standard")
#: Sums of products of larger values than this may overflow.
LARGEST = 1e140


def check_magnitude(features):
    """Raise if sums of products of rows might overflow.

    Parameters
    ----------
    features : Features

    Raises
    ------
    ValueError
        If a value is larger than :data:`LARGEST`; the message names the column.

    Examples
    --------
    >>> check_magnitude(encode_features([[1.0], [1e200]]))
    Traceback (most recent call last):
        ...
    ValueError: column 0 of X (counted from 0): values too large (1e+200), rescale it
    """
    largest = np.maximum(*map(np.abs, _extremes(features.values)))
    largest[~np.isfinite(largest)] = 0.0  # nothing is known
    if (largest > LARGEST).any():
        j = int(np.argmax(largest > LARGEST))
        raise ValueError(f"column {j} of X (counted from 0): values too large ({largest[j]:.3g}), rescale it")


def numeric_rows(features, scale=None):
    """Turn coded features into vectors.

    The equations of these methods are for real vectors. A nominal feature becomes one indicator per category,
    divided by sqrt(2), so that two rows are at squared distance 1 when their categories differ; sums over its
    columns are the feature's own. A missing value takes the mean of its column (of the indicators: the
    categories' shares). Columns are shifted to about zero; a constant column is exactly zero.

    Parameters
    ----------
    features : sslrank.core.features.Features
    scale : {None, "range", "standard"}
        Leave numeric columns as they are, divide them by their range, or by their standard deviation. The
        papers do not scale; features in different units need it, since the graph is built on distances.

    Returns
    -------
    Columns
        Without missing values.

    Raises
    ------
    ValueError
        If `scale` is unknown or a value is larger than :data:`LARGEST`.

    Examples
    --------
    >>> numeric_rows(encode_features([[1.0, 5.0], [3.0, 7.0]]), "range").values
    array([[-0.5, -0.5],
           [ 0.5,  0.5]])
    """
    check_choice("scale", scale, SCALES)
    check_magnitude(features)
    columns = expand(features)
    numeric = ~features.nominal[columns.owner]
    Z = columns.values
    Z[:, ~numeric] /= np.sqrt(2.0)
    Z = fill_means(Z)
    low, high = Z.min(axis=0), Z.max(axis=0)
    if scale is not None:
        divisor = high - low if scale == "range" else Z.std(axis=0)
        divisor[~numeric | (divisor == 0.0)] = 1.0
        Z /= divisor
    # A shift changes no score; the mean's keeps products accurate, a whole one keeps integers exact.
    shift = np.round(Z.mean(axis=0)) if is_whole(Z) else Z.mean(axis=0)
    Z -= shift
    Z[:, low == high] = 0.0
    return replace(columns, values=Z)


def is_whole(Z):
    """Tell if products of rows are sums of integers that float64 holds exactly.

    Parameters
    ----------
    Z : ndarray of shape (n, W)

    Returns
    -------
    bool

    Examples
    --------
    >>> import numpy as np
    >>> is_whole(np.array([[1.0, 2.0]])), is_whole(np.array([[1.5, 2.0]]))
    (True, False)
    """
    if Z.size == 0 or not (np.floor(Z) == Z).all():
        return False
    largest = float(np.abs(Z).max())
    return largest * largest * Z.shape[1] < 2.0**50
