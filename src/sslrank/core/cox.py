"""Cox's model by Newton's method: martingale residuals, and what score tests of further columns need.

References
----------
T. M. Therneau, P. M. Grambsch: Modeling survival data: extending the Cox model. Springer, 2000 (residuals, delayed
entry).
D. Y. Lin, L. J. Wei: The robust inference for the Cox proportional hazards model. JASA 84, 1989.
"""

import numpy as np

from sslrank.core import libm

#: Maximum number of Newton steps, and relative change of the log-likelihood at which they end.
_STEPS, _CHANGE = 30, 1e-12
#: Bound of the logarithm of hazard ratios, which diverge if columns determine the order of events.
_STEEPEST = 300.0


class CoxModel:
    """Cox's model (Breslow's likelihood) of times with events.

    Parameters
    ----------
    time, event : ndarray of shape (n,)
        Event 1 if it happened at that time, 0 if the time is censored.
    columns : ndarray of shape (n, k), optional
        Of similar lengths, so that Newton's steps are well conditioned; without them the hazard is Nelson and Aalen's.
    entry : ndarray of shape (n,), optional
        Time before which a row is not at risk.
    strata : ndarray of shape (n,), int, optional
        Rows of a stratum have a hazard of their own, and are compared with each other only.

    Attributes
    ----------
    coefficients : ndarray of shape (k,)
    residuals : ndarray of shape (n,)
        Martingale residuals: the event of each row minus its cumulative hazard.

    Examples
    --------
    >>> CoxModel(np.array([1.0, 2, 3]), np.array([1.0, 1, 0])).residuals.round(2)
    array([ 0.67,  0.17, -0.83])
    >>> CoxModel(np.array([1.0, 2, 3]), np.array([1.0, 1, 0]), entry=np.array([0.0, 1, 0])).residuals.round(2)
    array([ 0.5,  0.5, -1. ])
    """

    def __init__(self, time, event, columns=None, entry=None, strata=None):
        self.event, self.columns = event, np.empty((len(time), 0)) if columns is None else columns
        times, at = np.unique(time, return_inverse=True)
        self._entry = None if entry is None else np.searchsorted(times, entry, side="right")
        if strata is not None:  # they follow each other in time, and their rows enter with the first of them
            at = at + strata * len(times)
            self._entry = strata * len(times) + (0 if entry is None else self._entry)
            occurring, at = np.unique(at, return_inverse=True)
            self._entry = np.searchsorted(occurring, self._entry)
        self._at, self._events = at, np.bincount(at, event)
        Z, k = self.columns, self.columns.shape[1]
        self.coefficients = np.zeros(k)
        self._set(self.coefficients)
        for _ in range(_STEPS if k else 0):
            likelihood, beta = self._likelihood, self.coefficients
            step = np.linalg.lstsq(self.information(Z, Z), Z.T @ self.residuals)[0]
            small = _CHANGE * max(abs(likelihood), 1)
            self._set(beta + step)
            while not self._likelihood >= likelihood - small and np.abs(step).max() > _CHANGE:
                step /= 2
                self._set(beta + step)
            if self._likelihood - likelihood <= small:
                break

    def _set(self, beta):
        """Compute hazards of the coefficients `beta`."""
        self.coefficients, linear = beta, self.columns @ beta
        linear = linear - linear.max(initial=-np.inf) if len(beta) else np.zeros(len(self.event))
        self._risk = libm.exp(np.maximum(linear, -_STEEPEST))
        self._sums = np.maximum(self._sums_at_risk(self._risk[:, None])[:, 0], 1e-300)
        self._hazard = self._risk * self._integral((self._events / self._sums)[:, None])[:, 0]
        self.residuals = self.event - self._hazard
        self._likelihood = self.event @ linear - self._events @ libm.log(self._sums)

    def _sums_at_risk(self, values):
        """Compute sums over the rows at risk at each time: those that end then or later, and have entered before."""
        sums = self._from_each_time(self._at, values)[:-1]
        return sums if self._entry is None else sums - self._from_each_time(self._entry, values)[1:]

    def _from_each_time(self, at, values):
        n_times = len(self._events) + 1
        counts = np.array([np.bincount(at, column, minlength=n_times) for column in values.T])
        return np.cumsum(counts.reshape(-1, n_times)[:, ::-1], axis=1)[:, ::-1].T

    def _integral(self, values):
        """Sum values of times over the times at which each row is at risk."""
        sums = np.cumsum(np.vstack([np.zeros(values.shape[1]), values]), axis=0)
        return sums[self._at + 1] - (0.0 if self._entry is None else sums[self._entry])

    def _means(self, X):
        return self._sums_at_risk(X * self._risk[:, None]) / self._sums[:, None]

    def information(self, X, Z):
        """Compute the observed information of columns X (n, p) and Z (n, k), shape (p, k)."""
        of_X = self._means(X)
        of_Z = of_X if Z is X else self._means(Z)
        return X.T @ (self._hazard[:, None] * Z) - of_X.T @ (self._events[:, None] * of_Z)

    def score_rows(self, X):
        """Compute what each row contributes to the score of columns X, shape (n, p), as Lin and Wei (1989)."""
        means = self._means(X)
        expected = self._risk[:, None] * self._integral(means * (self._events / self._sums)[:, None])
        return X * self.residuals[:, None] - self.event[:, None] * means[self._at] + expected
