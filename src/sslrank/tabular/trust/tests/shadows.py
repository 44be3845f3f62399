"""Importances beside those of shadows: columns whose rows are permuted, in the same fit.

References
----------
M. B. Kursa, W. R. Rudnicki: Feature selection with the Boruta package. Journal of Statistical Software 36(11), 2010.
Y. Wu, D. D. Boos, L. A. Stefanski: Controlling variable selection by the addition of pseudovariables. JASA 102, 2007.
"""

from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import clone

from sslrank.core.features import Features
from sslrank.core.random_state import derive_seed
from sslrank.rankers.l1 import SparseLinear
from sslrank.rankers.trees.forest import PCTForestRanker
from sslrank.tabular.trust.rows.permutations import permutations
from sslrank.tabular.trust.tests.univariate import feature_views, target_groups

#: Permutations, each with a fit of all columns and their shadows.
COUNT = 20
#: Columns with at most this many different values are a kind of their own: their importances vary less.
FEW_VALUES = 5
#: A kind with fewer importances of shadows is compared with the shadows of all kinds.
POOL = 300
#: Real and shadow columns together that forests and linear models see; of more, the best alone.
SEEN = 2_000
#: The share of the shadows' importances whose distances beyond are taken for exponential, and the most of them.
_TAIL, _MOST_TAIL = 0.05, 200
#: Trees of one fit, and the share of the columns that a node tries.
_TREES, _DRAWN = 50, 1 / 3
#: Each fit sees at most this many rows, drawn at random.
ROWS = 2_000
#: A leaf has at least the rows over this.
_LEAVES = 40


@dataclass(frozen=True)
class Shadows:
    """Importances of columns and of their shadows.

    Attributes
    ----------
    real, shadow : ndarray of shape (B, D)
        Of each of B fits.
    kinds : ndarray of shape (D,), int
        0 few values, 1 numbers, 2 nominal.
    screened : bool
        Whether screening chose the columns of each fit.
    """

    real: np.ndarray
    shadow: np.ndarray
    kinds: np.ndarray
    screened: bool = False

    @property
    def scales(self):
        """Mean and spread of each column's shadows, each of shape (D,).

        A column's own spread of few fits is uncertain: it is averaged with that of its kind.
        """
        return self._scales(self.shadow.mean(axis=0), self.shadow.var(axis=0, ddof=1))

    def _scales(self, mean, variance):
        """Mean and spread from those of each column, of shape (..., D)."""
        mean, pooled = mean.copy(), np.empty_like(variance)
        for kind in np.unique(self.kinds):
            of_kind = self.kinds == kind
            pooled[..., of_kind] = variance[..., of_kind].mean(axis=-1, keepdims=True)
            if self.screened:  # each column is seen in few fits
                mean[..., of_kind] = self.shadow[:, of_kind].mean()
                pooled[..., of_kind] = self.shadow[:, of_kind].var()
        spread = np.sqrt(pooled if self.screened else (variance + pooled) / 2)
        return mean, np.where(spread > 0, spread, 1.0)

    @property
    def z(self):
        """Mean importance of each column, in spreads above the mean of its shadows.

        What a column takes is missing to the shadows of the same fits, which would have had their part of it if the
        column were one of them: their mean and spread are larger in this proportion.
        """
        (mean, spread), real = self.scales, self.real.mean(axis=0)
        total = (self.real + self.shadow).sum(axis=1).mean()
        rest = np.maximum(total - np.maximum(real - mean, 0.0), 1e-12 * max(total, 1e-300))
        scale = max(total, 1e-300) / rest
        return (real - scale * mean) / (scale * spread)

    @property
    def null(self):
        """The shadows' own z, each against the other shadows of its column, shape (B, D)."""
        count, total = len(self.shadow), self.shadow.sum(axis=0)
        mean = (total - self.shadow) / (count - 1)
        squares = ((self.shadow - total / count) ** 2).sum(axis=0)
        squares = squares - (self.shadow - total / count) ** 2 * count / (count - 1)
        mean, spread = self._scales(mean, np.maximum(squares, 0.0) / (count - 2))
        return (self.shadow - mean) / spread

    @property
    def p_values(self):
        """P-value of each column: how often a shadow has as large a z.

        Beyond nearly all shadows, their distances are taken for exponential.
        """
        z, null, found = self.z, self.null, np.empty(len(self.kinds))
        of_all = None
        for kind in np.unique(self.kinds):
            of_kind = self.kinds == kind
            if null[:, of_kind].size < POOL:
                of_all = np.sort(null, axis=None) if of_all is None else of_all
                pool = of_all
            else:
                pool = np.sort(null[:, of_kind], axis=None)
            found[of_kind] = tail_p_values(z[of_kind], pool)
        return found


