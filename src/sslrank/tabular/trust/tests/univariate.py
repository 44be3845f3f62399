"""A test of each feature alone: linear, monotone and of either side, by type of column, for any kind of target.

References
----------
K. C. S. Pillai: Some new test criteria in multivariate analysis. Annals of Mathematical Statistics 26, 1955.
A. M. Winkler, G. R. Ridgway, G. Douaud, T. E. Nichols, S. M. Smith: Faster permutation inference in brain imaging.
NeuroImage 141, 2016.
"""

import numpy as np
from scipy.special import betainc, betaincinv
from scipy.stats import rankdata

from sslrank.tabular.trust.rows.permutations import permutations
from sslrank.tabular.trust.tests.combining import cauchy

#: Permutations that calibrate the tests.
COUNT = 199
#: The upper part of the statistics under permutation that is compared with theory.
_UPPER = 0.1
#: Theory counts for this many permutations' values in that part.
_PRIOR = 10
#: Weights of the tests of a column of numbers: linear, of ranks, and of the distance from the middle rank.
_WEIGHTS = (0.4, 0.4, 0.2)
#: Products that are held at a time.
_CELLS = 20_000_000


def target_groups(targets, sample_weight=None):
    """Columns that stand for each target, orthonormal, and the same of ranks.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
        Of labelled rows.
    sample_weight : ndarray of shape (n,), optional

    Returns
    -------
    plain, ranked : list of ndarray of shape (n, q)
        One for each target; classes are one target.
    """
    values = targets.values
    if targets.task == "classification":
        found = [orthonormal(np.eye(targets.n_classes)[values[:, 0].astype(np.intp)], sample_weight)]
        return found, found
    plain = [orthonormal(column[:, None], sample_weight) for column in values.T]
    if targets.task in ("multilabel", "hierarchical"):
        return plain, plain
    return plain, [orthonormal(ranks_of(column)[:, None], sample_weight) for column in values.T]


def orthonormal(columns, sample_weight=None):
    """Centre columns over their known rows, weigh rows, and make them orthonormal; rows with a gap stay NaN."""
    known = ~np.isnan(columns)
    weights = known * (1.0 if sample_weight is None else sample_weight[:, None])
    values = np.where(known, columns, 0.0)
    values = weights * (values - (weights * values).sum(axis=0) / np.maximum(weights.sum(axis=0), 1e-300))
    left, lengths, _ = np.linalg.svd(values, full_matrices=False)
    left = left[:, lengths > 1e-9 * max(lengths.max(initial=0.0), 1e-300)]
    left[~known.all(axis=1)] = np.nan
    return left


def ranks_of(column):
    """Ranks of a column's values from 1, the mean of equal ones; NaN stays.

    As :func:`scipy.stats.rankdata`, in a tenth of its time for few rows.
    """
    order = np.argsort(column, kind="stable")
    values = column[order]
    n = len(values) - int(np.isnan(column).sum())  # NaN comes last
    found = np.full(len(column), np.nan)
    first = np.concatenate([[True], values[1:n] != values[: n - 1]])[:n]
    if first.all():
        found[order[:n]] = np.arange(1.0, n + 1)
        return found
    starts = np.flatnonzero(first)
    counts = np.diff(starts, append=n)
    found[order[:n]] = (starts + (counts + 1) / 2)[np.cumsum(first) - 1]
    return found


def feature_views(features):
    """Columns of length one that stand for each feature.

    Returns
    -------
    list of (basis, feature, kind)
        Basis of shape (n, columns); the feature of each of its columns; "linear", "rank", "fold" or "levels".
    """
    X, nominal = features.values, features.nominal
    numbers = np.flatnonzero(~nominal)
    views = []
    if len(numbers):
        x = X[:, numbers]
        known = ~np.isnan(x)
        ranks = rankdata(x, axis=0, nan_policy="omit") if not known.all() else rankdata(x, axis=0)
        middle = (known.sum(axis=0) + 1) / 2
        for kind, values in (("linear", x), ("rank", ranks), ("fold", np.abs(ranks - middle))):
            views.append((_unit(values), numbers, kind))
    if nominal.any():
        bases, owners = [], []
        for j in np.flatnonzero(nominal):
            codes = X[:, j]
            there = ~np.isnan(codes)
            if not there.any():
                continue
            levels, codes = np.unique(codes[there], return_inverse=True)
            basis = np.zeros((len(X), len(levels)))
            basis[np.flatnonzero(there), codes] = 1.0
            basis[there] -= basis[there].mean(axis=0) if len(levels) < 2 else 0.0
            counts = basis.sum(axis=0)
            bases.append(basis / np.sqrt(np.maximum(counts, 1.0)))
            owners.append(np.full(len(levels), j))
        if bases:
            views.append((np.hstack(bases), np.concatenate(owners), "levels"))
    return views


def _unit(values):
    known = ~np.isnan(values)
    low = np.min(values, axis=0, where=known, initial=np.inf)
    spread = np.max(values, axis=0, where=known, initial=-np.inf) - low
    varies = spread > 0
    values = np.where(known & varies, values - np.where(varies, low, 0.0), 0.0) / np.where(varies, spread, 1.0)
    values = np.where(known, values - values.sum(axis=0) / np.maximum(known.sum(axis=0), 1), 0.0)
    lengths = np.sqrt((values**2).sum(axis=0))
    return np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 1e-9)


