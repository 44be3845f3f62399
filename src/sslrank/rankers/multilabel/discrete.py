"""Discretised features as 0/1 indicators, and mutual information from their products."""

from math import log

import numpy as np
from scipy.special import xlogy

from sslrank.core.columns import expand
from sslrank.core.features import Features
from sslrank.core.validation import check_count


class Indicators:
    """One 0/1 column for each value of each feature.

    Numeric features with more than `n_bins` values are cut into `n_bins` intervals of equal width; a missing value is a
    separate value.

    Parameters
    ----------
    features : sslrank.core.features.Features
    n_bins : int

    Attributes
    ----------
    columns : ndarray of shape (n, W), float32
        Products of columns count rows; exact below 2**24.
    starts : ndarray of shape (D + 1,)
        Feature j has columns starts[j] to starts[j + 1] - 1.

    Examples
    --------
    >>> from sslrank.core.features import encode_features
    >>> Indicators(encode_features([[1.0, 0.0], [2.0, 0.0], [1.0, 5.0]]), n_bins=2).columns
    array([[1., 0., 1., 0.],
           [0., 1., 1., 0.],
           [1., 0., 0., 1.]], dtype=float32)
    """

    def __init__(self, features, n_bins):
        check_count("n_bins", n_bins, least=2)
        codes = np.empty(features.shape)
        for j, column in enumerate(features.values.T):
            codes[:, j] = np.unique(_discretize_column(column, features.nominal[j], n_bins), return_inverse=True)[1]
        indicators = expand(Features(codes, codes.max(axis=0).astype(np.int32) + 1))
        self.columns = indicators.values.astype(np.float32)
        self.starts = indicators.starts
        self.n_rows = len(self.columns)

    def of(self, feature):
        """Return the columns of one feature.

        Parameters
        ----------
        feature : int

        Returns
        -------
        ndarray of shape (n, n_values)
        """
        return self.columns[:, self.starts[feature] : self.starts[feature + 1]]

    def counts(self, others):
        """Count the rows for each value and each of the other indicators.

        Parameters
        ----------
        others : ndarray of shape (n, m), 0 or 1

        Returns
        -------
        ndarray of shape (W, m)
        """
        return (self.columns.T @ others.astype(np.float32, copy=False)).astype(np.float64)

    def information(self, cells):
        """Compute the mutual information, in nats, of every feature with each of some discrete variables.

        Parameters
        ----------
        cells : sequence of ndarray of shape (W, m)
            For each value of the variables, the counts by the values of each feature.

        Returns
        -------
        ndarray of shape (D, m)
        """
        joint = sum(self._fold(_xlogx(cell)) for cell in cells)
        feature = self._fold(_xlogx(sum(cells)))
        other = sum(_xlogx(self._fold(cell)) for cell in cells)
        n = float(self.n_rows)
        return (joint - feature - other) / n + log(n)

    def _fold(self, values):
        return np.add.reduceat(values, self.starts[:-1], axis=0)


def _discretize_column(column, nominal, n_bins):
    missing = np.isnan(column)
    known = column[~missing]
    codes = np.full(len(column), -1.0)
    if nominal or len(np.unique(known)) <= n_bins:
        codes[~missing] = np.unique(known, return_inverse=True)[1]
    else:
        low, high = known.min(), known.max()
        # a value on the border of two intervals belongs to the upper one, whatever the unit rounds it to
        codes[~missing] = np.minimum(np.floor((known - low) / (high - low) * n_bins + 1e-9), n_bins - 1)
    return codes


def _xlogx(counts):
    return xlogy(counts, counts)  # NumPy's logarithm has other last bits where a processor has AVX-512


def label_information(indicators, labels):
    """Compute the mutual information of every feature with every label.

    Parameters
    ----------
    indicators : Indicators
    labels : ndarray of shape (n, C), 0 or 1

    Returns
    -------
    ndarray of shape (D, C)
        In nats.

    Examples
    --------
    >>> from sslrank.core.features import encode_features
    >>> indicators = Indicators(encode_features([[0.0], [0.0], [1.0], [1.0]]), n_bins=2)
    >>> label_information(indicators, np.array([[0, 0], [0, 1], [1, 0], [1, 1]])).round(3)
    array([[0.693, 0.   ]])
    """
    ones = indicators.counts(labels)
    all_rows = indicators.columns.sum(axis=0, dtype=np.float64)[:, None]
    return indicators.information([ones, all_rows - ones])
