"""Sparse linear regression: rank features by the order in which they enter the lasso."""

import itertools
import warnings
from dataclasses import replace

import numpy as np
from scipy import sparse
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import enet_path

from sslrank.core.base import BaseRanker
from sslrank.core.features import check_magnitude
from sslrank.core.tasks import TASKS
from sslrank.core.validation import check_count, check_number
from sslrank.rankers.f_score import centered, in_units_of_ranges, without_gaps

#: A sparse table with fewer columns than rows, and at most this number of cells, is solved as a dense one: the point at
#: which the solver stops decides at which penalty a feature enters, and must not depend on the container.
_CELLS = 20_000_000
#: Cells that are turned into columns at a time, so that they stay in the cache.
_CACHED = 100_000
#: With more rows, the triangular factor of X is computed from parts of the rows.
_MANY_ROWS = 100_000


class SparseLinear(BaseRanker):
    """Rank features by the largest penalty at which a sparse linear model of the labelled rows uses them.

    The model is least squares with a penalty on the norm of each feature's coefficients over all targets [1]_ [2]_, ::

        min_B  ||Y - X B||² / 2 + lambda * sum_j ||B_j||

    for decreasing lambda, starting at the smallest lambda that leaves no feature in the model. The importance of
    feature j is the largest lambda at which B_j is not 0 (the statistic Z_j of [3]_, section 1.2), divided by the norm
    of Y; for one numeric target the largest importance is the largest correlation. Between two lambdas of the grid, and
    below the last one, features are ordered by ||x_j'(Y - X B)||, their product with the residual.

    Columns of X and Y are centred and have norm 1. Y has a column for each class, label or number (times its weight in
    a hierarchy). Missing numbers are replaced by the mean. A nominal feature of c categories is one column: each
    category gets its mean of Y's first principal direction (optimal scaling). The column has norm 1/sqrt(c - 1), the
    weight that a group of c - 1 indicators has in [1]_.

    Parameters
    ----------
    n_alphas : int, default=30
        Number of values of lambda, equally spaced on a log scale.
    eps : float, default=0.02
        The last lambda relative to the first one.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`. Nothing here is random, and there is one thread.
    hierarchy, hierarchy_alpha
        See :func:`sslrank.core.targets.encode_targets`.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        In [0, 1]; 0 for a constant feature.

    References
    ----------
    .. [1] M. Yuan, Y. Lin (2006), Model selection and estimation in regression with grouped variables, Journal of the
       Royal Statistical Society B 68, Eq. (2.1).
    .. [2] R. Tibshirani (1996), Regression shrinkage and selection via the lasso, ibid. 58.
    .. [3] R. F. Barber, E. J. Candès (2015), Controlling the false discovery rate via knockoffs, Annals of
       Statistics 43.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sslrank import get_ranker
    >>> X, y = load_diabetes(return_X_y=True)
    >>> get_ranker("l1", task="regression").fit(X, y).ranking_
    array([10,  5,  1,  3,  7,  9,  4,  8,  2,  6])
    """

    tasks = frozenset(TASKS)
    labeled_only = True
    accept_sparse = True
    n_alphas: int = 30
    eps: float = 0.02
    hierarchy: list | None = None
    hierarchy_alpha: float = 0.75

    def check_params(self):
        check_count("n_alphas", self.n_alphas, least=2)
        check_number("eps", self.eps, 0, 0.99, above=True)

    def rank_coded(self, features, targets):
        check_magnitude(features)
        features = without_gaps(features)
        Y = standard_targets(targets)
        # Not relative to the first penalty, which would give the best feature of pure noise a high importance.
        length = max(np.sqrt((Y**2).sum()), 1e-300)
        if sparse.issparse(features.values):
            n, n_features = features.shape
            if n <= n_features or n * n_features > _CELLS:
                return entry_penalties(_SparseColumns(features.values), Y, self.n_alphas, self.eps) / length
            features = replace(features, values=features.values.toarray())
        X = feature_columns(features, Y)
        if len(X) > X.shape[1]:  # the model depends on X and Y only through X'X and X'Y
            X, Y = _compressed(X, Y)
        return entry_penalties(X, Y, self.n_alphas, self.eps) / length


