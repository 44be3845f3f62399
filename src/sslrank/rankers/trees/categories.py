"""Encoding of nominal columns that is the same in fit and predict."""

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import check_array

from sslrank.core.containers import NUMERIC, as_table, read_column


class CategoryCoder:
    """Encoder that stores the categories of the nominal columns of the training data.

    Parameters
    ----------
    X : array-like, DataFrame or sparse matrix
        As given to ``fit``.
    n_categories : ndarray of shape (D,), int
        0 for a numeric column; nominal columns are encoded as in :func:`sslrank.core.features.encode_features`.
    """

    def __init__(self, X, n_categories):
        self.categories = {}
        X = as_table(X)
        for j in np.flatnonzero(n_categories):
            column = X.iloc[:, j] if isinstance(X, pd.DataFrame) else pd.Series(np.asarray(X, dtype=np.float64)[:, j])
            _, values = read_column(column, j, nominal=True)
            occurs = np.unique(values.codes)
            self.categories[int(j)] = values.categories[occurs[occurs >= 0]]

    def encode(self, X):
        """Encode numbers and categories; NaN for a missing value or a category that was not in fit.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n, D)

        Returns
        -------
        ndarray of shape (n, D), float64

        Raises
        ------
        ValueError
            If a column was numeric in fit and is not numeric here.
        """
        X = as_table(X)
        if sparse.issparse(X):
            X = X.toarray()
        if not isinstance(X, pd.DataFrame):
            values = check_array(X, dtype=np.float64, order="C", ensure_all_finite="allow-nan", input_name="X")
            values = values.copy() if self.categories else values
            for j, categories in self.categories.items():
                values[:, j] = _codes(categories, pd.Categorical(values[:, j]))
            return values
        columns = []
        for j in range(X.shape[1]):
            kind, values = read_column(X.iloc[:, j], X.columns[j], nominal=j in self.categories)
            if kind == NUMERIC:
                columns.append(values)
            elif j in self.categories:
                columns.append(_codes(self.categories[j], values))
            else:
                raise ValueError(f"column {X.columns[j]!r} of X was numeric in fit, and is {kind} now")
        return check_array(np.column_stack(columns), dtype=np.float64, order="C", ensure_all_finite="allow-nan")


def _codes(categories, values):
    """Encode a Categorical by the categories of fit."""
    known = np.append(categories.get_indexer(values.categories), -1).astype(np.float64)
    known[known < 0] = np.nan
    return known[values.codes]
