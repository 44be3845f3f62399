"""Univariate F statistics for every kind of target: analysis of variance and correlation."""

from dataclasses import replace

import numpy as np
from scipy import sparse

from sslrank.core.base import WeightedRanker
from sslrank.core.features import check_magnitude, rescaled
from sslrank.core.tasks import TASKS


class FScore(WeightedRanker):
    """Rank features by the F statistic of their association with the target, over the labelled rows.

    The association is the squared correlation r² of a numeric feature and a numeric target, the share of variance
    between groups (eta²) of a number and classes or of a nominal feature and a number, and Cramér's V² of a nominal
    feature and classes. All are the mean squared canonical correlation V/s, where V is Pillai's trace [1]_, a nominal
    feature (target) of c categories has p (q) = c - 1 dimensions, a number has one, and s = min(p, q). With N rows, ::

        F = (V/s) / (1 - V/s) * (N - 1 - max(p, q)) / max(p, q)

    which for a numeric feature equals scikit-learn's ``f_classif`` or ``f_regression``. For several targets or labels
    V/s is averaged, with the weights of a hierarchy if there is one. Rows in which the feature or the target is missing
    are left out.

    Parameters
    ----------
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`. Nothing here is random, and there is one thread.
    hierarchy, hierarchy_alpha
        See :func:`sslrank.core.targets.encode_targets`.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        F, at least 0. A perfect association (V/s = 1) gets the largest F that floating point allows.
    correlations_ : ndarray of shape (n_features,)
        V/s, in [0, 1].

    References
    ----------
    .. [1] K. C. S. Pillai (1955), Some new test criteria in multivariate analysis, Annals of Mathematical
       Statistics 26; for one number R. A. Fisher (1925), Statistical Methods for Research Workers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import get_ranker
    >>> X, y = load_iris(return_X_y=True)
    >>> get_ranker("f_score").fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset(TASKS)
    labeled_only = True
    accept_sparse = True
    hierarchy: list | None = None
    hierarchy_alpha: float = 0.75

    def rank_coded(self, features, targets, sample_weight=None):
        check_magnitude(features)
        features = without_gaps(features)
        correlate = _with_classes if targets.task == "classification" else _with_numbers
        correlations, n_rows, dimensions = correlate(features, targets, sample_weight)
        self.correlations_ = np.clip(correlations, 0.0, 1.0)
        rest = np.maximum(1.0 - self.correlations_, np.finfo(np.float64).eps)
        degrees = np.maximum(n_rows - 1 - dimensions, 0)
        return self.correlations_ / rest * degrees / np.maximum(dimensions, 1)


def _with_classes(features, targets, sample_weight=None):
    """Compute V/s, number of rows and max(p, q) of every feature with the classes."""
    indicators = np.eye(targets.n_classes)[targets.values[:, 0].astype(np.intp)]
    numbers = _Numbers(features)
    statistics = np.zeros((3, features.shape[1]))
    weights = np.ones(len(indicators)) if sample_weight is None else sample_weight
    indicators = indicators * weights[:, None]
    counts, sums = numbers.known(indicators).T, numbers.products(indicators).T
    between = _over(sums**2, counts).sum(axis=0) - _over(sums.sum(axis=0) ** 2, counts.sum(axis=0))
    whole = numbers.squares(weights[:, None])[:, 0] - _over(sums.sum(axis=0) ** 2, counts.sum(axis=0))
    classes = (counts > 0).sum(axis=0) - 1
    statistics[:, ~features.nominal] = _over(between, whole), counts.sum(axis=0), classes
    for j in np.flatnonzero(features.nominal):
        codes = features.values[:, j]
        there = ~np.isnan(codes)
        table = np.zeros((features.n_categories[j], targets.n_classes))
        np.add.at(
            table,
            (codes[there].astype(np.intp), targets.values[there, 0].astype(np.intp)),
            1.0 if sample_weight is None else sample_weight[there],
        )
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        p, q = max(table.shape[0] - 1, 0), max(table.shape[1] - 1, 0)
        if min(p, q):
            expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
            statistics[0, j] = ((table - expected) ** 2 / expected).sum() / table.sum() / min(p, q)
        statistics[1:, j] = table.sum(), max(p, q)
    return statistics


def _with_numbers(features, targets, sample_weight=None):
    """Compute V/s, number of rows and p of every feature, averaged over the targets."""
    y, known_y = centered(targets.values)
    known_y = known_y.astype(np.float64)
    numbers = _Numbers(features)
    shares, rows = np.zeros((2, features.shape[1], y.shape[1]))
    dimensions = np.ones(features.shape[1])
    squares_y, products_y = y**2, y
    if sample_weight is not None:
        known_y, products_y, squares_y = (part * sample_weight[:, None] for part in (known_y, y, squares_y))
    n = numbers.known(known_y)
    sums_x, sums_y = numbers.products(known_y), numbers.known(products_y)
    within_x = numbers.squares(known_y) - _over(sums_x**2, n)
    within_y = numbers.known(squares_y) - _over(sums_y**2, n)
    shares[~features.nominal] = _over(
        (numbers.products(products_y) - _over(sums_x * sums_y, n)) ** 2, within_x * within_y
    )
    rows[~features.nominal] = n
    for j in np.flatnonzero(features.nominal):
        codes = features.values[:, j]
        there = ~np.isnan(codes)
        indicators = np.eye(features.n_categories[j])[codes[there].astype(np.intp)]
        n = indicators.T @ known_y[there]
        sums = indicators.T @ products_y[there]
        total = _over(sums.sum(axis=0) ** 2, n.sum(axis=0))
        shares[j] = _over(_over(sums**2, n).sum(axis=0) - total, squares_y[there].sum(axis=0) - total)
        rows[j], dimensions[j] = n.sum(axis=0), max(indicators.any(axis=0).sum() - 1, 0)
    weights = targets.weights / targets.weights.sum()
    return shares @ weights, rows @ weights, dimensions


class _Numbers:
    """Sums over the rows of numeric columns, scaled by their ranges; a sparse X has no missing values."""

    def __init__(self, features):
        self.sparse = sparse.issparse(features.values)
        if self.sparse:
            self.x = in_units_of_ranges(sparse.csc_array(features.values))
        else:
            self.x, self.is_known = centered(features.values[:, ~features.nominal])

    def known(self, weights):
        """Sums of weights, shape (n, k), over the rows in which a column is known, shape (D, k)."""
        if self.sparse:
            return np.broadcast_to(weights.sum(axis=0), (self.x.shape[1], weights.shape[1]))
        return self.is_known.T.astype(np.float64) @ weights

    def products(self, weights):
        """Sums of values times weights."""
        return self.x.T @ weights

    def squares(self, weights):
        """Sums of squares times weights."""
        return (self.x**2).T @ weights


def without_gaps(features):
    """Make features dense if they are sparse and have missing values.

    Parameters
    ----------
    features : sslrank.core.features.Features

    Returns
    -------
    Features
    """
    if sparse.issparse(features.values) and np.isnan(features.values.data).any():
        return replace(features, values=features.values.toarray())
    return features


def in_units_of_ranges(columns):
    """Divide sparse columns by their ranges; constant columns become 0.

    The minimum of a column without zeros is subtracted first, because a large offset would dominate its sums of
    squares.

    Parameters
    ----------
    columns : csc_array

    Returns
    -------
    csc_array
    """
    low, high = (extreme.toarray().ravel() for extreme in (columns.min(axis=0), columns.max(axis=0)))
    spread, counts = high - low, np.diff(columns.indptr)
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
    data = columns.data - np.repeat(np.where(counts == columns.shape[0], low, 0.0), counts)
    return sparse.csc_array((data * np.repeat(scale, counts), columns.indices, columns.indptr), shape=columns.shape)


def centered(values):
    """Centre columns by the mean of their known values and divide them by their range; missing values become 0.

    Parameters
    ----------
    values : ndarray of shape (n, D)

    Returns
    -------
    values : ndarray of shape (n, D)
    known : ndarray of shape (n, D), bool

    Examples
    --------
    >>> centered(np.array([[0.0], [4.0], [np.nan]]))
    (array([[-0.5],
           [ 0.5],
           [ 0. ]]), array([[ True],
           [ True],
           [False]]))
    """
    known = ~np.isnan(values)
    has_gaps = not known.all()  # without, the usual case, three times as fast
    where, counts = (known, np.maximum(known.sum(axis=0), 1)) if has_gaps else (True, max(len(values), 1))
    low = np.min(values, axis=0, where=where, initial=np.inf)
    spread = np.max(values, axis=0, where=where, initial=-np.inf) - low
    varies = spread > 0
    units = rescaled(values, np.where(varies, low, 0.0), np.where(varies, spread, 1.0))
    units[:, ~varies] = 0.0
    if has_gaps:
        units[~known] = 0.0
    units -= units.sum(axis=0) / counts
    if has_gaps:
        units[~known] = 0.0
    return units, known


def _over(numerator, denominator):
    """Divide; 0 where the denominator is rounding error of 0."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 1e-12)
