"""Codes of nominal columns that stay the same between fit and predict."""

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import check_array


class CategoryCoder:
    """Remembers the categories of the nominal columns of the training data.

    Parameters
    ----------
    X : array-like, DataFrame or sparse matrix
        As given to ``fit``.
    n_categories : ndarray of shape (D,), int
        0 for a numeric column; the nominal ones are coded as :func:`sslrank.core.features.encode_features` does.
    """

    def __init__(self, X, n_categories):
        self.categories = {}
        for j in np.flatnonzero(n_categories):
            if isinstance(X, pd.DataFrame):
                column = X.iloc[:, j]
                if not isinstance(column.dtype, pd.CategoricalDtype):
                    column = column.astype("category")
                self.categories[int(j)] = pd.Index(column.cat.categories)
            else:
                column = np.asarray(X, dtype=np.float64)[:, j]
                self.categories[int(j)] = pd.Index(np.unique(column[~np.isnan(column)]))

    def encode(self, X):
        """Numbers and category codes, NaN for a missing value and for a category that fit did not see.

        Returns
        -------
        ndarray of shape (n, D), float64
        """
        if sparse.issparse(X):
            X = X.toarray()
        if not isinstance(X, pd.DataFrame):
            values = check_array(X, dtype=np.float64, order="C", ensure_all_finite="allow-nan", input_name="X")
            values = values.copy() if self.categories else values
            for j, categories in self.categories.items():
                values[:, j] = _codes(categories, values[:, j])
            return values
        columns = []
        for j in range(X.shape[1]):
            column = X.iloc[:, j]
            if j in self.categories:
                columns.append(_codes(self.categories[j], column.astype(object)))
            else:
                columns.append(column.to_numpy(dtype=np.float64, na_value=np.nan))
        return check_array(np.column_stack(columns), dtype=np.float64, order="C", ensure_all_finite="allow-nan")


def _codes(categories, values):
    codes = categories.get_indexer(pd.Index(values)).astype(np.float64)
    codes[codes < 0] = np.nan
    return codes
