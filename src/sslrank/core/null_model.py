"""Score residuals of null models, to rank features for censored, adjusted and positive-only targets.

A linear statistic of these residuals is a score test of the model: the log-rank test, Cox's score test, the score test
of logistic regression, or partial correlation. Every ranker and test for numbers can use them as a target.

References
----------
T. M. Therneau, P. M. Grambsch, T. R. Fleming: Martingale-based residuals for survival models. Biometrika 77, 1990.
D. Freedman, D. Lane: A nonstochastic interpretation of reported significance levels. Journal of Business & Economic
Statistics 1, 1983.
F. E. Harrell, K. L. Lee, D. B. Mark: Multivariable prognostic models. Statistics in Medicine 15, 1996 (C index).
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from sslrank.core import libm
from sslrank.core.cox import CoxModel
from sslrank.core.errors import DataError

#: Minimum share of the target's variance that is left; below it, the columns explain the target completely.
_MIN_VARIANCE_LEFT = 1e-6


#: With fewer rows, or events, for each column, the null model is linear: by chance, the columns would predict classes
#: and times completely.
_ROWS_A_COLUMN = 5


@dataclass(frozen=True, eq=False)
class NullModel:
    """The null model behind the residuals of a target.

    Attributes
    ----------
    columns : ndarray of shape (n, k)
        Columns to adjust for, without missing values; k may be 0.
    time : ndarray of shape (n,) or None
        Follow-up times, NaN in unlabelled rows; None unless the target is a time.
    event : ndarray of shape (n,) or None
        1 if the event happened at that time, 0 if the time is censored.
    ranked : bool
        Whether tests also use ranks of the residuals; only for numbers, because other residuals depend on the columns.
    entry : ndarray of shape (n,) or None
        Time from which each row is at risk; None if all are from the start.
    strata : ndarray of shape (n,), int, or None
        Rows of a stratum have a hazard of their own.
    codes : ndarray of shape (n,) or None
        Class of each row before it was adjusted, NaN in unlabelled rows.
    """

    columns: np.ndarray
    time: np.ndarray | None = None
    event: np.ndarray | None = None
    ranked: bool = False
    entry: np.ndarray | None = None
    strata: np.ndarray | None = None
    codes: np.ndarray | None = None

    @property
    def without_columns(self):
        """The null model without columns to adjust for."""
        return replace(self, columns=self.columns[:, :0])

    def scores(self, *columns):
        """Compute log-rank scores of the times, given further columns, shape (n,)."""
        columns = np.column_stack([self.columns, *columns])
        return log_rank_scores(self.time, self.event, columns if columns.shape[1] else None, self.entry, self.strata)

    def rows(self, index):
        """Select rows by an index array."""
        parts = {key: values for key, values in vars(self).items() if isinstance(values, np.ndarray)}
        return replace(self, **{key: values[index] for key, values in parts.items()})


def regress_out(values, columns):
    """Subtract from each column its linear prediction by other columns, and keep its mean.

    Parameters
    ----------
    values : ndarray of shape (n, q)
        NaN is ignored in the fit and stays NaN.
    columns : ndarray of shape (n, k)

    Returns
    -------
    ndarray of shape (n, q)

    Examples
    --------
    >>> regress_out(np.array([[1.0], [2.0], [4.0]]), np.array([[0.0], [1.0], [2.0]])).ravel().round(2)
    array([2.5, 2. , 2.5])
    """
    residuals, known = values.copy(), ~np.isnan(values)
    patterns, of_column = np.unique(known, axis=1, return_inverse=True)
    for k, rows in enumerate(patterns.T):
        at, model = np.flatnonzero(of_column.ravel() == k), columns[rows] - columns[rows].mean(axis=0)
        part = values[np.ix_(rows, at)]
        residuals[np.ix_(rows, at)] = part - model @ np.linalg.lstsq(model, part - part.mean(axis=0))[0]
    return residuals


def log_rank_scores(time, event, columns=None, entry=None, strata=None):
    """Compute log-rank scores (with columns, Cox's scores): the event of each row minus its cumulative hazard.

    They are the martingale residuals of the model without features, with the Nelson-Aalen (Breslow) hazard, and sum to
    0. A high score means an early event.

    Parameters
    ----------
    time, event : ndarray of shape (n,)
        Event 1 if it happened at that time, 0 if the time is censored. NaN for an unlabelled row, which stays NaN.
    columns : ndarray of shape (n, k), optional
        Columns to adjust for.
    entry : ndarray of shape (n,), optional
        Time before which a row is not at risk.
    strata : ndarray of shape (n,), int, optional
        Rows are compared with those of their stratum only.

    Returns
    -------
    ndarray of shape (n,)
        At most 1.

    Examples
    --------
    >>> log_rank_scores(np.array([1.0, 2.0, 2.0, 5.0]), np.array([1, 1, 0, 0])).round(2)
    array([ 0.75,  0.42, -0.58, -0.58])
    """
    known = ~np.isnan(time) & ~np.isnan(event)
    scores = np.full(len(time), np.nan)
    Z = None if columns is None else standardize(columns[known])
    entry, strata = (None if values is None else values[known] for values in (entry, strata))
    scores[known] = CoxModel(time[known], event[known], Z, entry, strata).residuals
    return scores


def check_entry(null):
    """Raise DataError if a row enters at or after its follow-up time."""
    entry, time, is_known = null.entry, null.time, ~np.isnan(null.time) & ~np.isnan(null.event)
    if entry is not None and len(rows := np.flatnonzero(is_known & ~(entry < time))):
        problem = f"row {rows[0] + 1} enters at {entry[rows[0]]:g}, not before its follow-up time {time[rows[0]]:g}"
        raise DataError(f"{problem} ({len(rows)} in all)", advice="Leave these rows out, or the entry")


def class_residuals(codes, columns):
    """Subtract from each class's indicator its probability by multinomial logistic regression on columns.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        NaN if the class is unknown.
    columns : ndarray of shape (n, k)

    Returns
    -------
    ndarray of shape (n, n_classes)
        For two classes only the second, shape (n, 1).

    Examples
    --------
    >>> class_residuals(np.array([0.0, 1, 1, np.nan]), np.zeros((4, 1))).ravel().round(2)
    array([-0.67,  0.33,  0.33,   nan])
    """
    from sklearn.linear_model import LogisticRegression

    known = ~np.isnan(codes)
    model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=2000).fit(standardize(columns[known]), codes[known])
    scores = model.decision_function(standardize(columns[known]))
    # The model's own probabilities have other last bits where a processor has AVX-512.
    if len(model.classes_) == 2:
        classes, shares = model.classes_[1:], expit(scores)[:, None]
    else:
        classes, shares = model.classes_, softmax(scores)
    residuals = np.full((len(codes), len(classes)), np.nan)
    residuals[known] = (codes[known, None] == classes) - shares
    return residuals


def softmax(scores):
    """Compute the share of each class from its score, by row, with the same bits on all processors."""
    shares = libm.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def residuals_of_classes(codes, columns):
    """Compute :func:`class_residuals`, or with few rows for each column those of linear models of the indicators."""
    known = ~np.isnan(codes)
    if known.sum() >= _ROWS_A_COLUMN * columns.shape[1]:
        return class_residuals(codes, columns)
    values = np.unique(codes[known])
    indicators = np.where(known[:, None], codes[:, None] == values, np.nan)
    return regress_out(indicators[:, 1:] if len(values) == 2 else indicators, columns)


def adjusted_values(values, columns, task):
    """Return the residuals of classes (as codes), labels or numbers given columns, shape (n, q), and the null model."""
    if task == "classification":
        return residuals_of_classes(values[:, 0], columns), NullModel(columns, codes=values[:, 0])
    if task in ("multilabel", "hierarchical"):
        return np.hstack([residuals_of_classes(label, columns) for label in values.T]), NullModel(columns)
    return regress_out(values, columns), NullModel(columns, ranked=True)


def residuals_of_times(null):
    """Compute log-rank scores given columns, shape (n, 1); with few events for each column by a linear model."""
    if np.nansum(null.event) < _ROWS_A_COLUMN * null.columns.shape[1]:
        return regress_out(null.without_columns.scores()[:, None], null.columns)
    return null.scores()[:, None]


def standardize(columns):
    """Standardise columns, so that Newton's steps are well conditioned."""
    spread = columns.std(axis=0)
    return (columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def nothing_is_left(residuals, values):
    """Check if the variance of residuals is negligible compared with that of the target."""
    spread = np.nansum((values - np.nanmean(values, axis=0)) ** 2)
    return bool(np.nansum(residuals**2) <= _MIN_VARIANCE_LEFT * spread)


def concordance(time, event, X, entry=None):
    """Compute Harrell's C of each column with its standard error: how often the higher value has the earlier event.

    A pair counts if the earlier time has an event; of two equal times, a censored one counts as later. Equal values
    count half. The standard error is that of the infinitesimal jackknife.

    Parameters
    ----------
    time, event : ndarray of shape (n,)
    X : ndarray of shape (n, D)
        Without missing values.
    entry : ndarray of shape (n,), optional
        Time from which rows are at risk; a pair counts if both are at risk at the earlier event.

    Returns
    -------
    C, error : ndarray of shape (D,)
        C is 0.5 for unrelated values, and NaN if no pair counts.

    Examples
    --------
    >>> c, _ = concordance(np.array([1.0, 2, 3]), np.array([1, 1, 0]), np.array([[5.0], [7], [4]]))
    >>> c.round(2)
    array([0.67])
    """
    order = np.lexsort((1 - event, time))  # at equal times events come first
    time, happened, X = time[order], event[order] > 0, np.ascontiguousarray(X[order])
    ends = time[happened]
    first, n_ends = np.searchsorted(time, ends), np.searchsorted(ends, ends, side="right") - np.searchsorted(ends, ends)
    entry = None if entry is None else entry[order]
    balance, pairs = np.zeros(X.shape), np.zeros(len(X))
    for i, later in zip(np.flatnonzero(happened), first + n_ends, strict=True):
        later = slice(later, None) if entry is None else later + np.flatnonzero(entry[later:] < time[i])
        signs = np.sign(X[i] - X[later])
        balance[later] += signs
        balance[i] += signs.sum(axis=0)
        pairs[later] += 1
        pairs[i] += len(signs)
    with np.errstate(invalid="ignore", divide="ignore"):
        difference = balance.sum(axis=0) / pairs.sum()
        error = np.sqrt(((balance - difference * pairs[:, None]) ** 2).sum(axis=0)) / pairs.sum()
    return (1 + difference) / 2, error
