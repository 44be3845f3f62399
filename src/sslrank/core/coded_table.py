"""A table encoded as numbers, for rankers, tests and evaluators."""

from dataclasses import dataclass

import numpy as np

from sslrank.core.features import Features
from sslrank.core.targets import Targets


@dataclass(frozen=True)
class CodedTable:
    """Features, targets and weights of a table, encoded once for many fits on subsets of the rows.

    Attributes
    ----------
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets
    weights : ndarray of shape (n,) or None
        None if all are equal: only proportions of weights matter.
    """

    features: Features
    targets: Targets
    weights: np.ndarray | None = None

    def __post_init__(self):
        if self.weights is not None and (self.weights == self.weights[:1]).all():
            object.__setattr__(self, "weights", None)

    @property
    def X(self):
        """Numbers, and codes of nominal columns, shape (n, D); NaN is missing."""
        return self.features.values

    @property
    def nominal(self):
        """Mask of the nominal columns, shape (D,)."""
        return self.features.nominal

    @property
    def task(self):
        """Kind of target."""
        return self.targets.task

    @property
    def target_values(self):
        """Targets as columns, shape (n, T): class codes, numbers or 0/1; NaN is unknown."""
        return self.targets.values

    @property
    def y(self):
        """A single target, shape (n,), or several as :attr:`target_values`."""
        return self.target_values[:, 0] if self.target_values.shape[1] == 1 else self.target_values

    @property
    def labeled(self):
        """Rows with at least one known target, as indices."""
        return np.flatnonzero(self.targets.labeled)

    @property
    def unlabeled(self):
        """Rows without any known target, as indices."""
        return np.flatnonzero(~self.targets.labeled)

    @property
    def strata(self):
        """Value of each row for stratified samples and folds: class, number, or mean label."""
        return self.y if self.y.ndim == 1 else np.nan_to_num(self.y).mean(axis=1)

    def rows(self, index):
        """Select rows by an index array; codes are unchanged."""
        weights = None if self.weights is None else self.weights[index]
        return CodedTable(self.features.rows(index), self.targets.rows(index), weights)

    def target(self, column=0):
        """Return the values of one target, and the rows in which it is known."""
        labeled = self.labeled
        values = self.target_values[labeled, column]
        known = ~np.isnan(values)
        return values[known], labeled[known]
