"""Features as the columns that a base learner sees."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Design:
    """Columns for a classifier: a numeric feature is one column, a nominal one an indicator per category.

    Attributes
    ----------
    values : ndarray of shape (P, n), float64, C-contiguous
        One column per line. NaN is a missing number; a missing nominal value belongs to no category.
    starts : ndarray of shape (D + 1,), int32
        Feature f has the columns ``starts[f] <= c < starts[f + 1]``.
    """

    values: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, features):
        """The design of coded :class:`sslrank.columns.Features`."""
        widths = np.maximum(features.n_categories, 1)
        starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int32)
        if not features.nominal.any():
            return cls(np.ascontiguousarray(features.values.T), starts)
        values = np.empty((starts[-1], features.shape[0]))
        for f, width in enumerate(widths):
            column = features.values[:, f]
            if features.n_categories[f]:
                values[starts[f] : starts[f + 1]] = column == np.arange(width)[:, None]
            else:
                values[starts[f]] = column
        return cls(values, starts)

    @property
    def n_features(self):
        """Number of features, D."""
        return len(self.starts) - 1

    def columns(self, features):
        """The columns of some features, int32, in the order of the features."""
        features = np.asarray(features, dtype=np.int32)
        if self.starts[-1] == self.n_features:  # one column each
            return features
        first, widths = self.starts[features], np.diff(self.starts)[features]
        within = np.arange(widths.sum()) - np.repeat(np.cumsum(widths) - widths, widths)
        return (np.repeat(first, widths) + within).astype(np.int32)

    def owner(self, columns):
        """The features that some columns belong to."""
        return np.searchsorted(self.starts, columns, side="right") - 1