def tail_p_values(values, pool):
    """P-values of values among a sorted pool of them under the null; beyond its upper part, an exponential tail."""
    count = len(pool)
    found = (1 + count - np.searchsorted(pool, values, side="left")) / (1 + count)
    n_tail = min(max(int(_TAIL * count), 10), _MOST_TAIL)
    if count <= n_tail:
        return found
    start, excess = pool[-n_tail], (pool[-n_tail + 1 :] - pool[-n_tail]).mean()
    beyond = values > pool[-max(n_tail // 4, 5)]
    if excess > 0:
        found[beyond] = np.maximum(n_tail / (1 + count) * np.exp(-(values[beyond] - start) / excess), 1e-300)
    return found


def column_kinds(features):
    """Kind of each column: 0 few values, 1 numbers, 2 nominal."""
    kinds = np.where(features.nominal, 2, 1)
    ordered = np.sort(features.values, axis=0)  # missing values come last
    kinds[(ordered[1:] > ordered[:-1]).sum(axis=0) + 1 <= FEW_VALUES] = 0
    return kinds


def default_rankers(task, n_rows):
    """The rankers whose importances are compared, by name: shallow trees, which tell as much in a part of the time."""
    forest = PCTForestRanker(
        ensemble="extra_trees",
        supervised=True,
        n_estimators=_TREES,
        max_features=_DRAWN,
        min_samples_leaf=max(2, n_rows // _LEAVES),
        task=task,
    )
    return {"genie3": forest, "l1": SparseLinear(task=task)}


def shadow_fit(features, targets, rows, rankers, seed, screening=None):
    """Importances of columns and shadows in one fit, for each ranker.

    Parameters
    ----------
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets
    rows : ndarray of shape (n,)
        The permutation.
    rankers : dict of str to ranker
    seed : int
    screening : tuple, optional
        Columns that stand for the features and for the targets, by which screening chooses among very many.

    Returns
    -------
    ndarray of shape (len(rankers), 2, D)
    """
    D = features.shape[1]
    seen = np.arange(2 * D)
    if 2 * D > SEEN:
        seen = _screened(D, *screening, rows)
    real, shadow = seen[seen < D], seen[seen >= D] - D
    values = np.column_stack([features.values[:, real], features.values[np.ix_(rows, shadow)]])
    both = Features(
        np.ascontiguousarray(values), np.concatenate([features.n_categories[real], features.n_categories[shadow]])
    )
    found = np.zeros((len(rankers), 2 * D))
    for i, ranker in enumerate(rankers.values()):
        ranker = clone(ranker).set_params(random_state=seed)
        ranker.only_importance = True  # a forest has a score by permutation only where that is asked for
        found[i, seen] = ranker.fit_coded(both, targets).feature_importances_
    return found.reshape(len(rankers), 2, D)


def _screened(D, views, columns, rows):
    """The best of columns and shadows alone, by the largest standardised share over views and targets."""
    best = np.full((2, D), -np.inf)
    for basis, owner, _ in views:
        own, first = np.unique(owner, return_index=True)
        dims = np.maximum(np.diff(np.append(first, len(owner))) - 1, 1)
        for group in columns:
            q = max(group.shape[1], 1)
            for i, part in enumerate((group, group[np.argsort(rows, kind="stable")])):
                share = np.add.reduceat(((basis.T @ part) ** 2).sum(axis=1), first) * len(basis)
                best[i, own] = np.maximum(best[i, own], (share - dims * q) / np.sqrt(2 * dims * q))
    order = np.argsort(-best.ravel(), kind="stable")[:SEEN]
    return np.sort(order)


def against_shadows(features, targets, *, rankers=None, count=COUNT, seed=0, groups=None, time=None, run=None, start=0):
    """Compare importances with those of shadows.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    rankers : dict of str to ranker, optional
        By default small Extra-Trees and the lasso's path.
    count, seed, start : int
        Fits; their numbers begin at `start`, to add to earlier ones.
    groups, time : ndarray of shape (n,), optional
        See :func:`sslrank.tabular.trust.rows.permutations.permutations`.
    run : callable, optional
        Calls a function for each of many tuples of arguments, as ``itertools.starmap``; may run them at once.

    Returns
    -------
    dict of str to Shadows
        By ranker.
    """
    n, screened = len(features.values), 2 * features.shape[1] > SEEN
    rankers = default_rankers(targets.task, min(n, ROWS)) if rankers is None else rankers
    tasks = []
    for b in range(start, start + count):
        of_fit, part = derive_seed(seed, "fit", b), (features, targets, groups, time)
        if n > ROWS:
            rows = np.sort(np.random.default_rng(of_fit).permutation(n)[:ROWS])
            part = (
                features.rows(rows).occurring(),
                targets.rows(rows).occurring(),
                *(None if values is None else values[rows] for values in (groups, time)),
            )
        screening = None
        if screened and (n > ROWS or not tasks):
            screening = feature_views(part[0]), [np.nan_to_num(group) for group in target_groups(part[1])[0]]
        elif screened:
            screening = tasks[0][-1]
        permuted = permutations(min(n, ROWS), 1, derive_seed(seed, "shadows", b), groups=part[2], time=part[3])[0]
        tasks.append((*part[:2], permuted, rankers, of_fit, screening))
    found = np.array([shadow_fit(*task) for task in tasks] if run is None else list(run(shadow_fit, tasks)))
    kinds = column_kinds(features)
    return {name: Shadows(found[:, i, 0], found[:, i, 1], kinds, screened) for i, name in enumerate(rankers)}


def more(before, after):
    """Join two lots of fits of the same columns."""
    return {
        name: replace(
            found,
            real=np.vstack([found.real, after[name].real]),
            shadow=np.vstack([found.shadow, after[name].shadow]),
        )
        for name, found in before.items()
    }
