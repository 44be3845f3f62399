"""Univariate screening of very wide tables, in which a forest tries each feature rarely and a linear model is slow."""

import numpy as np

from sslrank.rankers.registry import get_ranker

#: Number of features to keep. On the arena's datasets for choosing defaults, 1,000 are as good as all, and 2,000, 500
#: and 250 are worse; on the held-out datasets, 1,000 are better than all (tests/benchmarks/README.md).
N_SCREENED = 1_000
#: Tables with more features than this are screened.
WIDE = 5_000
#: Number of features whose F statistics are computed at a time, so that they fit in the cache.
_BLOCK = 1_000
#: Number of entries of class contrasts multiplied at a time.
_CONTRASTS = 10_000_000


def has_screening(n_features):
    """Check if a table with this many features is screened before forests and linear models."""
    return n_features > WIDE


def is_wide(method, n_features):
    """Check if a method uses only the features that screening keeps.

    Parameters
    ----------
    method : sslrank.tabular.fits.methods.RankingMethod
    n_features : int

    Returns
    -------
    bool
    """
    return has_screening(n_features) and (hasattr(method.ranker, "n_estimators") or hasattr(method.ranker, "n_alphas"))


def screen(features, targets):
    """Find the features with the largest F statistics over labelled rows.

    Parameters
    ----------
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets

    Returns
    -------
    ndarray of int
        At most :data:`N_SCREENED`, ascending.
    """
    X, y = features.values, targets.values[:, 0] if targets.values.shape[1] == 1 else targets.values
    if shares_screening(X, y, features.nominal):
        return screen_fits(X, [(np.arange(len(X)), y)], targets.task)[0]
    ranker = get_ranker("f_score").fit_coded(features.without_unused_categories(), targets.without_unused_categories())
    return _best_features(ranker.feature_importances_)


def shares_screening(X, y, nominal):
    """Check if :func:`screen_fits` supports these rows: one class or number each, no missing values."""
    return y.ndim == 1 and not nominal.any() and bool(np.isfinite(y).all() and np.isfinite(X.sum(axis=0)).all())


def screen_fits(X, parts, task):
    """Run :func:`screen` for several fits at once, by matrix products.

    Columns in which the values of a fit are far from the others are recomputed for this fit, to keep precision.

    Parameters
    ----------
    X : ndarray of shape (n, D)
    parts : list of (rows, y)
        Indices of different rows, and the class or number of each.
    task : str

    Returns
    -------
    list of ndarray of int
    """
    all_rows = np.unique(np.concatenate([rows for rows, _ in parts]))
    parts = [(np.searchsorted(all_rows, rows), y) for rows, y in parts]
    members, contrasts = np.zeros((len(parts), len(all_rows))), []
    for member, (rows, y) in zip(members, parts, strict=True):
        member[rows] = 1.0
        # squares of the products with a column add up to the part of its variance that the target explains
        part_contrasts = []
        for values in (y[:, None] == np.unique(y)).T if task == "classification" else [y]:
            contrast, centered = np.zeros(len(all_rows)), values - values.mean()
            centered /= np.abs(centered).max() or 1.0
            length = centered @ centered
            share = 1.0 - values.mean() if task == "classification" else 1.0  # n - n_class, of n
            contrast[rows] = centered * np.sqrt(share / max(length, 1e-300))
            part_contrasts.append(contrast)
        contrasts.append(np.array(part_contrasts))
    shares = np.empty((len(parts), X.shape[1]))
    step = max(1, _CONTRASTS // max(contrast.size for contrast in contrasts))
    for first in range(0, len(parts), step):
        some = slice(first, first + step)
        for start in range(0, X.shape[1], _BLOCK):
            block = slice(start, start + _BLOCK)
            shares[some, block] = _shares(X[all_rows, block], parts[some], members[some], contrasts[some])
    # rounded, as the last bits of a product depend on the position of a column and the number of threads
    return [_best_features(row) for row in shares.round(12)]


def _shares(columns, parts, members, contrasts):
    """Compute the share of variance of columns explained by the target in each part, shape (n_parts, n_columns)."""
    starts = np.cumsum([0, *(len(contrast) for contrast in contrasts[:-1])])
    n_rows, mean = members.sum(axis=1)[:, None], columns.mean(axis=0)
    centered = columns - mean
    between = np.add.reduceat((np.concatenate(contrasts) @ centered) ** 2, starts, axis=0)
    sums, squares = members @ centered, members @ centered**2
    total = squares - sums**2 / n_rows
    for i, is_far in enumerate(total < 1e-9 * squares):
        at = np.flatnonzero(is_far)
        if len(at):
            rows = parts[i][0]
            alone = columns[np.ix_(rows, at)]
            alone = alone - alone.mean(axis=0)
            total[i, at] = (alone**2).sum(axis=0)
            between[i, at] = ((contrasts[i][:, rows] @ alone) ** 2).sum(axis=0)
    varies = total > 1e-20 * n_rows * (mean + sums / n_rows) ** 2  # else nothing but rounding
    return np.divide(between, total, out=np.zeros_like(total), where=varies)


def _best_features(scores):
    """Return the :data:`N_SCREENED` features with the largest scores (ties: the first ones), ascending."""
    return np.sort(np.argsort(-scores, kind="stable")[:N_SCREENED])


def extended(values, kept, n_features):
    """Give importance 0 to the features that screening left out.

    Parameters
    ----------
    values : ndarray of shape (n_kept, ...)
        Importances of the features `kept`.
    kept : ndarray of int, or None
        None if no feature was left out.
    n_features : int

    Returns
    -------
    ndarray of shape (n_features, ...)
    """
    if kept is None:
        return values
    filled = np.zeros((n_features, *values.shape[1:]))
    filled[kept] = values
    return filled


def screening_note(methods, n_features):
    """Return a list with a note if methods use only screened features; otherwise an empty list."""
    names = [method.name for method in methods if is_wide(method, n_features)]
    if not names:
        return []
    return [
        f"{', '.join(names)}: each fit uses only the {N_SCREENED} of {n_features} features with the largest F "
        "statistics (screening); the others have importance 0"
    ]
