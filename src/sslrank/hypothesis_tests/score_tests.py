"""Score tests of columns in the model that the target has: Cox's for times, logistic for classes.

References
----------
D. Y. Lin, L. J. Wei: The robust inference for the Cox proportional hazards model. JASA 84, 1989.
P. Peduzzi et al.: Journal of Clinical Epidemiology 48, 1995 (events per column).
"""

import numpy as np
from scipy.special import betainc, chdtrc, expit

from sslrank.core.cox import CoxModel
from sslrank.core.null_model import softmax

#: Minimum number of events, or of rows of the rarer class, for each column of a model; with fewer it is linear.
EVENTS_A_COLUMN = 5
#: Penalty of squared coefficients of columns of unit variance, so that classes that columns separate have a model; and
#: number of Newton steps, and change at which they end.
_PENALTY, _STEPS, _CHANGE = 0.1, 8, 1e-6
#: Smallest weight of a row in a logistic score test, so that its residual is at most 7.5.
_SMALLEST_WEIGHT = 0.0177


def cox_p_value(null, x, basis, groups=None):
    """Compute the p-value of columns x in Cox's model, given a basis; see :func:`_p_value`.

    Parameters
    ----------
    null : sslrank.core.null_model.NullModel
        Times and events.
    x : ndarray of shape (n, p)
    basis : ndarray of shape (n, k)
        Includes the columns that are adjusted for.
    groups : ndarray of shape (n,), int, optional
    """
    k = basis.shape[1]
    model = CoxModel(null.time, null.event, basis * np.sqrt(len(basis)), null.entry, null.strata)
    columns = np.column_stack([basis, x])
    information, scores = model.information(columns, columns), model.score_rows(columns)
    return _p_value(scores, information, k, min(len(scores), int(null.event.sum())), k, groups)


def classes_p_value(codes, x, basis, groups=None):
    """Compute the p-value of columns x in the multinomial logistic model of classes, given a basis; see `_p_value`.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Classes 0..C-1.
    x : ndarray of shape (n, p)
    basis : ndarray of shape (n, k)
        Orthonormal, with the constant in its span.
    groups : ndarray of shape (n,), int, optional
    """
    n, k = basis.shape
    members = np.eye(int(codes.max()) + 1)[codes.astype(np.intp)]
    C = members.shape[1]

    def information(columns):
        """Compute the information of columns and classes, by column and then class."""
        expected = (columns[:, :, None] * shares[:, None, :]).reshape(n, -1)
        products = -expected.T @ expected
        for c in range(C):
            products[c::C, c::C] += columns.T @ expected[:, c::C]
        return products

    Z, slopes = basis * np.sqrt(n), np.zeros((k, C))
    for _ in range(_STEPS):
        shares = softmax(Z @ slopes)
        gradient = Z.T @ (members - shares) - 2 * _PENALTY * slopes
        step = np.linalg.solve(information(Z) + 2 * _PENALTY * np.eye(k * C), gradient.ravel()).reshape(k, C)
        slopes += step
        if np.abs(Z @ step).max() < _CHANGE:
            break
    shares = softmax(Z @ slopes)
    columns = np.column_stack([Z, x])
    scores = (columns[:, :, None] * (members - shares)[:, None, :]).reshape(n, -1)
    return _p_value(scores, information(columns), k * C, n, k, groups)


def _p_value(scores, information, k, units, used, groups):
    """Compute the p-value of the score of some columns, given the k columns before them.

    It is the larger one of the score test with the model's information and of the one with robust variances (Lin, Wei
    1989). With groups, only the latter, on the sums over each group.

    Parameters
    ----------
    scores : ndarray of shape (n, k + p)
        What each row contributes to the scores.
    information : ndarray of shape (k + p, k + p)
    k : int
    units : int
        Number of rows or events; with groups, these count.
    used : int
        Number of units that the model uses up.
    groups : ndarray of shape (n,), int, or None
    """
    by_basis = np.linalg.lstsq(information[:k, :k], information[:k, k:])[0]
    variance = information[k:, k:] - information[k:, :k] @ by_basis
    scores = scores[:, k:] - scores[:, :k] @ by_basis
    if groups is not None:
        scores = np.array([np.bincount(groups, column) for column in scores.T]).T
        units = len(scores)
    total, squares = scores.sum(axis=0), scores.T @ scores
    p = np.linalg.matrix_rank(squares, rtol=1e-9, hermitian=True)
    if not p or units - used < p + 2:
        return 1.0
    robust = float(total @ np.linalg.pinv(squares, rcond=1e-9, hermitian=True) @ total)
    p_value = betainc((units - used - p) / 2, p / 2, 1 - min(robust / units, 1 - 1e-15))
    if groups is None:
        p_value = max(p_value, chdtrc(p, total @ np.linalg.pinv(variance, rcond=1e-9, hermitian=True) @ total))
    return float(np.clip(p_value, 1e-300, 1.0))


def logistic_rows(y, basis):
    """Fit a logistic model, and transform its rows so that least squares gives its score test.

    Parameters
    ----------
    y : ndarray of shape (n,)
        0 or 1.
    basis : ndarray of shape (n, k)
        Orthonormal, with the constant in its span.

    Returns
    -------
    residuals, root : ndarray of shape (n, 1)
        Residuals of the weighted rows, and the square root of their weights.
    """
    Z, eta = basis * np.sqrt(len(basis)), np.zeros(len(y))
    for _ in range(_STEPS):
        p = expit(eta)
        weights = np.maximum(p * (1 - p), 1e-6)
        products = Z.T @ (weights[:, None] * Z) + _PENALTY * np.eye(Z.shape[1])
        after = Z @ np.linalg.solve(products, Z.T @ (weights * eta + y - p))
        change, eta = np.abs(after - eta).max(), after
        if change < _CHANGE:
            break
    p = expit(eta)
    root = np.sqrt(np.maximum(p * (1 - p), _SMALLEST_WEIGHT))[:, None]  # else one row may outweigh all
    return (y - p)[:, None] / root, root
