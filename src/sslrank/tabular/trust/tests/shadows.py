"""Importances of features and of shadow features, whose rows are permuted, in the same forest.

References
----------
M. B. Kursa, W. R. Rudnicki: Feature selection with the Boruta package. Journal of Statistical Software 36(11), 2010.
Y. Wu, D. D. Boos, L. A. Stefanski: Controlling variable selection by the addition of pseudovariables. JASA 102, 2007.
J. Besag, P. Clifford: Sequential Monte Carlo p-values. Biometrika 78, 1991.
"""

from dataclasses import dataclass

import numpy as np

from sslrank.core.features import Features
from sslrank.core.random_state import derive_seed
from sslrank.rankers.trees.forest import PCTForestRanker
from sslrank.tabular.trust.rows.arrangements import arrangements
from sslrank.tabular.trust.tests.marginal import column_kinds

#: Each forest grows on at most this many rows, drawn at random.
ROWS = 1_000
#: Trees of a forest, the share of the columns that a node tries, and the share of the rows that a leaf has at least:
#: they change power and seconds, not the level, as shadow features have them, too.
_TREES, _DRAWN, _LEAF = 50, 1 / 3, 1 / 40


@dataclass(frozen=True)
class Shadows:
    """Importances of features and of their shadow features.

    Attributes
    ----------
    real, shadow : ndarray of shape (B, D)
        Of each of B forests.
    kinds : ndarray of shape (D,), int
        See :func:`sslrank.tabular.trust.tests.marginal.column_kinds`.
    """

    real: np.ndarray
    shadow: np.ndarray
    kinds: np.ndarray

    def _scales(self, mean, variance):
        """Mean and spread from those of each column, of shape (..., D).

        A column's own spread over few forests is uncertain: it is averaged with that of its kind.
        """
        pooled = np.empty_like(variance)
        for kind in np.unique(self.kinds):
            of_kind = self.kinds == kind
            pooled[..., of_kind] = variance[..., of_kind].mean(axis=-1, keepdims=True)
        spread = np.sqrt((variance + pooled) / 2)
        return mean, np.where(spread > 0, spread, 1.0)

    @property
    def z(self):
        """Mean importance of each column, in spreads above the mean of its shadow features.

        What a column takes is missing to the shadow features of the same forests, which would have had their part of
        it if the column were one of them: their mean and spread are larger in this proportion.
        """
        mean, spread = self._scales(self.shadow.mean(axis=0), self.shadow.var(axis=0, ddof=1))
        real = self.real.mean(axis=0)
        total = (self.real + self.shadow).sum(axis=1).mean()
        rest = np.maximum(total - np.maximum(real - mean, 0.0), 1e-12 * max(total, 1e-300))
        scale = max(total, 1e-300) / rest
        return (real - scale * mean) / (scale * spread)

    @property
    def null(self):
        """The shadow features' own z, each against the others of its column, shape (B, D)."""
        count, total = len(self.shadow), self.shadow.sum(axis=0)
        mean = (total - self.shadow) / (count - 1)
        squares = ((self.shadow - total / count) ** 2).sum(axis=0)
        squares = squares - (self.shadow - total / count) ** 2 * count / (count - 1)
        mean, spread = self._scales(mean, np.maximum(squares, 0.0) / (count - 2))
        return (self.shadow - mean) / spread

    @property
    def p_values(self):
        """P-value of each column: how often a shadow feature of its kind has as large a z."""
        z, null, found = self.z, self.null, np.empty(len(self.kinds))
        for kind in np.unique(self.kinds):
            of_kind = self.kinds == kind
            pool = np.sort(null[:, of_kind], axis=None)
            found[of_kind] = (1 + len(pool) - np.searchsorted(pool, z[of_kind], side="left")) / (1 + len(pool))
        return found

    @property
    def n_larger(self):
        """Forests in which the largest z of a shadow feature is at least that of all columns."""
        return int((self.null.max(axis=1) >= self.z.max()).sum())

    @property
    def adjusted(self):
        """Share of the forests with a shadow feature above each column: the family-wise error rate."""
        largest = np.sort(self.null.max(axis=1))
        return (1 + len(largest) - np.searchsorted(largest, self.z, side="left")) / (1 + len(largest))


def shadow_fit(features, targets, rows, sample_weight, seed):
    """Importances of columns and shadow features in one forest.

    Parameters
    ----------
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets
    rows : ndarray of shape (n,)
        The permutation.
    sample_weight : ndarray of shape (n,) or None
    seed : int

    Returns
    -------
    ndarray of shape (2, D)
    """
    n, D = features.shape
    both = Features(
        np.ascontiguousarray(np.hstack([features.values, features.values[rows]])), np.tile(features.n_categories, 2)
    )
    forest = PCTForestRanker(
        ensemble="extra_trees",
        supervised=True,
        n_estimators=_TREES,
        max_features=_DRAWN,
        min_samples_leaf=max(2, int(n * _LEAF)),
        task=targets.task,
        random_state=seed,
    )
    forest.only_importance = True  # a forest has a score by permutation only where that is asked for
    return forest.fit_coded(both, targets, sample_weight).feature_importances_.reshape(2, D)


def against_shadows(features, targets, *, count, seed=0, sample_weight=None, groups=None, run=None, before=None):
    """Compare importances with those of shadow features.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    count, seed : int
        Forests.
    sample_weight, groups : ndarray of shape (n,), optional
        See :func:`sslrank.tabular.trust.rows.arrangements.arrangements`.
    run : callable, optional
        Calls a function for each of many tuples of arguments, as ``itertools.starmap``; may run them at once.
    before : Shadows, optional
        Earlier forests, to which these are added.

    Returns
    -------
    Shadows
    """
    n, start = len(features.values), 0 if before is None else len(before.real)
    tasks = []
    for b in range(start, start + count):
        of_fit = derive_seed(seed, "fit", b)
        drawn = np.arange(n)
        if n > ROWS:
            drawn = np.sort(np.random.default_rng(of_fit).permutation(n)[:ROWS])
        of_groups, weights = (None if values is None else values[drawn] for values in (groups, sample_weight))
        permuted = arrangements(len(drawn), 2, derive_seed(seed, "shadows", b), groups=of_groups)[1]
        tasks.append((features.rows(drawn).occurring(), targets.rows(drawn).occurring(), permuted, weights, of_fit))
    found = np.array([shadow_fit(*task) for task in tasks] if run is None else list(run(shadow_fit, tasks)))
    if before is not None and len(found):
        found = np.concatenate([np.stack([before.real, before.shadow], axis=1), found])
    return Shadows(found[:, 0], found[:, 1], column_kinds(features)) if len(found) else before
