"""F statistic of each feature alone with any kind of target: analysis of variance and correlation."""

import numpy as np
from threadpoolctl import threadpool_limits

from sslrank.core.base import WeightedRanker
from sslrank.core.features import check_magnitude, in_units
from sslrank.core.tasks import TASKS


class FScore(WeightedRanker):
    """Univariate filter: F statistic of the association of a feature with the target, over the labelled rows.

    A number and a number: the squared correlation r². A number and classes, or a nominal feature and a number: the
    share of the variance that is between the groups (eta²). A nominal feature and classes: Cramér's V². All are the
    mean squared canonical correlation V/s, V being Pillai's trace [1]_, where a nominal feature of c categories (or a
    target of c classes) has p (or q) = c - 1 dimensions, a number has one, and s = min(p, q). With N rows, ::

        F = (V/s) / (1 - V/s) * (N - 1 - max(p, q)) / max(p, q)

    which for a number is scikit-learn's ``f_classif`` or ``f_regression``. Of several targets or labels, V/s is the
    mean, weighted as the labels of a hierarchy are. Rows in which the feature or the target is missing are left out.

    Parameters
    ----------
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`. Nothing here is random, and there is one thread.
    hierarchy, hierarchy_alpha
        See :func:`sslrank.core.targets.encode_targets`.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        F, at least 0. Where V/s is 1 to the last digit, F is as large as that digit allows.
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

    _tasks = frozenset(TASKS)
    _labeled_only = True
    hierarchy: list | None = None
    hierarchy_alpha: float = 0.75

    def _rank(self, features, targets, sample_weight=None):
        check_magnitude(features)
        with threadpool_limits(1):  # one order of summation, whatever the number of threads
            if targets.task == "classification":
                correlations, n_rows, dimensions = _with_classes(features, targets, sample_weight)
            else:
                correlations, n_rows, dimensions = _with_numbers(features, targets, sample_weight)
        self.correlations_ = np.clip(correlations, 0.0, 1.0)
        rest = np.maximum(1.0 - self.correlations_, np.finfo(np.float64).eps)
        degrees = np.maximum(n_rows - 1 - dimensions, 0)
        return self.correlations_ / rest * degrees / np.maximum(dimensions, 1)


def _with_classes(features, targets, sample_weight=None):
    """V/s, rows and max(p, q) of every feature with the classes."""
    indicators = np.eye(targets.n_classes)[targets.values[:, 0].astype(np.intp)]
    numbers, known = centered(features.values[:, ~features.nominal])
    found = np.zeros((3, features.shape[1]))
    weigh = (lambda rows: rows) if sample_weight is None else (lambda rows: rows * sample_weight[:, None])
    indicators = weigh(indicators)
    counts, sums = indicators.T @ known, indicators.T @ numbers
    between = _over(sums**2, counts).sum(axis=0) - _over(sums.sum(axis=0) ** 2, counts.sum(axis=0))
    whole = weigh(numbers**2).sum(axis=0) - _over(sums.sum(axis=0) ** 2, counts.sum(axis=0))
    classes = (counts > 0).sum(axis=0) - 1
    found[:, ~features.nominal] = _over(between, whole), counts.sum(axis=0), classes
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
            found[0, j] = ((table - expected) ** 2 / expected).sum() / table.sum() / min(p, q)
        found[1:, j] = table.sum(), max(p, q)
    return found


def _with_numbers(features, targets, sample_weight=None):
    """V/s, rows and p of every feature, averaged over the targets."""
    y, known_y = centered(targets.values)
    x, known_x = centered(features.values[:, ~features.nominal])
    shares, rows = np.zeros((2, features.shape[1], y.shape[1]))
    dimensions = np.ones(features.shape[1])
    squares_y, products_y = y**2, y
    if sample_weight is not None:
        known_y, products_y, squares_y = (part * sample_weight[:, None] for part in (known_y, y, squares_y))
    n = known_x.T @ known_y
    sums_x, sums_y = x.T @ known_y, known_x.T @ products_y
    within_x = (x**2).T @ known_y - _over(sums_x**2, n)
    within_y = known_x.T @ squares_y - _over(sums_y**2, n)
    shares[~features.nominal] = _over((x.T @ products_y - _over(sums_x * sums_y, n)) ** 2, within_x * within_y)
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


def centered(values):
    """Columns minus the mean of their known values, over their range, missing ones 0; and which are known, as 0/1."""
    known = ~np.isnan(values)
    counts = np.maximum(known.sum(axis=0), 1)
    low = np.min(values, axis=0, where=known, initial=np.inf)
    spread = np.max(values, axis=0, where=known, initial=-np.inf) - low
    varies = spread > 0
    units = in_units(values, np.where(varies, low, 0.0), np.where(varies, spread, 1.0))
    units = np.where(known & varies, units, 0.0)
    return np.where(known, units - units.sum(axis=0) / counts, 0.0), known.astype(np.float64)


def _over(numerator, denominator):
    """Quotient, 0 where there is nothing but rounding to divide by."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 1e-12)
