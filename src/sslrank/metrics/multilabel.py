"""The nine measures of multi-label prediction in section 4.4.2.2 of the thesis.

`Y` is the truth, 0/1 of shape (n, C). Four measures score a bipartition of the labels (`P`, 0/1), five a ranking (`F`,
real scores, higher is more relevant). Rows and labels for which an equation is undefined are left out of its mean
(except for coverage); the measure is NaN if none is left. scikit-learn's functions are used if their definition is the
same; docstrings state differences. They are imported when called, because the import takes a second.
"""

import numpy as np


def hamming_loss(Y, P):
    """Compute the share of wrong row-label pairs, Eq. (4.12); scikit-learn's.

    Parameters
    ----------
    Y : array-like of shape (n, C), 0 or 1
        True labels.
    P : array-like of shape (n, C), 0 or 1
        Predicted labels.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If shapes differ, or a value is missing.

    Examples
    --------
    >>> round(hamming_loss([[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 1, 0]]), 3)
    0.333
    """
    Y, P = _check(Y, P)
    from sklearn import metrics

    return float(metrics.hamming_loss(Y, P))


def zero_one_loss(Y, P):
    """Compute the share of rows with any wrong label, Eq. (4.13).

    Parameters
    ----------
    Y : array-like of shape (n, C), 0 or 1
        True labels.
    P : array-like of shape (n, C), 0 or 1
        Predicted labels.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If shapes differ, or a value is missing.

    Examples
    --------
    >>> round(zero_one_loss([[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 1, 0]]), 3)
    0.5
    """
    Y, P = _check(Y, P)
    return float((Y != P).any(axis=1).mean())


def macro_f(Y, P):
    """Average F1 over the labels, Eq. (4.14).

    A label that is neither true nor predicted for any row has F = 0/0 and is left out; scikit-learn's f1_score counts
    it as 0 (or 1, by its zero_division).

    Parameters
    ----------
    Y : array-like of shape (n, C), 0 or 1
        True labels.
    P : array-like of shape (n, C), 0 or 1
        Predicted labels.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If shapes differ, or a value is missing.

    Examples
    --------
    >>> round(macro_f([[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 1, 0]]), 3)
    0.556
    """
    Y, P = _check(Y, P)
    both, size = (Y * P).sum(axis=0), Y.sum(axis=0) + P.sum(axis=0)
    return _mean(2.0 * both[size > 0] / size[size > 0])


def micro_f(Y, P):
    """Compute F1 of all row-label pairs together, Eq. (4.15).

    NaN when no label is true or predicted (scikit-learn: 0).

    Parameters
    ----------
    Y : array-like of shape (n, C), 0 or 1
        True labels.
    P : array-like of shape (n, C), 0 or 1
        Predicted labels.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If shapes differ, or a value is missing.

    Examples
    --------
    >>> round(micro_f([[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 1, 0]]), 3)
    0.667
    """
    Y, P = _check(Y, P)
    size = Y.sum() + P.sum()
    return float(2.0 * (Y * P).sum() / size) if size else float("nan")


def average_precision(Y, F):
    """Average the share of relevant labels among those ranked at or above a relevant one, Eq. (4.16).

    Tied labels share the worst of their ranks. Rows without a relevant label are left out; scikit-learn's
    label_ranking_average_precision_score, the same otherwise, counts them as 1.

    Parameters
    ----------
    Y : array-like of shape (n, C), 0 or 1
        True labels.
    F : array-like of shape (n, C)
        Scores, higher is more relevant.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If shapes differ, or a value is missing.

    Examples
    --------
    >>> round(average_precision([[1, 0, 1], [0, 1, 0]], [[0.9, 0.8, 0.3], [0.2, 0.7, 0.1]]), 3)
    0.917
    """
    Y, F = _check(Y, F)
    rows = Y.any(axis=1)
    if not rows.any():
        return float("nan")
    Y, F, shares = Y[rows], F[rows], np.zeros((int(rows.sum()), Y.shape[1]))
    for label, relevant in enumerate(Y.T > 0):  # scikit-learn's function takes 0.5 ms for each row
        above = F[relevant] >= F[relevant, label, None]
        shares[relevant, label] = (above * Y[relevant]).sum(axis=1) / above.sum(axis=1)
    return float(np.cumsum([row[of_row].mean() for row, of_row in zip(shares, Y > 0, strict=True)])[-1] / len(Y))


def one_error(Y, F):
    """Compute the share of rows whose top label is not relevant, Eq. (4.17).

    If labels tie at the top, the share of irrelevant ones among them counts. Rows without a relevant label, for which
    every ranking would be an error, are left out. The published values of birds, where almost half of the rows have no
    label, agree with this.

    Parameters
    ----------
    Y : array-like of shape (n, C), 0 or 1
        True labels.
    F : array-like of shape (n, C)
        Scores, higher is more relevant.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If shapes differ, or a value is missing.

    Examples
    --------
    >>> round(one_error([[1, 0, 1], [0, 1, 0]], [[0.9, 0.8, 0.3], [0.2, 0.7, 0.1]]), 3)
    0.0
    """
    Y, F = _check(Y, F)
    rows = Y.any(axis=1)
    best = F.max(axis=1, keepdims=True)
    top = best <= F
    return _mean((1.0 - (top * Y).sum(axis=1) / top.sum(axis=1))[rows])


