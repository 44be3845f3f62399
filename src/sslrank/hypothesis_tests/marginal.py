"""Marginal tests: linear, monotone and two-sided effects of each feature alone, for any kind of target.

References
----------
P. H. Westfall, S. S. Young: Resampling-based multiple testing. Wiley, 1993.
K. C. S. Pillai: Some new test criteria in multivariate analysis. Annals of Mathematical Statistics 26, 1955.
J. D. Storey, R. Tibshirani: Statistical significance for genomewide studies. PNAS 100, 2003 (pooled nulls).
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sslrank.core import libm
from sslrank.hypothesis_tests.design import INDEPENDENT
from sslrank.hypothesis_tests.permutations import Permutations, log_arrangements, smallest_p
from sslrank.hypothesis_tests.series import effective_rows
from sslrank.hypothesis_tests.shifted_rows import ShiftedRows

#: Number of arrangements; minimum number; and maximum number of products, above which there are fewer.
N_PERMUTATIONS, _MIN_PERMUTATIONS, _MAX_PRODUCTS = 1_000, 200, 2e10
#: With more independent rows or groups, these are shifted in random order instead of permuted.
MANY_ROWS = 10_000
#: Minimum effective number of rows to test a feature in the order of time: with fewer, more than 5 % of tests of
#: independent series are positive (25 % for random walks of 150 rows).
MIN_EFFECTIVE_ROWS = 30
#: Columns with at most this number of different values are a separate kind.
FEW_VALUES = 5
#: Upper tail of a column's statistics, which is scaled by its mean excess (R. L. Smith: Annals of Statistics 15, 1987).
#: It affects the power, not the level (tests/measurements/README.md).
_UPPER = 0.1
#: Weights of the tests of a column; distances from the middle rank and indicators of missing values get less because
#: they matter less often. Weights affect the power, not the level (tests/measurements/README.md).
_WEIGHTS = {"linear": 1.0, "rank": 1.0, "distance": 0.5, "gap": 0.5, "binary": 1.0, "levels": 1.0}
#: The weight of distances for censored, adjusted and positive-only targets: a compromise between the power for linear
#: effects and for effects of both extremes (tests/measurements/README.md).
_RESIDUAL_DISTANCE_WEIGHT = 0.2
#: Weights of the largest statistics of such targets in the test that no feature is related: the power with one related
#: feature is that of the largest statistic alone, with several it is higher (tests/measurements/README.md).
_TOP_WEIGHTS = (1.0, 1 / 2, 1 / 3)
#: Views of tables of more values are in single precision.
_MAX_DOUBLE = 4_000_000
#: Number of products in memory at a time, and of features scaled at a time, whose products stay in the cache.
_CELLS, _FEATURES_PER_STEP = 1_000_000, 64


@dataclass(frozen=True)
class Marginal:
    """Tests of each feature alone.

    Attributes
    ----------
    p_values : ndarray of shape (D,)
        p-value of each feature; at least 1 / (arrangements times columns of its kind).
    adjusted : ndarray of shape (D,)
        Family-wise error rate: the share of arrangements whose largest statistic is at least that of the feature. The
        smallest is the p-value that no feature is related.
    p_value : float
        p-value that no feature is related: for residuals, of a weighted sum of the largest statistics, which detects
        several weak features; otherwise the smallest of `adjusted`.
    by_ends : ndarray of shape (D,), bool
        Whether the largest statistic is that of the distance from the middle rank.
    """

    p_values: np.ndarray
    adjusted: np.ndarray
    p_value: float
    by_ends: np.ndarray


def target_groups(targets, sample_weight=None):
    """Make orthonormal columns for each target, from values and from ranks.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
        Of labelled rows.
    sample_weight : ndarray of shape (n,), optional

    Returns
    -------
    plain, ranked : list of ndarray of shape (n, q)
        One array for each target; classes are one target. 0 in rows without the target.
    """
    values = targets.values
    if targets.task == "classification":
        groups = [centered_orthonormal(np.eye(targets.n_classes)[values[:, 0].astype(np.intp)], sample_weight)]
        return groups, groups
    plain = [centered_orthonormal(column[:, None], sample_weight) for column in values.T]
    if targets.task in ("multilabel", "hierarchical") or (targets.null is not None and not targets.null.ranked):
        return plain, plain
    return plain, [centered_orthonormal(column_ranks(column)[:, None], sample_weight) for column in values.T]


def centered_orthonormal(columns, sample_weight=None):
    """Centre columns over their known rows, weigh rows, and make them orthonormal; rows with a gap are 0."""
    is_known = ~np.isnan(columns)
    weights = is_known * (1.0 if sample_weight is None else sample_weight[:, None])
    values = np.where(is_known, columns, 0.0)
    values = weights * (values - (weights * values).sum(axis=0) / np.maximum(weights.sum(axis=0), 1e-300))
    left, lengths, _ = np.linalg.svd(values, full_matrices=False)
    return left[:, lengths > 1e-9 * max(lengths.max(initial=0.0), 1e-300)]


def column_ranks(columns):
    """Rank the values of each column from 1, ties by their mean; NaN stays NaN. Shape (n,) or (n, D), as given."""
    if len(columns) <= MANY_ROWS:
        return pd.DataFrame(columns).rank().to_numpy().reshape(np.shape(columns))
    ranks = np.where(np.isnan(columns), np.nan, 0.0)
    for x, ranks_of_x in zip(columns.reshape(len(columns), -1).T, ranks.reshape(len(columns), -1).T, strict=True):
        order = np.argsort(x)[: np.count_nonzero(ranks_of_x == 0)]  # three times as fast; missing values come last
        ends = np.append(np.flatnonzero(x[order[1:]] != x[order[:-1]]) + 1, len(order))
        ranks_of_x[order] = np.repeat((ends + np.append(0, ends[:-1]) + 1) / 2, np.diff(ends, prepend=0))
    return ranks


def feature_bases(features):
    """Make columns of norm 1 that represent each feature.

    Returns
    -------
    list of (basis, feature, kind)
        Basis of shape (n, columns); the feature of each column; "linear", "rank", "distance", "gap", "binary" or
        "levels".
    """
    X, numbers = features.values, np.flatnonzero(~features.nominal)
    views = []
    if len(numbers):
        x = X[:, numbers]
        is_known = ~np.isnan(x)
        ordered = np.sort(x, axis=0)  # missing values come last
        several = (ordered[1:] > ordered[:-1]).sum(axis=0) > 1  # of two values, ranks and distances are the same
        if not several.all():
            views.append((_unit(x[:, ~several]), numbers[~several], "binary"))
        if several.any():
            views.append((_unit(x[:, several]), numbers[several], "linear"))
            ranks = column_ranks(x[:, several])
            middle = (is_known[:, several].sum(axis=0) + 1) / 2
            views.append((_unit(ranks), numbers[several], "rank"))
            views.append((_unit(np.abs(ranks - middle)), numbers[several], "distance"))
        if (gaps := ~is_known.all(axis=0)).any():
            views.append((_unit(is_known[:, gaps].astype(np.float64)), numbers[gaps], "gap"))
    bases = [_levels(X[:, j]) for j in np.flatnonzero(features.nominal)]
    if bases:
        owners = [np.full(basis.shape[1], j) for j, basis in zip(np.flatnonzero(features.nominal), bases, strict=True)]
        views.append((np.hstack(bases), np.concatenate(owners), "levels"))
    return views


def _levels(codes):
    """Make an orthonormal column for each level, with missing as a level."""
    _, numbers, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return np.eye(len(counts))[numbers] / np.sqrt(counts)


def _unit(values):
    """Centre columns over their known rows and scale them to norm 1; 0 if missing, and in constant columns."""
    is_known = ~np.isnan(values)
    low = np.min(values, axis=0, where=is_known, initial=np.inf)
    spread = np.max(values, axis=0, where=is_known, initial=-np.inf) - low
    varies = spread > 0
    values = np.where(is_known & varies, values - np.where(varies, low, 0.0), 0.0) / np.where(varies, spread, 1.0)
    values = np.where(is_known, values - values.sum(axis=0) / np.maximum(is_known.sum(axis=0), 1), 0.0)
    lengths = np.sqrt((values**2).sum(axis=0))
    return np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 1e-9)


def _by_few(features):
    """Make the views and kinds of a few features at a time, of large tables in single precision, to save memory."""
    parts, kinds, n_features = {}, np.empty(features.shape[1], dtype=np.intp), features.shape[1]
    precision = np.float32 if features.values.size > _MAX_DOUBLE else np.float64
    step = max(1, _CELLS // (8 * len(features.values)))
    for some in np.split(np.arange(n_features), range(step, n_features, step)):
        few = features.columns(some)
        kinds[some] = column_kinds(few)
        for basis, owner, kind in feature_bases(few):
            parts.setdefault(kind, []).append((basis.astype(precision, copy=False), some[owner]))
    views = []
    for kind in list(parts):  # one at a time is joined and freed
        bases, owners = zip(*parts.pop(kind), strict=True)
        views.append((np.hstack(bases), np.concatenate(owners), kind))
    return views, kinds


def column_kinds(features):
    """Return the kind of each column: 0 few values, 1 numbers, 2 nominal."""
    kinds = np.where(features.nominal, 2, 1)
    ordered = np.sort(features.values, axis=0)  # missing values come last
    kinds[(ordered[1:] > ordered[:-1]).sum(axis=0) + 1 <= FEW_VALUES] = 0
    return kinds


class MarginalTests:
    """Tests of each feature of a table alone.

    Numbers are tested by correlation or analysis of variance of values and of ranks, by the distance from the
    middle rank, which detects effects of both extremes, and by an indicator of missing values; nominal columns by
    Pillai's trace (with classes, chi squared). Columns of two values and of levels are tested with the ranks of a
    number, too, which a few far values of the target do not decide. The largest statistic counts, also over several
    targets. Each statistic is scaled by its distribution over all arrangements of its column, including the
    observed one, so arrangements are exchangeable. The test that no feature is related compares the largest
    statistic over columns; p-values of features use the statistics of all columns of a kind. :attr:`permutations`
    decide what is exchanged.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    design : sslrank.hypothesis_tests.design.Design
        Of the labelled rows.
    seed : int
    sample_weight : ndarray of shape (n,), optional
    count : int
        Maximum number of permutations; fewer for large tables.

    Attributes
    ----------
    permutations : sslrank.hypothesis_tests.permutations.Permutations
    shifts : sslrank.hypothesis_tests.shifted_rows.ShiftedRows or None
        The arrangements of more than :data:`MANY_ROWS` rows, instead of those of `permutations`.
    plain, ranked : list of ndarray of shape (n, q)
        Output of :func:`target_groups`, without what `permutations` remove.
    has_ranks : bool
        Whether the ranks of a target are other columns than its values.
    tested : ndarray of shape (D,), bool
        False for features that vary only with what `permutations` remove, or change so slowly in time that no test
        keeps its level.
    smallest_p : ndarray of shape (D,)
        1 / number of distinct orders of the target, or of the feature: the smallest p-value of a test of each feature.
    """

    def __init__(self, features, targets, design=INDEPENDENT, *, seed=0, sample_weight=None, count=N_PERMUTATIONS):
        n, D = features.shape
        self.weights, null = targets.weights, targets.null
        self.kind_weights, self.top_weights = _WEIGHTS, _TOP_WEIGHTS[:1]
        if null is not None:
            self.kind_weights, self.top_weights = _WEIGHTS | {"distance": _RESIDUAL_DISTANCE_WEIGHT}, _TOP_WEIGHTS
        plain, ranked = target_groups(targets, sample_weight)
        units, adjusting = design.groups, None if null is None else null.columns
        is_plain = design.time is None and design.strata is None and (adjusting is None or not adjusting.shape[1])
        is_many = is_plain and (n if units is None else len(np.unique(units))) > MANY_ROWS
        self.views, self.kinds = _by_few(features)
        products = n * sum(len(owner) for _, owner, _ in self.views) * sum(part.shape[1] for part in plain)
        count = int(np.clip(_MAX_PRODUCTS // max(products, 1), min(_MIN_PERMUTATIONS, count), count))
        codes = None
        if sample_weight is None and not np.isnan(targets.values).any():
            codes = np.unique(targets.values, axis=0, return_inverse=True)[1].ravel()
        planned = 1 if is_many else count
        self.permutations = Permutations(design, np.hstack(plain), adjusting, count=planned, seed=seed, codes=codes)
        self.shifts = ShiftedRows(units, n, count, seed) if is_many else None
        self.count = count if is_many else len(self.permutations.rows)
        if is_many:
            for at, (basis, owner, kind) in enumerate(self.views):  # one at a time is freed
                self.views[at] = basis[self.shifts.order], owner, kind
                del basis
        self.has_ranks = ranked is not plain
        self.plain, self.ranked = ([self.permutations.residuals(part) for part in parts] for parts in (plain, ranked))
        self.tested = np.ones(D, dtype=bool)
        self.smallest_p = np.full(D, self.permutations.smallest_p)
        if design.unit == "rows" and design.strata is None:
            for j in np.flatnonzero(self.kinds != 1):
                self.smallest_p[j] = max(self.smallest_p[j], smallest_p(log_arrangements(features.values[:, j])))
        if self.permutations.removed.shape[1]:
            self._remove(D)

    def _remove(self, D):
        """Remove from the features what is removed from the target."""
        permutations, varies = self.permutations, np.zeros(D, dtype=bool)
        self.views = [(permutations.residuals(basis), owner, kind) for basis, owner, kind in self.views]
        slow = np.zeros(D, dtype=bool)
        for basis, owner, kind in self.views:
            varies[owner[basis.any(axis=0)]] = True
            if permutations.is_shifted and kind in ("linear", "binary", "levels"):
                few = effective_rows(basis, np.hstack(self.plain), permutations.design) < MIN_EFFECTIVE_ROWS
                slow[owner[few]] = True
        self.tested = varies & ~slow

    def __call__(self, plain=None, ranked=None):
        """Test each feature against the targets, or against others.

        Parameters
        ----------
        plain, ranked : list of ndarray of shape (n, q), optional

        Returns
        -------
        Marginal
        """
        plain, ranked = (self.plain, self.ranked) if plain is None else (plain, ranked)
        D, count = len(self.kinds), self.count
        step = max(1, _CELLS // count)
        top, observed, p_values = len(self.top_weights), np.zeros(D), np.ones(D)
        largest, by_ends = np.zeros((top, count)), np.zeros(D, dtype=bool)
        tails = {kind: [] for kind in np.unique(self.kinds)}
        cut = -math.log(_UPPER)
        for start in range(0, D, step):
            part = slice(start, start + step)
            best, by_ends[part] = self._largest(start, min(start + step, D), plain, ranked)
            best = np.round(best, 9)  # equal ones differ otherwise
            best[~self.tested[part]] = 0.0
            largest = np.partition(np.vstack([largest, best if top > 1 else best.max(axis=0)]), -top, axis=0)[-top:]
            observed[part] = best[:, 0]
            p_values[part] = (best >= best[:, :1]).mean(axis=1)
            for kind, kept in tails.items():
                best_of_kind = best[self.kinds[part] == kind]
                kept.append(best_of_kind[best_of_kind > cut])
        for kind, kept in tails.items():
            pool = np.sort(np.concatenate(kept))
            above = (self.kinds == kind) & (observed > cut)
            beyond = len(pool) - np.searchsorted(pool, observed[above], side="left")
            p_values[above] = beyond / (count * (self.tested & (self.kinds == kind)).sum())
        largest = np.sort(largest, axis=0)[::-1]
        adjusted = 1 - np.searchsorted(np.sort(largest[0]), observed, side="left") / count
        total = np.round(self.top_weights @ largest, 9)
        return Marginal(np.maximum(p_values, self.smallest_p), adjusted, float((total >= total[0]).mean()), by_ends)

    def _largest(self, start, stop, plain, ranked):
        """Compute the largest scaled statistic of features over views and targets, shape (features, arrangements).

        Also return for which features that of the observed arrangement is of the distance from the middle rank.
        """
        largest, by_ends = np.zeros((stop - start, self.count)), np.zeros(stop - start, dtype=bool)
        shares = libm.log(self.weights / np.max(self.weights))
        plain_and_ranked = [plain, ranked] if self.has_ranks else [plain]  # for columns of two values or levels
        for basis, owner, kind in self.views:
            part = (owner >= start) & (owner < stop)
            if not part.any():
                continue
            part = slice(None) if self.shifts is not None and part.all() else part  # without a copy
            part_owner = owner[part] - start
            members = np.unique(part_owner)
            sides = {"linear": [plain], "rank": [ranked], "distance": [ranked]}.get(kind, plain_and_ranked)
            for k, share in enumerate(shares[: len(plain)]):
                for columns in (side[k] for side in sides if side[k].shape[1]):
                    explained = _traces(basis[:, part], part_owner, columns, self.permutations, self.shifts)
                    for at in range(0, len(members), _FEATURES_PER_STEP):
                        few = slice(at, at + _FEATURES_PER_STEP)
                        scores = scaled(-libm.log1p(-np.minimum(explained[few], 1 - 1e-15)))
                        scores = scores + share + math.log(self.kind_weights[kind])
                        by_ends[members[few][scores[:, 0] > largest[members[few], 0]]] = kind == "distance"
                        largest[members[few]] = np.maximum(largest[members[few]], scores)
        return largest, by_ends


def _traces(basis, owner, columns, permutations, shifts=None):
    """Compute V/s of each feature and permutation.

    V is the sum of squared correlations between the columns of a feature and of a target, s its maximum. Correlations
    are studentised if the permutations say so.
    """
    n, q = columns.shape
    features, first = np.unique(owner, return_index=True)
    if shifts is not None:
        traces = np.square(shifts.products(basis, columns[shifts.order])).sum(axis=2)
    else:
        basis, count = basis.astype(np.float64, copy=False), len(permutations.rows)
        traces = np.empty((len(owner), count))
        step = max(1, 5 * _CELLS // max(len(owner) * q, n * q))
        for at in range(0, count, step):
            permuted = permutations.permuted(columns, slice(at, at + step))
            k = permuted.shape[1]
            permuted = permuted.reshape(n, k * q)
            products = np.square(basis.T @ permuted)
            if permutations.studentised:
                products /= np.maximum(n * (np.square(basis).T @ np.square(permuted)), 1e-300)
            products = products.reshape(len(owner), k, q)
            traces[:, at : at + k] = products[:, :, 0] if q == 1 else products.sum(axis=2)
    if len(features) < len(owner):
        dims = np.maximum(np.add.reduceat(np.ones(len(owner)), first) - 1, 1)
        traces = np.add.reduceat(traces, first, axis=0) / np.minimum(dims, q)[:, None]
    return traces


def scaled(values):
    """Compute minus the logarithms of tail areas: empirical, with an exponential upper tail.

    The mean excess over the start of the tail is that of the column's arrangements.
    """
    count = values.shape[1]
    n_upper = max(int(np.ceil(_UPPER * count)), 2)
    upper = np.partition(values, count - n_upper, axis=1)[:, count - n_upper :]
    start = upper[:, 0]
    excess = upper.mean(axis=1) - start
    level = -libm.log((values >= start[:, None] - 1e-12).mean(axis=1))
    varies = start > 1e-12
    below = values * (level / np.where(varies, start, 1.0))[:, None]
    beyond = level[:, None] + (values - start[:, None]) / np.maximum(excess, 1e-9)[:, None]
    return np.where(varies[:, None], np.where(values < start[:, None], below, beyond), 0.0)
