import numpy as np
import pandas as pd
import pytest

from sslrank.rankers.cox_score import CoxScore


@pytest.fixture
def problem():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.normal(size=80), "b": rng.integers(0, 2, 80) * 1.0, "c": rng.choice(list("uvw"), 80)})
    return X, np.column_stack([np.ceil(rng.exponential(5, 80)), rng.random(80) < 0.6])


def test_score_equals_cox_score_test(problem):
    """With ties, and of three categories two degrees of freedom."""
    regression = pytest.importorskip("statsmodels.duration.hazard_regression")
    (X, y), expected = problem, []
    for Z in (X[["a"]], X[["b"]], pd.get_dummies(X["c"]).iloc[:, 1:]):
        model = regression.PHReg(y[:, 0], Z.to_numpy(float), status=y[:, 1], ties="breslow")
        score, zero = model.score(np.zeros(Z.shape[1])), np.zeros(Z.shape[1])
        expected.append(score @ np.linalg.solve(-model.hessian(zero), score))
    found = CoxScore(task="survival").fit(X, y)
    np.testing.assert_allclose(found.statistics_, expected, rtol=1e-9)
    assert found.feature_importances_[2] == pytest.approx(expected[2] / 2)  # chi-squared with 2 degrees


def test_rows_without_time_are_ignored_and_constants_last(problem):
    X, y = problem
    X = X.assign(d=1.0)
    whole = CoxScore(task="survival").fit(X[:60], y[:60]).statistics_
    y[60:] = np.nan
    found = CoxScore(task="survival").fit(X, y)
    np.testing.assert_allclose(found.statistics_, whole)
    assert found.ranking_[3] == 4


def test_numeric_target_is_refused(problem):
    with pytest.raises(ValueError, match="needs a time and an event"):
        CoxScore(task="regression").fit(problem[0], problem[1][:, 0])