def coverage(Y, F):
    """Average the depth in the ranking down to the last relevant label, minus one, Eq. (4.18).

    Tied labels share the worst of their ranks, as in scikit-learn's coverage_error, which does not subtract one. A row
    without a relevant label counts as 0; the published values of birds agree with this.

    Parameters
    ----------
    Y : array-like of shape (n, C), 0 or 1
        True labels.
    F : array-like of shape (n, C)
        Scores, higher is more relevant.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If shapes differ, or a value is missing.

    Examples
    --------
    >>> round(coverage([[1, 0, 1], [0, 1, 0]], [[0.9, 0.8, 0.3], [0.2, 0.7, 0.1]]), 3)
    1.0
    """
    Y, F = _check(Y, F)
    lowest = np.where(Y == 1.0, F, np.inf).min(axis=1, keepdims=True)
    return float(np.maximum((lowest <= F).sum(axis=1) - 1.0, 0.0).mean())


def ranking_loss(Y, F):
    """Average the share of pairs (relevant, irrelevant) in the wrong order or tied, Eq. (4.19).

    Rows without a pair (no label or all labels are relevant) are left out; scikit-learn's
    label_ranking_loss, the same otherwise, counts them as 0.

    Parameters
    ----------
    Y : array-like of shape (n, C), 0 or 1
        True labels.
    F : array-like of shape (n, C)
        Scores, higher is more relevant.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If shapes differ, or a value is missing.

    Examples
    --------
    >>> round(ranking_loss([[1, 0, 1], [0, 1, 0]], [[0.9, 0.8, 0.3], [0.2, 0.7, 0.1]]), 3)
    0.25
    """
    Y, F = _check(Y, F)
    rows = Y.any(axis=1) & ~Y.all(axis=1)
    if not rows.any():
        return float("nan")
    from sklearn import metrics

    return float(metrics.label_ranking_loss(Y[rows], F[rows]))


def macro_auc(Y, F):
    """Average the area under the ROC curve over the labels, Eq. (4.20).

    Ties count half. Labels that all rows have, or none, are left out (scikit-learn's roc_auc_score warns and
    returns NaN for them).

    Parameters
    ----------
    Y : array-like of shape (n, C), 0 or 1
        True labels.
    F : array-like of shape (n, C)
        Scores, higher is more relevant.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If shapes differ, or a value is missing.

    Examples
    --------
    >>> round(macro_auc([[1, 0, 1], [0, 1, 0]], [[0.9, 0.8, 0.3], [0.2, 0.7, 0.1]]), 3)
    0.667
    """
    Y, F = _check(Y, F)
    positive = Y.sum(axis=0)
    labels = (positive > 0) & (positive < len(Y))
    if not labels.any():
        return float("nan")
    positive = positive[labels]
    from scipy.stats import rankdata

    ranks = (rankdata(F[:, labels], axis=0) * Y[:, labels]).sum(axis=0)
    return _mean((ranks - positive * (positive + 1) / 2.0) / (positive * (len(Y) - positive)))


#: name: (function, whether it takes scores, whether higher is better)
MEASURES = {
    "hamming_loss": (hamming_loss, False, False),
    "zero_one_loss": (zero_one_loss, False, False),
    "macro_f": (macro_f, False, True),
    "micro_f": (micro_f, False, True),
    "average_precision": (average_precision, True, True),
    "one_error": (one_error, True, False),
    "coverage": (coverage, True, False),
    "ranking_loss": (ranking_loss, True, False),
    "macro_auc": (macro_auc, True, True),
}


def of_known_rows(name):
    """Turn a measure into a function of scores and partly known labels.

    Parameters
    ----------
    name : str
        One of :data:`MEASURES`.

    Returns
    -------
    callable
        ``function(Y, F)``: rows with a missing label are left out, labels with a score above 0.5 are predicted, and the
        result is NaN if no row is left.

    Examples
    --------
    >>> import numpy as np
    >>> of_known_rows("one_error")(np.array([[1, 0], [np.nan, 1]]), np.array([[0.2, 0.7], [0.1, 0.9]]))
    1.0
    """
    measure, ranks, _ = MEASURES[name]

    def function(Y, F):
        known = ~np.isnan(Y).any(axis=1)
        if not known.any():
            return float("nan")
        return measure(Y[known], F[known] if ranks else F[known] > 0.5)

    return function


def _check(Y, other):
    Y, other = np.asarray(Y, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if Y.ndim != 2 or Y.shape != other.shape or Y.size == 0:
        raise ValueError(f"truth and prediction must be 2-d and of the same shape, got {Y.shape} and {other.shape}")
    if not np.isin(Y, (0.0, 1.0)).all():
        raise ValueError("the true labels must be 0 or 1, without missing values")
    if np.isnan(other).any():
        raise ValueError("the prediction has missing values")
    return Y, other


def _mean(values):
    return float(values.mean()) if len(values) else float("nan")
