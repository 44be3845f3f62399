"""Conditional tests of features against plain references and on small tables with known truth."""

import numpy as np
import pytest
from scipy.stats import chi2, false_discovery_control
from sklearn.linear_model import LogisticRegression
from statsmodels.discrete.discrete_model import MNLogit
from statsmodels.regression.linear_model import OLS
from statsmodels.tsa.ar_model import AutoReg, ar_select_order

from coded import features_of, numbers
from sslrank.hypothesis_tests import conditional
from sslrank.hypothesis_tests.conditional import ConditionalTests, conditional_tests
from sslrank.hypothesis_tests.controls import ControlSelection
from sslrank.hypothesis_tests.design import Design
from sslrank.hypothesis_tests.feature_columns import NUMBER, near_duplicates
from sslrank.hypothesis_tests.marginal import MarginalTests
from sslrank.hypothesis_tests.partial import orthonormal_basis, partial_p_value
from sslrank.hypothesis_tests.score_tests import _PENALTY, classes_p_value, logistic_rows
from sslrank.hypothesis_tests.series import autoregression


@pytest.mark.parametrize("seed", range(3))
def test_ar_order_matches_statsmodels(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=60)
    for t in range(8, 60):
        y[t] += 0.9 * y[t - 8] + 0.3 * y[t - 1]
    y -= y.mean()
    lags = ar_select_order(y, 6, ic="aic", trend="n").ar_lags  # a tenth of the rows
    expected = AutoReg(y, lags, trend="n", hold_back=6).fit().params
    np.testing.assert_allclose(autoregression(y[:, None]), expected)


def test_models_of_a_feature_contain_what_explains_the_target():
    rng = np.random.default_rng(0)
    n, D = 60, 30
    Z = rng.normal(size=(n, D))
    y = 2 * Z[:, :1] + rng.normal(size=(n, 1))
    columns, constant = (Z, np.arange(D), np.full(D, NUMBER)), np.full((n, 1), n**-0.5)
    selection = ControlSelection(columns, y - y.mean(), constant, np.arange(D), range(D), n)
    for j, is_explained in ((5, True), (0, False)):
        basis = selection.basis(j, [0])
        rest = Z[:, 0] - basis @ (basis.T @ Z[:, 0])
        assert (np.abs(rest).max() < 1e-9) == is_explained


def test_conditional_tests_equal_linear_model_for_few_columns():
    rng = np.random.default_rng(0)
    n = 80
    X = rng.normal(size=(n, 3))
    X[:, 1] += X[:, 0]
    y = X[:, 0] + 0.3 * X[:, 2] + rng.normal(size=n)
    basis = np.linalg.qr(np.column_stack([np.ones(n), X[:, [0, 1]]]))[0]
    model = OLS(y, np.column_stack([np.ones(n), X]))
    classic, robust = model.fit().pvalues[3], model.fit(cov_type="HC2", use_t=True).pvalues[3]
    left = y - basis @ (basis.T @ y)
    found = partial_p_value(orthonormal_basis(left[:, None]), X[:, 2:], basis)
    assert found == pytest.approx(max(classic, robust), rel=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_score_test_of_classes_is_close_to_likelihood_ratio(n_classes):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(500, 2))
    x = Z[:, 0] + rng.normal(size=500)
    codes = np.argmax(Z @ rng.normal(size=(2, n_classes)) + 0.2 * x[:, None] * [1, *[0] * (n_classes - 1)]
                      + rng.gumbel(size=(500, n_classes)), axis=1)  # fmt: skip
    short, whole = (MNLogit(codes, np.column_stack([np.ones(500), *of])).fit(disp=0) for of in (Z.T, (*Z.T, x)))
    expected = chi2.sf(2 * (whole.llf - short.llf), n_classes - 1)
    basis = orthonormal_basis(np.column_stack([np.ones(500), Z]))
    found = classes_p_value(codes, x[:, None], basis)
    assert np.log(found) == pytest.approx(np.log(expected), abs=0.5)
    assert classes_p_value(n_classes - 1 - codes, x[:, None], basis) == pytest.approx(found, rel=1e-6)


def test_unrelated_features_are_excluded_from_adding():
    own = ConditionalTests(np.zeros(3), np.array([0.01, 0.02, 0.5]), np.arange(3))
    assert "2 features" in own.describe()
    assert own.describe([0, 1]) == own.describe()
    assert own.describe([0]).startswith("conditional tests: 1 feature adds information beyond the others, at a false")
    assert own.describe([2]) == "conditional tests: these rows show no feature that adds information beyond the others"


def test_feature_with_unique_information_is_found():
    false = related = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(120, 20))
        for j in range(1, 20):
            X[:, j] = 0.8 * X[:, j - 1] + 0.6 * X[:, j]
        features, targets = features_of(X), numbers(X[:, 5] + np.abs(X[:, 14]) + 0.5 * rng.normal(size=120))
        own = conditional_tests(features, targets)
        assert own.q_values[5] < 0.1
        false += ((own.q_values <= 0.1).sum() - 2) > 0
        related += (false_discovery_control(MarginalTests(features, targets)().p_values) <= 0.1).sum() > 2
    assert false <= 3 < related


