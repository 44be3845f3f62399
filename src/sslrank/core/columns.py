"""Convert coded features to numeric columns: indicators, imputed and scaled vectors.

:func:`expand` makes a block of columns per feature, :func:`fill_means` imputes. Predictors use :func:`design_matrix`,
graphs :func:`numeric_rows`.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from sslrank.core.features import check_magnitude, feature_ranges, rescaled
from sslrank.core.validation import check_choice

SCALES = (None, "range", "standard")


@dataclass(frozen=True)
class Columns:
    """A numeric matrix with a block of columns for each feature.

    Attributes
    ----------
    values : ndarray of shape (n, W), float64, C-contiguous
    starts : ndarray of shape (D + 1,), int32
        Feature j has columns starts[j] to starts[j + 1] - 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.core.features import encode_features
    >>> columns = expand(encode_features(pd.DataFrame({"a": [1.5, 2.0], "shade": ["light", "dark"]})))
    >>> columns.owner, columns.sum_by_feature([1.0, 2.0, 3.0])
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
        """Feature of each column, shape (W,)."""
        return np.repeat(np.arange(self.n_features), np.diff(self.starts))

    def positions_of(self, features):
        """Look up the columns of features, in the order in which the features are given.

        Parameters
        ----------
        features : array-like of int

        Returns
        -------
        ndarray of int32
        """
        features = np.asarray(features, dtype=np.int32)
        first = self.starts[features]
        widths = self.starts[features + 1] - first
        if (widths == 1).all():
            return first
        within = np.arange(widths.sum()) - np.repeat(np.cumsum(widths) - widths, widths)
        return (np.repeat(first, widths) + within).astype(np.int32)

    def rows(self, index, features=None):
        """Select rows, and optionally features.

        Parameters
        ----------
        index : ndarray of int or bool, or slice
        features : ndarray of bool, shape (D,), optional
            Mask of the features to keep.

        Returns
        -------
        Columns
        """
        if features is None:
            return replace(self, values=np.ascontiguousarray(self.values[index]))
        kept = np.flatnonzero(features[self.owner])
        starts = _starts(np.where(features, np.diff(self.starts), 0))
        return Columns(np.ascontiguousarray(self.values[np.ix_(index, kept)]), starts)

    def sum_by_feature(self, sums):
        """Sum the columns of each feature.

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
        Encode a nominal feature of at most two categories as one column of codes.

    Returns
    -------
    Columns
        A missing value is NaN, in all columns of its feature.

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.core.features import encode_features
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
    """Replace each missing value by the column's mean; 0 in an entirely missing column.

    Parameters
    ----------
    values : ndarray of shape (n, W)
    seen : ndarray of int, or slice, optional
        Rows to compute the means from, all by default.

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
    # Row-major in memory, because the order of summation, and with it the last bits, depends on the layout.
    part = np.ascontiguousarray(values if seen is None else values[seen])
    known = ~np.isnan(part)
    means = np.sum(part, axis=0, where=known) / np.maximum(known.sum(axis=0), 1)
    return np.where(missing, means, values)


def design_matrix(features, fit_rows, one_hot=1.0):
    """Impute, encode nominal features and scale, fitted on the training rows.

    A missing number becomes the training mean, a missing category the most frequent one. A nominal feature
    with two categories is one column of 0 and 1, one with more has a 0/1 column per category. Numbers are
    scaled to [0, 1] over the training rows. (WEKA's SMO, which the eca paper used, does the same.)

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
    >>> from sslrank.core.features import encode_features
    >>> design_matrix(encode_features([[1.0, 5.0], [np.nan, 7.0], [3.0, 6.0]]), np.array([0, 2])).values
    array([[0. , 0. ],
           [0.5, 2. ],
           [1. , 1. ]])
    """
    low, spread = (part[~features.nominal] for part in feature_ranges(features.rows(fit_rows)))
    if not features.nominal.any() and not sparse.issparse(features.values):  # no copies for coding
        values = rescaled(np.ascontiguousarray(features.values), low, spread)
        return Columns(fill_means(values, fit_rows), _starts(np.ones(features.shape[1], dtype=np.int32)))
    design = expand(_fill_categories(features, fit_rows), binary_codes=True)
    values, n_categories = design.values, features.n_categories[design.owner]
    numeric = np.flatnonzero(n_categories == 0)
    values[:, numeric] = fill_means(rescaled(values[:, numeric], low, spread), fit_rows)
    values[:, n_categories > 2] *= one_hot
    return design


def _fill_categories(features, fit_rows):
    """Replace missing values of nominal features by the most frequent category of the training rows."""
    values = features.values.copy()
    for j in np.flatnonzero(features.nominal):
        codes = values[:, j]
        seen = codes[fit_rows]
        counts = np.bincount(seen[~np.isnan(seen)].astype(np.intp), minlength=features.n_categories[j])
        codes[np.isnan(codes)] = np.argmax(counts)
    return replace(features, values=values)


def numeric_rows(features, scale=None):
    """Convert coded features to vectors.

    For methods whose equations need real vectors. A nominal feature becomes one indicator per category, divided by
    sqrt(2), so that two different categories have squared distance 1; sums over its columns belong to the feature. A
    missing value is replaced by the mean of its column (for indicators, the share of the category). Columns are shifted
    to about zero; a constant column is exactly zero.

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
        If `scale` is unknown or a value is larger than :data:`sslrank.core.features.MAX_MAGNITUDE`.

    Examples
    --------
    >>> from sslrank.core.features import encode_features
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
    Z -= center(Z)  # changes no score
    Z[:, low == high] = 0.0
    return replace(columns, values=Z)


def center(Z):
    """Compute a shift of columns that makes products of rows accurate: their means, rounded for integers.

    Products of integers are then exact, so equal distances are equal on every processor.

    Parameters
    ----------
    Z : ndarray of shape (n, W)

    Returns
    -------
    ndarray of shape (W,)

    Examples
    --------
    >>> import numpy as np
    >>> center(np.array([[1.0, 2.0], [4.0, 3.0]])), center(np.array([[1.5], [3.0]]))
    (array([2., 2.]), array([2.25]))
    """
    mean = Z.mean(axis=0)
    return np.round(mean) if is_whole(Z) else mean


def is_whole(Z):
    """Check if products of rows are sums of integers that float64 represents exactly.

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
