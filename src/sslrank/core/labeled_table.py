"""Base class of prepared datasets and of users' own tables."""

import numpy as np
import pandas as pd

from sslrank.core.coded_table import CodedTable
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets


class LabeledTable:
    """Base class of tables with typed features and targets.

    A subclass has the attributes `task`, one of :data:`sslrank.core.tasks.TASKS`; `X`, a DataFrame of float64 columns
    (NaN is missing) and categoricals; `y`, shape (n,) or (n, T): class labels as texts or None, numbers or NaN, or 0, 1
    or NaN; `target_names`; `hierarchy`, the parents of each label or None; and optionally `weights` of rows.
    """

    weights = None

    @property
    def n_rows(self):
        """Number of rows."""
        return len(self.X)

    @property
    def nominal(self):
        """Mask of the nominal features, shape (D,)."""
        return np.array([isinstance(kind, pd.CategoricalDtype) for kind in self.X.dtypes], dtype=bool)

    @property
    def target_table(self):
        """`y` as an array of shape (n, T)."""
        return self.y[:, None] if self.y.ndim == 1 else self.y

    @property
    def labeled(self):
        """Rows with at least one known target, shape (n,)."""
        return ~pd.isna(self.target_table).all(axis=1)

    @property
    def complete(self):
        """Rows with all targets known, shape (n,)."""
        return ~pd.isna(self.target_table).any(axis=1)

    def coded(self):
        """Encode features and targets as numbers.

        Returns
        -------
        sslrank.core.coded_table.CodedTable
        """
        targets = encode_targets(self.y, self.n_rows, task=self.task, hierarchy=self.hierarchy)
        return CodedTable(encode_features(self.X), targets, self.weights)
