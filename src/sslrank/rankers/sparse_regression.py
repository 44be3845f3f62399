"""Semi-supervised sparse regression: RLSR and convex CSFS estimate unknown labels together with a row-sparse model."""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, lstsq

from sslrank.core.base import BaseRanker
from sslrank.core.columns import numeric_rows
from sslrank.core.validation import check_choice, check_count, check_number


class _SparseRegression(BaseRanker):
    """Base class: alternate between coefficients W, feature scales θ and labels of unlabelled rows.

    For fixed scales θ the coefficients minimise ``||H (Z W - Y)||² + λ Σ_j ||w_j||² / θ_j``, where H centres columns.
    """

    penalty: float = 1.0
    scale: str | None = "range"
    max_iter: int = 30
    tol: float = 1e-4

    def check_params(self):
        check_number("penalty", self.penalty, above=True)
        check_choice("scale", self.scale, (None, "range", "standard"))
        check_count("max_iter", self.max_iter)
        check_number("tol", self.tol)

    def rank_coded(self, features, targets):
        if not targets.labeled.any():
            raise ValueError(f"{type(self).__name__} needs at least one labelled row, y has none")
        design = numeric_rows(features, self.scale)
        Z = design.values - design.values.mean(axis=0)
        Y, known = indicators(targets)
        products = Z.T @ Z if Z.shape[1] <= len(Z) else None
        Y = np.where(known, Y, self._start(Y.shape[1]))
        theta, self.objective_ = np.full(design.n_features, self._first_scale(design.n_features)), []
        for _ in range(self.max_iter):
            W = coefficients(Z, Y - Y.mean(axis=0), theta[design.owner], self._ridge(), products)
            norms = np.sqrt(design.sum_by_feature((W**2).sum(axis=1)))
            theta = self._scales(norms)
            predicted = Z @ W
            # b = mean of Y - Z W over the rows, of which Z W is 0
            Y = np.where(known, Y, self._project(predicted + Y.mean(axis=0)))
            loss = ((predicted - predicted.mean(axis=0) - Y + Y.mean(axis=0)) ** 2).sum()
            self.objective_.append(float(loss + self.penalty * self._norm(norms)))
            if len(self.objective_) > 1 and self.objective_[-2] - self.objective_[-1] <= self.tol * self.objective_[-2]:
                break
        self.labels_, self.n_iter_ = Y, len(self.objective_)
        return theta


def indicators(targets):
    """Return labels as numbers, and a mask of the known ones.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets

    Returns
    -------
    Y : ndarray of shape (n, n_classes) or (n, T)
        Indicators of classes, or labels of 0 and 1; 0 where unknown.
    known : ndarray of bool, of that shape

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> Y, known = indicators(encode_targets([0, 1, -1], 3))
    >>> Y.tolist(), known[:, 0].tolist()
    ([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], [True, True, False])
    """
    known = ~np.isnan(targets.values)
    if targets.task != "classification":
        return np.where(known, targets.values, 0.0), known
    codes = np.where(known, targets.values, 0.0)[:, 0].astype(np.intp)
    Y = np.eye(targets.n_classes)[codes] * known
    return Y, np.repeat(known, Y.shape[1], axis=1)


def coefficients(Z, Y, theta, ridge, products=None):
    """Solve ``min_W ||Z W - Y||² + ridge Σ_j ||w_j||² / θ_j``, where θ_j = 0 makes w_j = 0.

    Parameters
    ----------
    Z : ndarray of shape (n, W)
    Y : ndarray of shape (n, T)
    theta : ndarray of shape (W,)
    ridge : float
    products : ndarray of shape (W, W), optional
        ``Z.T @ Z``, if there are no more columns than rows.

    Returns
    -------
    ndarray of shape (W, T)

    Examples
    --------
    >>> coefficients(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[2.0], [3.0]]), np.array([1.0, 0.0]), 1.0)
    array([[1.],
           [0.]])
    """
    used = np.flatnonzero(theta > 1e-12 * theta.max())  # the others count as 0
    root = np.sqrt(theta[used])
    W = np.zeros((len(theta), Y.shape[1]))
    if len(used) <= len(Z):
        A = Z[:, used] * root
        square = root[:, None] * products[np.ix_(used, used)] * root if products is not None else A.T @ A
        square[np.diag_indices_from(square)] += ridge
        W[used] = root[:, None] * _solve(square, A.T @ Y)
    else:  # the same by the identity (A'A + r I)^-1 A' = A' (A A' + r I)^-1
        A = Z[:, used] * root
        square = A @ A.T
        square[np.diag_indices_from(square)] += ridge
        W[used] = root[:, None] * (A.T @ _solve(square, Y))
    return W


def _solve(square, right):
    """Solve a system that is positive definite but for rounding, which numbers of any unit leave."""
    try:
        return cho_solve(cho_factor(square), right)
    except LinAlgError:
        return lstsq(square, right)[0]


