"""Cox's model against its partial likelihood written out, row by row."""

import numpy as np
import pytest
from scipy.optimize import minimize
from statsmodels.duration.hazard_regression import PHReg

from sslrank.core.cox import CoxModel
from sslrank.core.null_model import concordance


def made(n=60, seed=0):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 2))
    entry = np.round(rng.exponential(size=n) * 0.3, 1)
    time = entry + np.ceil(10 * rng.exponential(size=n) * np.exp(-0.7 * Z[:, 0])) / 10
    return time, (rng.random(n) < 0.7) * 1.0, Z, entry


def log_likelihood(beta, time, event, Z, entry):
    total = 0.0
    for i in np.flatnonzero(event):
        at_risk = (time >= time[i]) & (entry < time[i])
        total += Z[i] @ beta - np.log(np.exp(Z[at_risk] @ beta).sum())
    return total


@pytest.mark.parametrize("late", [False, True])
def test_coefficients_information_and_scores_are_those_of_the_partial_likelihood(late):
    time, event, Z, entry = made()
    model = CoxModel(time, event, Z, entry if late else None)
    data = time, event, Z, entry if late else np.full(60, -1.0)
    best = minimize(lambda beta: -log_likelihood(beta, *data), np.zeros(2), method="BFGS", tol=1e-10)
    np.testing.assert_allclose(model.coefficients, best.x, atol=1e-5)

    x, step = np.random.default_rng(1).normal(size=(60, 1)), 1e-5
    more = time, event, np.column_stack([Z, x]), data[-1]
    ends = [log_likelihood(np.append(model.coefficients, e), *more) for e in (-step, step)]
    assert model.score_rows(x).sum() == pytest.approx((ends[1] - ends[0]) / (2 * step), abs=1e-4)
    assert abs(model.score_rows(Z).sum(axis=0)).max() < 1e-6
    assert model.score_rows(x).sum() == pytest.approx((x[:, 0] @ model.residuals), abs=1e-9)

    time, entry = time + np.linspace(0, 0.05, 60), entry + 0.003  # equal entries and events are another convention
    model = CoxModel(time, event, Z, entry if late else None)
    found = PHReg(time, Z, status=event, entry=entry if late else None, ties="breslow").fit()
    np.testing.assert_allclose(model.coefficients, found.params, atol=1e-5)
    np.testing.assert_allclose(np.linalg.inv(model.information(Z, Z)), found.cov_params(), rtol=1e-4)
    assert abs(model.residuals.sum()) < 1e-9


def test_pairs_count_if_both_are_at_risk():
    time, event, Z, entry = made()
    agree, pairs = 0.0, 0
    for i in np.flatnonzero(event):
        for j in range(60):
            if (time[j] > time[i] or (time[j] == time[i] and not event[j])) and entry[j] < time[i]:
                agree += (Z[i, 0] > Z[j, 0]) + 0.5 * (Z[i, 0] == Z[j, 0])
                pairs += 1
    assert concordance(time, event, Z[:, :1], entry)[0][0] == pytest.approx(agree / pairs)