def p_values_alone(features, targets, *, seed=0, count=COUNT, sample_weight=None, groups=None, time=None):
    """Test each feature alone.

    Numbers are tested three times, by correlation or analysis of variance, by the same of ranks, and by the distance
    from the middle rank, which sees what grows towards both ends; nominal columns by Pillai's trace (chi squared with
    classes). The three, and several targets, are combined after Cauchy. Each test is calibrated by permutations of
    rows.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    seed, count : int
        Permutations, which :func:`sslrank.tabular.trust.rows.permutations.permutations` draws.
    sample_weight, groups, time : ndarray of shape (n,), optional

    Returns
    -------
    ndarray of shape (D,)
        1 for a column that does not vary.
    """
    plain, ranked = target_groups(targets, sample_weight)
    rows = permutations(len(features.values), count, seed, groups=groups, time=time)
    return p_values_of(features, plain, ranked, rows, weights=targets.weights)


def p_values_of(features, plain, ranked, rows, weights=None):
    """Test each feature against groups of target columns; see :func:`p_values_alone`.

    Parameters
    ----------
    features : sslrank.core.features.Features
    plain, ranked : list of ndarray of shape (n, q)
        Orthonormal columns, for linear tests and for those of ranks; NaN in rows that are left out.
    rows : ndarray of shape (count, n), int
        Permutations.
    weights : ndarray, optional
        Of the groups.

    Returns
    -------
    ndarray of shape (D,)
    """
    n_features = features.shape[1]
    p_values, weight = np.ones((4, len(plain), n_features)), np.zeros((4, 1, n_features))
    patterns = {}
    for k, columns in enumerate(plain):
        patterns.setdefault(np.isnan(columns).any(axis=1).tobytes(), []).append(k)
    for of_pattern in patterns.values():
        known = ~np.isnan(plain[of_pattern[0]]).any(axis=1)
        if known.all():
            views, moved = feature_views(features), rows
        else:
            views, moved = feature_views(features.rows(known)), _among(rows, known)
        for basis, owner, kind in views:
            at = ("linear", "rank", "fold", "levels").index(kind)
            own = np.unique(owner)
            weight[at, 0, own] = 1.0 if kind == "levels" else _WEIGHTS[at]
            for k in of_pattern:
                columns = (ranked if kind in ("rank", "fold") else plain)[k][known]
                p_values[at, k, own] = _calibrated(basis, owner, columns, moved)
    weight = np.broadcast_to(weight, p_values.shape).copy()
    if weights is not None:
        weight *= np.asarray(weights)[:, None]
    shape = (-1, n_features)
    return cauchy(p_values.reshape(shape), weight.reshape(shape))


def _among(rows, known):
    """Permutations of some rows that follow those of all rows, numbered anew."""
    number = np.cumsum(known) - 1
    count = int(known.sum())
    found = [of_known[known[of_known]] for of_known in rows]  # another number of rows where sizes of groups differ
    return np.array([number[np.resize(part, count)] if len(part) else np.arange(count) for part in found])


def _calibrated(basis, owner, columns, rows):
    """P-values of the features that own columns of a basis, from their share V/s of a target's columns."""
    n, q = columns.shape
    features, first = np.unique(owner, return_index=True)
    dims = np.add.reduceat(np.ones(len(owner)), first)
    dims = np.where(dims > 1, dims - 1, 1.0)
    s = np.minimum(dims, max(q, 1))
    a, b = dims * max(q, 1) / 2, np.maximum(s * (n - 1 - np.maximum(dims, q)), 1.0) / 2
    if not q:
        return np.ones(len(features))

    def shares(part):
        """V/s of each feature and permutation, shape (features, permutations)."""
        of_column = np.empty((len(owner), len(part)))
        step = max(1, _CELLS // (len(owner) * q))
        for at in range(0, len(part), step):
            permuted = columns[part[at : at + step]]  # (step, n, q)
            k = len(permuted)
            found = basis.T @ permuted.transpose(1, 0, 2).reshape(n, k * q)
            of_column[:, at : at + k] = (found.reshape(len(owner), k, q) ** 2).sum(axis=2)
        if len(features) < len(owner):
            of_column = np.add.reduceat(of_column, first, axis=0)
        return np.minimum(of_column / s[:, None], 1 - 1e-15)

    real = -np.log1p(-shares(np.arange(n)[None])[:, 0])
    null = -np.log1p(-shares(rows))
    # Above the upper tenth under permutation, distances are measured by its mean excess; theory has the same two.
    n_upper = max(int(np.ceil(_UPPER * len(rows))), 2)
    upper = np.sort(null, axis=1)[:, -n_upper:]
    start, excess = upper[:, 0], (upper[:, 1:] - upper[:, :1]).mean(axis=1)
    level = n_upper / (len(rows) + 1)
    in_theory = -np.log1p(-np.minimum(betaincinv(a, b, 1 - level), 1 - 1e-15))
    beyond = -np.log1p(-np.minimum(betaincinv(a, b, 1 - level / np.e), 1 - 1e-15)) - in_theory
    ratio = (n_upper - 1 + _PRIOR) / np.maximum((n_upper - 1) * excess / np.maximum(beyond, 1e-300) + _PRIOR, 1e-300)
    scaled = np.where(
        real <= start,
        real * in_theory / np.maximum(start, 1e-300),
        in_theory + (real - start) * ratio,
    )
    p_values = betainc(b, a, np.exp(-scaled))  # the upper tail, with all its digits
    return np.where(start > 1e-12, np.clip(p_values, 1e-300, 1.0), 1.0)
