"""Score tests of columns in the model that the target has: Cox's for times, logistic for two classes.

References
----------
D. Y. Lin, L. J. Wei: The robust inference for the Cox proportional hazards model. JASA 84, 1989.
P. Peduzzi et al.: Journal of Clinical Epidemiology 48, 1995 (events per column).
"""

import numpy as np
from scipy.special import betainc, chdtrc, expit

from sslrank.core.cox import CoxModel

#: Minimum number of events, or of rows of the rarer class, for each column of a model; with fewer it is linear.
EVENTS_A_COLUMN = 5
#: Penalty of squared coefficients of columns of unit variance, so that classes that columns separate have a model; and
#: number of Newton steps.
_PENALTY, _STEPS = 0.1, 8


def cox_p_value(null, x, basis, groups=None):
    """Compute the p-value of columns x in Cox's model, given a basis.

    It is the larger one of the score test with the model's information and of the one with robust variances (Lin, Wei
    1989), on the sums over each group.

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
    by_basis = np.linalg.lstsq(information[:k, :k], information[:k, k:])[0]
    variance = information[k:, k:] - information[k:, :k] @ by_basis
    scores = scores[:, k:] - scores[:, :k] @ by_basis
    if groups is not None:
        scores = np.array([np.bincount(groups, column) for column in scores.T]).T
    total, squares = scores.sum(axis=0), scores.T @ scores
    p = np.linalg.matrix_rank(squares, rtol=1e-9, hermitian=True)
    units = min(len(scores), int(null.event.sum()) if groups is None else len(scores))
    if not p or units - k < p + 2:
        return 1.0
    robust = float(total @ np.linalg.pinv(squares, rcond=1e-9, hermitian=True) @ total)
    found = betainc((units - k - p) / 2, p / 2, 1 - min(robust / units, 1 - 1e-15))
    if groups is None:
        found = max(found, chdtrc(p, total @ np.linalg.pinv(variance, rcond=1e-9, hermitian=True) @ total))
    return float(np.clip(found, 1e-300, 1.0))


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
        if change < 1e-6:
            break
    p = expit(eta)
    root = np.sqrt(np.maximum(p * (1 - p), 1e-6))[:, None]
    return (y - p)[:, None] / root, root