class RLSR(_SparseRegression):
    """Rank features by their scale factors in rescaled linear square regression, which labels unlabelled rows.

    Minimise ``||Z Θ W + 1 b' - Y||² + γ ||W||²`` over W, b, the scale factors and the labels of unlabelled rows, each a
    distribution over the classes [1]_. Θ is the diagonal matrix of the square roots of the scale factors, which sum to
    1. This equals ``||Z W + 1 b' - Y||² + γ ||W||²_{2,1}`` with factors ``||w_j|| / Σ ||w||``. The problem is convex;
    each step of the alternation decreases the objective. The importance of a feature is its scale factor.

    Parameters
    ----------
    penalty : float, default=1.0
        γ.
    scale : {"range", "standard", None}, default="range"
        Of numeric features, see :func:`sslrank.core.columns.numeric_rows`.
    max_iter : int, default=30
    tol : float, default=1e-4
        Stop when the objective decreases by a smaller share of it.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random.

    Attributes
    ----------
    n_iter_ : int
        Iterations made.
    objective_ : list of float
        After each iteration.
    labels_ : ndarray of shape (n_rows, n_classes)

    References
    ----------
    .. [1] X. Chen, F. Nie, G. Yuan, J. Z. Huang (2017), Semi-supervised feature selection via rescaled linear
       regression, IJCAI, pp. 1525-1531.

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.rankers.sparse_regression import RLSR
    >>> X = np.random.default_rng(0).normal(size=(60, 3))
    >>> y = (X[:, 1] > 0).astype(int)
    >>> y[20:] = -1
    >>> int(RLSR().fit(X, y).ranking_.argmin())
    1
    """

    tasks = frozenset({"classification"})

    def _start(self, n_classes):
        return 1.0 / n_classes

    def _first_scale(self, n_features):
        return 1.0 / n_features

    def _ridge(self):
        return self.penalty

    def _scales(self, norms):
        return norms / norms.sum() if norms.any() else norms + 1.0 / len(norms)

    def _norm(self, norms):
        return norms.sum() ** 2

    def _project(self, labels):
        return project_on_simplex(labels)


class ConvexCSFS(_SparseRegression):
    """Rank features by convex semi-supervised feature selection (CSFS of Chang et al.), an l2,1-regularised regression.

    Minimise ``||Z W + 1 b' - Y||² + α ||W||_{2,1}`` over W, b and the labels of unlabelled rows, each in [0, 1] [1]_.
    The importance of a feature is ``||w_j||``. (The ranker `csfs` is another method, of Hindawi et al.)

    Parameters
    ----------
    penalty : float, default=1.0
        α.
    scale : {"range", "standard", None}, default="range"
        Of numeric features, see :func:`sslrank.core.columns.numeric_rows`.
    max_iter : int, default=30
    tol : float, default=1e-4
        Stop when the objective decreases by a smaller share of it.
    hierarchy, hierarchy_alpha
        See :func:`sslrank.core.targets.encode_targets`; labels of a hierarchy have equal weights.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random.

    Attributes
    ----------
    n_iter_ : int
        Iterations made.
    objective_ : list of float
        After each iteration.
    labels_ : ndarray of shape (n_rows, n_labels)

    References
    ----------
    .. [1] X. Chang, F. Nie, Y. Yang, H. Huang (2014), A convex formulation for semi-supervised multi-label feature
       selection, AAAI, pp. 1171-1177.

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.rankers.sparse_regression import ConvexCSFS
    >>> X = np.random.default_rng(0).normal(size=(60, 4))
    >>> Y = np.where(np.arange(60)[:, None] < 20, X[:, [1, 3]] > 0, np.nan)
    >>> sorted(int(j) for j in ConvexCSFS(task="multilabel").fit(X, Y).ranking_.argsort()[:2])
    [1, 3]
    """

    tasks = frozenset({"classification", "multilabel", "hierarchical"})
    hierarchy: list | None = None
    hierarchy_alpha: float = 0.75

    def _start(self, n_labels):
        return 0.0

    def _first_scale(self, n_features):
        return 1.0

    def _ridge(self):
        return self.penalty / 2

    def _scales(self, norms):
        return norms if norms.any() else norms + 1.0

    def _norm(self, norms):
        return norms.sum()

    def _project(self, labels):
        return np.clip(labels, 0.0, 1.0)


def project_on_simplex(values):
    """Project each row on the simplex: the nearest nonnegative numbers with sum 1.

    Parameters
    ----------
    values : ndarray of shape (n, k)

    Returns
    -------
    ndarray of shape (n, k)

    Examples
    --------
    >>> project_on_simplex(np.array([[0.5, 0.7, -1.0]])).round(2)
    array([[0.4, 0.6, 0. ]])
    """
    falling = -np.sort(-values, axis=1)
    sums = np.cumsum(falling, axis=1) - 1.0
    counts = np.arange(1, values.shape[1] + 1)
    size = (falling - sums / counts > 0).sum(axis=1)
    return np.maximum(values - (sums[np.arange(len(values)), size - 1] / size)[:, None], 0.0)
