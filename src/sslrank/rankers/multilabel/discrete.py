"""Discrete features as indicators, and mutual information from products of indicators."""

import numpy as np


class Indicators:
    """One 0/1 column per value of every feature.

    Numeric features are cut into intervals of equal width, unless they have no more values than that; a
    missing value is a value of its own.

    Parameters
    ----------
    features : sslrank.columns.Features
    n_bins : int

    Attributes
    ----------
    columns : ndarray of shape (n, W), float32
        Products of such columns count rows, exactly below 2**24.
    starts : ndarray of shape (D,)
        First column of each feature.
    """

    def __init__(self, features, n_bins):
        if n_bins < 2:
            raise ValueError(f"n_bins must be at least 2, got {n_bins!r}")
        parts = []
        for column, nominal in zip(features.values.T, features.nominal, strict=True):
            codes = np.unique(_cut(column, nominal, n_bins), return_inverse=True)[1]
            parts.append((codes[:, None] == np.arange(codes.max() + 1)).astype(np.float32))
        self.columns = np.hstack(parts)
        self.starts = np.cumsum([0] + [part.shape[1] for part in parts])[:-1]
        self.n_rows = len(self.columns)

    def of(self, feature):
        """The columns of one feature."""
        stop = self.starts[feature + 1] if feature + 1 < len(self.starts) else self.columns.shape[1]
        return self.columns[:, self.starts[feature] : stop]

    def counts(self, others):
        """Rows with each value and each of some other indicators, (W, m)."""
        return (self.columns.T @ others.astype(np.float32, copy=False)).astype(np.float64)

    def information(self, cells):
        """Mutual information, in nats, of every feature with each of some discrete variables.

        Parameters
        ----------
        cells : sequence of ndarray of shape (W, m)
            For each value of the variables, the counts with every feature's values.

        Returns
        -------
        ndarray of shape (D, m)
        """
        joint = sum(self._fold(_xlogx(cell)) for cell in cells)
        feature = self._fold(_xlogx(sum(cells)))
        other = sum(_xlogx(self._fold(cell)) for cell in cells)
        n = float(self.n_rows)
        return (joint - feature - other) / n + np.log(n)

    def _fold(self, values):
        return np.add.reduceat(values, self.starts, axis=0)


def _cut(column, nominal, n_bins):
    missing = np.isnan(column)
    known = column[~missing]
    codes = np.full(len(column), -1.0)
    if nominal or len(np.unique(known)) <= n_bins:
        codes[~missing] = np.unique(known, return_inverse=True)[1]
    else:
        low, high = known.min(), known.max()
        codes[~missing] = np.minimum(np.floor((known - low) / (high - low) * n_bins), n_bins - 1)
    return codes


def _xlogx(counts):
    return counts * np.log(np.maximum(counts, 1.0))


def label_information(indicators, labels):
    """Mutual information of every feature with every label, (D, C)."""
    ones = indicators.counts(labels)
    all_rows = indicators.columns.sum(axis=0, dtype=np.float64)[:, None]
    return indicators.information([ones, all_rows - ones])
