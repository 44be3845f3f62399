"""Features as plain numbers, for methods that are stated for vectors."""

from dataclasses import dataclass

import numpy as np

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
    features : sslrank.base.Features
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