def _compressed(X, Y):
    """Return as many rows as X has columns, with the same X'X and X'Y."""
    if len(X) <= _MANY_ROWS:
        basis, X = np.linalg.qr(X)
        return X, basis.T @ Y
    parts = (slice(at, at + _MANY_ROWS // 10) for at in range(0, len(X), _MANY_ROWS // 10))
    triangles = [np.linalg.qr(np.hstack([X[part], Y[part]]), mode="r") for part in parts]
    both = np.linalg.qr(np.vstack(triangles), mode="r")[: X.shape[1]]
    return np.asfortranarray(both[:, : X.shape[1]]), np.ascontiguousarray(both[:, X.shape[1] :])


class _SparseColumns:
    """Sparse columns that represent those of :func:`feature_columns`: centred, with norm 1.

    They are multiplied only by columns of mean 0, so the means of X cancel.
    """

    def __init__(self, values):
        self.x = in_units_of_ranges(sparse.csc_array(values))
        self.shape = self.x.shape
        self.mean = self.x.mean(axis=0)
        squares = (self.x**2).sum(axis=0) - len(self) * self.mean**2
        self.scale = np.divide(
            1.0, np.sqrt(np.maximum(squares, 0.0)), out=np.zeros_like(squares), where=squares > 1e-12
        )

    def __len__(self):
        return self.shape[0]

    def products(self, Y):
        """X'Y."""
        return (self.x.T @ Y) * self.scale[:, None]

    def chosen(self, features):
        """Selected columns, dense."""
        return np.asfortranarray((self.x[:, features].toarray() - self.mean[features]) * self.scale[features])


def _products(X, Y):
    return X.products(Y) if isinstance(X, _SparseColumns) else X.T @ Y


def _chosen(X, features):
    return X.chosen(features) if isinstance(X, _SparseColumns) else np.asfortranarray(X[:, features])


def standard_targets(targets):
    """Encode targets as regression columns: centred, norm 1 times their weight, reduced to their rank.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets

    Returns
    -------
    ndarray of shape (n, T)

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> standard_targets(encode_targets([0.0, 2.0], 2, task="regression")).round(3)
    array([[-0.707],
           [ 0.707]])
    """
    values = targets.values
    if targets.task == "classification":
        values = np.eye(targets.n_classes)[values[:, 0].astype(np.intp)]
    Y = _unit(centered(values)[0]) * (1.0 if targets.task == "classification" else targets.weights)
    if Y.shape[1] == 1:
        return Y
    # Norms of rows of B, and errors, are those of the rotated columns.
    left, lengths, _ = np.linalg.svd(Y, full_matrices=False)
    kept = lengths > 1e-9 * max(lengths[0], 1e-300)
    return left[:, kept] * lengths[kept]


def feature_columns(features, Y):
    """Encode each feature as one centred column, of norm 1 (numeric) or less (nominal).

    Parameters
    ----------
    features : sslrank.core.features.Features
    Y : ndarray of shape (n, T)
        From :func:`standard_targets`; determines the column of a nominal feature.

    Returns
    -------
    ndarray of shape (n, D), Fortran order

    Examples
    --------
    >>> from sslrank.core.features import encode_features
    >>> feature_columns(encode_features([[0.0], [2.0]]), np.array([[-0.7], [0.7]])).round(3)
    array([[-0.707],
           [ 0.707]])
    """
    X = np.zeros(features.shape, order="F")
    numbers = np.flatnonzero(~features.nominal)
    step = max(8, _CACHED // max(len(X), 1))
    for some in np.split(numbers, range(step, len(numbers), step)):
        X[:, some] = _unit(centered(features.values[:, some])[0])
    for j in np.flatnonzero(features.nominal):
        codes = features.values[:, j]
        there = np.flatnonzero(~np.isnan(codes))
        if len(there) == 0 or Y.shape[1] == 0:
            continue
        codes = np.unique(codes[there], return_inverse=True)[1]
        counts = np.bincount(codes)
        sums = np.array([np.bincount(codes, weights=y) for y in Y[there].T]).T
        sums -= np.outer(counts, Y[there].mean(axis=0))
        direction = np.linalg.svd(sums / np.sqrt(counts)[:, None], full_matrices=False)[2][0]
        X[there, j] = ((sums @ direction) / counts)[codes]
        X[:, j : j + 1] = _unit(X[:, j : j + 1]) / np.sqrt(max(len(counts) - 1, 1))
    return X


def _unit(values):
    lengths = np.sqrt((values**2).sum(axis=0))
    found = values / np.where(lengths > 1e-9, lengths, 1.0)
    found[:, lengths <= 1e-9] = 0.0
    return found


def entry_penalties(X, Y, n_alphas, eps):
    """Find the largest penalty with which each feature is in the model.

    Parameters
    ----------
    X : ndarray of shape (n, D), or _SparseColumns
    Y : ndarray of shape (n, T)
    n_alphas : int
    eps : float

    Returns
    -------
    ndarray of shape (D,)

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(30, 3))
    >>> X = (X - X.mean(axis=0)) / X.std(axis=0)
    >>> Y = X[:, :1] + 0.1 * X[:, 1:2]
    >>> entry_penalties(X, Y - Y.mean(axis=0), 50, 1e-3).argsort()[::-1]
    array([0, 1, 2])
    """
    n_features = X.shape[1]
    importances = np.zeros(n_features)
    left = np.sqrt((_products(X, Y) ** 2).sum(axis=1))
    largest = left.max(initial=0.0)
    if not largest > 0:
        return importances
    penalties = largest * np.geomspace(1.0, eps, n_alphas)
    inside = np.zeros(n_features, dtype=bool)
    coefficients = np.zeros((Y.shape[1], n_features))
    for before, penalty in itertools.pairwise(penalties):
        coefficients, after = _solve(X, Y, penalty, coefficients, left > penalty)
        new = coefficients.any(axis=0) & ~inside
        importances[new] = penalty + (before - penalty) * np.minimum(left[new] / before, 1.0)
        inside |= new
        left = after
    importances[~inside] = penalties[-1] * np.minimum(left[~inside] / penalties[-1], 1.0)
    return importances


def _solve(X, Y, penalty, start, candidates):
    """Compute the coefficients (T, D) at a penalty, and the norm of each feature's product with the residuals.

    Only features in the model and candidates are updated, which saves most of the time. Other features whose norm then
    exceeds the penalty are added, until there are none.
    """
    candidates = candidates | start.any(axis=0)
    while True:
        chosen = np.flatnonzero(candidates)
        part, before = _chosen(X, chosen), start[:, chosen]
        is_one = Y.shape[1] == 1  # its solver is twice as fast
        Y_solved, before = (Y[:, 0], before[0]) if is_one else (np.asfortranarray(Y), before)
        # As MultiTaskLasso does, without its checks, which would take half of the time.
        with warnings.catch_warnings(), config_context(skip_parameter_validation=True):
            warnings.simplefilter("ignore", ConvergenceWarning)
            # A smaller gap changes the order only if the model has nearly as many features as rows.
            _, path, _ = enet_path(
                part, Y_solved, l1_ratio=1.0, alphas=[penalty / len(X)], precompute=False, coef_init=before,
                check_input=False, tol=3e-5, max_iter=500,
            )  # fmt: skip
        solution = path[..., 0].reshape(-1, len(chosen))
        coefficients = np.zeros_like(start)
        coefficients[:, chosen] = solution
        left = np.sqrt((_products(X, Y - part @ solution.T) ** 2).sum(axis=1))
        missed = (left > penalty * 1.001) & ~candidates
        if not missed.any():
            return coefficients, left
        candidates, start = candidates | missed, coefficients
