"""Coded features as the numeric matrix that scikit-learn's predictors take."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from sslrank.evaluation.knn import feature_ranges


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
