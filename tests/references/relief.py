"""SSL-Relief in plain NumPy, word for word: the yardstick of the tests."""

import numpy as np


def differences(values, n_categories, seen=None):
    """All d_i, shape (n, n, D); the ranges are those of the rows of `seen`, which are these rows if not given."""
    found = np.empty((len(values), *values.shape))
    for c, (column, of) in enumerate(zip(values.T, (values if seen is None else seen).T, strict=True)):
        known = of[~np.isnan(of)]
        low, high = (known.min(), known.max()) if len(known) and not n_categories[c] else (0.0, 1.0)
        a, b = (side / (high - low if high > low else 1.0) for side in (column[:, None] - low, column - low))
        one = np.where(np.isnan(a), b, a)  # the known value of two, NaN if there is none
        if n_categories[c]:
            found[..., c] = np.where(np.isnan(a + b), 1.0 - 1.0 / n_categories[c], a != b)
        else:
            one = np.where(np.isnan(a + b), np.maximum(one, 1 - one), abs(a - b))
            found[..., c] = np.where(np.isnan(one), 1.0, one)
    return found


def target_distances(targets):
    """d_Y for all pairs, shape (n, n)."""
    values = targets.values
    n_targets = values.shape[1]
    if targets.task == "classification":
        return (values != values.T).astype(float)
    if targets.task in ("regression", "multitarget"):
        return differences(values, [0] * n_targets).mean(axis=2)
    single = differences(values, [2] * n_targets)
    if targets.task == "multilabel":
        return single.mean(axis=2)
    weighted = single @ targets.weights
    largest = weighted[np.ix_(targets.labeled, targets.labeled)].max()
    return weighted / (largest or 1.0)


def rounded(distance):
    return np.rint(distance * 2.0**40) / 2.0**40


def shared_ranks(distance, weights):
    """Weights of rows if the first, second, ... nearest have `weights`; equally near ones have their mean."""
    padded = np.concatenate([weights[: len(distance)], np.zeros(max(0, len(distance) - len(weights)))])
    ranks = np.argsort(np.argsort(distance, kind="stable"))
    return np.array([padded[ranks[distance == d]].mean() for d in distance])


def importances(features, targets, n_neighbors, w0, w1, rows=None):
    """Algorithm 3."""
    d = differences(features.values, features.n_categories)
    d_x = rounded(d.mean(axis=2))
    n = len(d_x)
    labeled = targets.labeled if targets.task != "none" else np.zeros(n, dtype=bool)
    d_y = target_distances(targets) if labeled.any() else None
    weight = np.ones(n)
    if labeled.any() and not labeled.all():
        away = d_x[:, labeled].min(axis=1)
        lo, hi = away[~labeled].min(), away[~labeled].max()
        for i in np.flatnonzero(~labeled):
            weight[i] = w1 + (w0 - w1) * (away[i] - lo) / (hi - lo) if hi > lo else (w0 + w1) / 2
    both, feature, cluster, total = np.zeros(d.shape[2]), np.zeros(d.shape[2]), 0.0, 0.0
    for r in range(n) if rows is None else rows:
        others = np.array([j for j in range(n) if j != r])
        for other, share in zip(others, shared_ranks(d_x[r, others], np.ones(n_neighbors)), strict=True):
            w = share * weight[r] * weight[other]
            dc = d_y[r, other] if labeled[r] and labeled[other] else d_x[r, other]
            total += w
            cluster += w * dc
            feature += w * d[r, other]
            both += w * d[r, other] * dc
    first = both / cluster if cluster > 1e-13 * total else 0.0
    alike = total - cluster
    second = (feature - both) / alike if alike > 1e-13 * total else 0.0
    return np.zeros(d.shape[2]) + first - second
