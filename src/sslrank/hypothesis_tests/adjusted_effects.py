"""The effect of each feature for one standard deviation, given the columns that are adjusted for.

References
----------
D. R. Cox: Regression models and life-tables. JRSS B 34, 1972.
A. Wald: Tests of statistical hypotheses concerning several parameters. Transactions of the AMS 54, 1943 (intervals).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtri, stdtrit

from sslrank.core import libm
from sslrank.core.cox import CoxModel
from sslrank.core.null_model import standardize

#: Measures: of numbers, of two classes, and of times with events.
SLOPE, ODDS_RATIO, HAZARD_RATIO = "slope", "odds ratio", "hazard ratio"
#: Coverage of the intervals, and its upper end as a share.
COVERAGE = 0.95
_UPPER = (1 + COVERAGE) / 2
#: A larger logarithm of a ratio, or standard error of it, means that the feature separates the classes or orders all
#: events: the ratio has no finite estimate. Maximum number of Newton steps, and change at which they end.
_MAX_LOGARITHM, _STEPS, _CHANGE = 15.0, 30, 1e-9


@dataclass(frozen=True)
class AdjustedEffects:
    """Effects for one standard deviation, in the model that the target has.

    Attributes
    ----------
    measure : str
        :data:`SLOPE`, :data:`ODDS_RATIO` or :data:`HAZARD_RATIO`; empty if the target has no such effect.
    estimate, low, high : ndarray of shape (D,)
        The effect and its 95 % interval (Wald's). NaN for nominal and constant features, and where no finite estimate
        exists.
    """

    measure: str
    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray


def adjusted_effects(features, targets, *, deviations=None, chosen=None, strata=None):
    """Estimate the effect of each numeric feature, given the columns that the target is adjusted for.

    A number: the slope of least squares, in the unit of the target. Two classes: the odds ratio of the second class, by
    logistic regression. A time with events: the hazard ratio, by Cox's model (Breslow's likelihood), with entry and
    strata. The models contain the columns of ``targets.null``, and each feature in turn.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Adjusting numeric features for the columns before does not change the result, given their `deviations`.
    targets : sslrank.core.targets.Targets
        Unlabelled rows are ignored.
    deviations : ndarray of shape (D,), optional
        Standard deviation of each feature; by default computed over the labelled rows in which it is known.
    chosen : ndarray of int, optional
        Features to estimate; by default all.
    strata : ndarray of shape (n,), int, optional
        Of slopes and odds ratios, each stratum has its own mean or odds; those of a time are in ``targets.null``.

    Returns
    -------
    AdjustedEffects

    Examples
    --------
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> x = np.array([[1.0], [2], [3], [4], [5]])
    >>> found = adjusted_effects(encode_features(x), encode_targets([2.0, 4.1, 5.9, 8, 10.1], 5, task="regression"))
    >>> found.measure, (found.estimate / x.std(ddof=1)).round(2)
    ('slope', array([2.01]))
    """
    n, D = features.shape
    measure, fit, y = _model(targets)
    estimates = np.full((3, D), np.nan)
    columns = np.empty((n, 0)) if targets.null is None else targets.null.columns
    if strata is not None and measure != HAZARD_RATIO:
        columns = np.column_stack([columns, strata[:, None] == np.unique(strata)[1:]])
    for j in np.arange(D) if chosen is None else chosen:
        if not measure or features.nominal[j]:
            continue
        x = features.values[:, j]
        rows = np.flatnonzero(~np.isnan(x) & targets.labeled)
        deviation = x[rows].std(ddof=1) if deviations is None and len(rows) > 1 else 0.0
        deviation = deviation if deviations is None else deviations[j]
        if not deviation > 0 or np.ptp(x[rows]) == 0:
            continue
        Z = np.column_stack([standardize(columns[rows]), standardize(x[rows, None])])
        coefficient, error, free = fit(y, rows, Z)
        width = (ndtri(_UPPER) if free is None else stdtrit(max(free, 1), _UPPER)) * error
        ends = np.array([coefficient, coefficient - width, coefficient + width]) * deviation / x[rows].std()
        if measure == SLOPE:
            estimates[:, j] = ends if free > 0 else np.nan
        elif max(abs(coefficient), error) < _MAX_LOGARITHM:
            estimates[:, j] = libm.exp(ends)
    return AdjustedEffects(measure, *estimates)


def _model(targets):
    """Return the measure of a target, the function that fits it, and what this needs of the target."""
    null = targets.null
    codes = targets.values[:, 0] if targets.task == "classification" else None if null is None else null.codes
    if null is not None and null.time is not None:
        return HAZARD_RATIO, _cox, null
    if codes is not None:
        return (ODDS_RATIO, _logistic, codes) if np.nanmax(codes) == 1 else ("", None, None)
    return (SLOPE, _linear, targets.values[:, 0]) if targets.task == "regression" else ("", None, None)


def _linear(y, rows, Z):
    """Return the slope of the last column, its standard error, and the degrees of freedom."""
    Z, y = np.column_stack([np.ones(len(rows)), Z]), y[rows]
    slopes, _, rank, _ = np.linalg.lstsq(Z, y)
    free = len(rows) - rank
    variance = ((y - Z @ slopes) ** 2).sum() / max(free, 1)
    return slopes[-1], _error(Z.T @ Z / variance) if variance > 0 else 0.0, free


def _logistic(codes, rows, Z):
    """Return the logarithm of the odds ratio of the last column, and its standard error."""
    Z, y = np.column_stack([np.ones(len(rows)), Z]), codes[rows]
    coefficients = np.zeros(Z.shape[1])
    for _ in range(_STEPS):
        p = expit(Z @ coefficients)
        information = Z.T @ ((p * (1 - p))[:, None] * Z)
        step = np.linalg.lstsq(information, Z.T @ (y - p))[0]
        coefficients += step
        if np.abs(step).max() < _CHANGE:
            return coefficients[-1], _error(information), None
    return coefficients[-1], np.inf, None


def _cox(null, rows, Z):
    """Return the logarithm of the hazard ratio of the last column, and its standard error."""
    null = null.rows(rows)
    model = CoxModel(null.time, null.event, Z, null.entry, null.strata)
    return model.coefficients[-1], _error(model.information(Z, Z)), None


def _error(information):
    """Compute the standard error of the last coefficient; columns before it may depend on each other."""
    others = information[:-1, :-1]
    by_others = np.linalg.lstsq(others, information[:-1, -1])[0]
    left = information[-1, -1] - information[-1, :-1] @ by_others
    return 1 / np.sqrt(left) if left > 1e-12 * information[-1, -1] else np.inf