@pytest.mark.parametrize("bend", [lambda z, w: np.sin(2 * z), lambda z, w: np.sign(z), lambda z, w: z * w])
def test_nonlinear_function_of_others_adds_no_information(bend, monkeypatch):
    named, linear = 0, 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 8))
        X[:, 7] = bend(X[:, 0], X[:, 1]) + 0.3 * rng.normal(size=150)
        features, targets = features_of(X), numbers(bend(X[:, 0], X[:, 1]) + 0.5 * rng.normal(size=150))
        named += conditional_tests(features, targets).q_values[7] <= 0.1
        with monkeypatch.context() as patch:
            patch.setattr(conditional, "RETEST_Q", -1.0)
            linear += conditional_tests(features, targets).q_values[7] <= 0.1
    assert named <= 2
    assert linear >= 6


def test_near_duplicates_are_tested_jointly():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 6))
    X[:, 3] = X[:, 0] + 0.01 * rng.normal(size=100)
    X[:, 4] = -X[:, 3] + 0.01 * rng.normal(size=100)
    features, targets = features_of(X), numbers(X[:, 0] + 0.5 * rng.normal(size=100))
    assert near_duplicates(features).tolist() == [0, 1, 2, 0, 0, 5]
    own = conditional_tests(features, targets)
    assert (own.q_values[[0, 3, 4]] < 1e-6).all()
    assert (own.q_values[[1, 2, 5]] > 0.1).all()
    apart = conditional_tests(features, targets, blocks=np.arange(6))
    assert apart.p_values[4] > 0.01
    named = conditional_tests(features, targets, blocks=np.array([0, 1, 0, 0, 0, 1]))
    assert len(np.unique(named.q_values)) <= 2


def test_conditional_tests_use_weights_and_groups():
    rng = np.random.default_rng(0)
    X, heavy = rng.normal(size=(200, 4)), np.arange(200) < 60
    features, targets = features_of(X), numbers(np.where(heavy, X[:, 0], -X[:, 0]) + 0.5 * rng.normal(size=200))
    weight = np.where(heavy, 1.0, 0.001)
    weighted = conditional_tests(features, targets, sample_weight=weight)
    assert weighted.p_values[0] < 1e-4
    groups = np.repeat(np.arange(20), 10)
    X = rng.normal(size=(20, 4))[groups]
    features, targets = features_of(X + 0.01 * rng.normal(size=X.shape)), numbers(rng.normal(size=20)[groups])
    of_groups, of_few = (Design(groups=units, unit="groups") for units in (groups, groups // 3))
    assert conditional_tests(features, targets, design=of_groups).q_values.min() > 0.1
    assert conditional_tests(features, targets).q_values.min() < 0.05
    few = conditional_tests(features, targets, design=of_few)
    assert few.describe() == "conditional tests: not tested: 7 groups, and at least 10 are needed"


def test_all_levels_of_a_nominal_feature_are_controls():
    named = np.zeros(4)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        of_city = rng.normal(size=(40, 4))
        of_city[:, 1:] += of_city[:, :1]
        city = rng.integers(0, 40, 160)
        X = np.column_stack([city, of_city[city, 1:] + 0.3 * rng.normal(size=(160, 3)), rng.normal(size=(160, 20))])
        features, targets = features_of(X, {0: 40}), numbers(1.5 * of_city[city, 0] + rng.normal(size=160))
        named += (conditional_tests(features, targets).q_values <= 0.1)[:4]
    assert named[0] >= 4
    assert named[1:].sum() <= 3


def test_missingness_is_controlled_and_adds_information():
    rng = np.random.default_rng(0)
    gap = rng.random(150) < 0.3
    X = rng.normal(size=(150, 5))
    X[gap, 0] = np.nan
    X[:, 1] = gap + 0.5 * rng.normal(size=150)
    found = conditional_tests(features_of(X), numbers(3.0 * gap + rng.normal(size=150)))
    assert found.named.tolist() == [0]


def test_autocorrelation_is_removed_before_conditional_tests():
    false = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 7))
        for i in range(1, 150):
            X[i] += 0.95 * X[i - 1]
        X[:, 0] = 0.5 * X[:, 6] + X[:, 0]  # adds information, the others do not
        order = rng.permutation(150)
        time = Design(time=order, unit="times")
        found = conditional_tests(features_of(X[order, :6]), numbers(X[order, 6]), design=time)
        assert found.q_values[0] < 0.1
        false += (found.q_values[1:] <= 0.1).sum()
    assert false <= 4
    walk = np.cumsum(np.random.default_rng(0).normal(size=(400, 2)), axis=0)
    assert autoregression(walk).sum() == pytest.approx(1, abs=0.05)


def test_only_most_related_of_many_features_are_tested(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 60))
    features, targets = features_of(X), numbers(X[:, 50] + 0.5 * rng.normal(size=80))
    every = conditional_tests(features, targets)
    monkeypatch.setattr(conditional, "_MAX_CONTROLS", 20)
    part = conditional_tests(features, targets)
    assert (part.p_values < 1).sum() <= 20
    assert np.argmin(part.q_values) == np.argmin(every.q_values) == 50
    assert part.q_values[50] == pytest.approx(60 * part.p_values[50])


def test_logistic_rows_have_the_residuals_of_scikit_learn():
    X = np.random.default_rng(0).normal(size=(120, 4))
    y = (X[:, 0] + X[:, 3] > 0).astype(int)
    basis = np.linalg.qr(np.column_stack([np.ones(120), X[:, :3]]))[0]
    residuals, root = logistic_rows(y, basis)
    model = LogisticRegression(C=1 / _PENALTY, fit_intercept=False, tol=1e-10).fit(basis * np.sqrt(120), y)
    expected = y - model.predict_proba(basis * np.sqrt(120))[:, 1]
    np.testing.assert_allclose((residuals * root)[:, 0], expected, atol=1e-6)
