"""Score residuals and the C index against lifelines and scikit-survival (values in a file) and statsmodels."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn.linear_model import LinearRegression

from sslrank.core.null_model import class_residuals, concordance, log_rank_scores, nothing_is_left, regress_out

ORACLES = json.loads(Path(__file__).with_name("null_model_oracles.json").read_text())


def survival(n=300, *, ties=True, seed=0):
    """Times, events and columns on which both depend."""
    rng = np.random.default_rng(seed)
    Z = np.column_stack([rng.normal(60, 10, n), rng.integers(0, 2, n)])
    time, ends = rng.exponential(size=(2, n)) * np.exp([[0.0], [0.3]]) * 400
    time = time * np.exp(-(Z[:, 0] - 60) / 20)
    found = np.minimum(time, ends)
    return np.ceil(found / 50) if ties else found, (time <= ends) + 0.0, Z


def late_entry(time, seed=1):
    """Times of entry, and strata."""
    rng = np.random.default_rng(seed)
    return time * rng.uniform(0, 0.8, len(time)) ** 2, rng.integers(0, 4, len(time))


def test_scores_equal_those_of_other_libraries():
    time, event, Z = survival()
    scores = log_rank_scores(time, event)
    sums = [scores[Z[:, 1] == group].sum() for group in (0, 1)]
    np.testing.assert_allclose(sums, ORACLES["log_rank_sums"], atol=1e-10)
    np.testing.assert_allclose(scores, event - ORACLES["hazard"], atol=1e-10)  # by Nelson and Aalen
    np.testing.assert_allclose(log_rank_scores(time, event, Z), ORACLES["cox_residuals"], atol=1e-9)  # Breslow's ties


def test_scores_do_not_depend_on_units():
    time, event, Z = survival()
    scores = log_rank_scores(time, event, Z)
    np.testing.assert_allclose(log_rank_scores(time * 365, event, Z * [1e-6, 1e6] + 5), scores, atol=1e-8)


def test_separable_event_order_gives_finite_scores():
    time = np.arange(1.0, 41)
    scores = log_rank_scores(time, np.ones(40), -time[:, None])
    assert np.isfinite(scores).all()


def test_rows_missing_time_or_event_stay_unlabelled():
    time, event, Z = survival(50)
    gaps = time.copy(), event.copy()
    gaps[0][3] = gaps[1][7] = np.nan
    scores = log_rank_scores(*gaps, Z)
    assert np.flatnonzero(np.isnan(scores)).tolist() == [3, 7]
    kept = ~np.isnan(scores)
    np.testing.assert_array_equal(scores[kept], log_rank_scores(time[kept], event[kept], Z[kept]))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_class_residuals_equal_multinomial_regression(n_classes):
    from statsmodels.discrete.discrete_model import MNLogit
    from statsmodels.tools import add_constant

    rng = np.random.default_rng(2)
    Z = rng.normal(size=(200, 2)) * [1, 50]
    codes = np.argmax(Z @ rng.normal(size=(2, n_classes)) / 30 + rng.gumbel(size=(200, n_classes)), axis=1)
    fitted = MNLogit(codes, add_constant(Z)).fit(disp=0, tol=1e-14, maxiter=200)
    expected = np.eye(n_classes)[codes] - fitted.predict(add_constant(Z))
    found = class_residuals(np.append(codes, np.nan), np.vstack([Z, [0, 0]]))
    assert np.isnan(found[-1]).all()
    np.testing.assert_allclose(found[:-1], expected[:, 1:] if n_classes == 2 else expected, atol=1e-6)


def test_numeric_residuals_give_partial_correlation():
    rng = np.random.default_rng(3)
    Z = rng.normal(size=(80, 3))
    x, y = (Z @ rng.normal(size=(3, 2)) + rng.normal(size=(80, 2))).T
    left = regress_out(np.column_stack([x, y]), Z)
    expected = [v - LinearRegression().fit(Z, v).predict(Z) for v in (x, y)]
    assert pearsonr(*left.T)[0] == pytest.approx(pearsonr(*expected)[0], abs=1e-12)
    np.testing.assert_allclose(left.mean(axis=0), [x.mean(), y.mean()])


def test_missing_values_are_residualized_per_column():
    rng = np.random.default_rng(4)
    Z, values = rng.normal(size=(60, 2)), rng.normal(size=(60, 3))
    values[:5, 1] = np.nan
    found = regress_out(values, Z)
    np.testing.assert_allclose(found[5:, 1], regress_out(values[5:, 1:2], Z[5:])[:, 0])
    np.testing.assert_array_equal(np.isnan(found), np.isnan(values))


def test_covariates_equal_to_target_leave_zero_residuals():
    z = np.arange(30.0)[:, None]
    assert nothing_is_left(regress_out(3 * z + 1, z) - (3 * z + 1).mean(), 3 * z + 1)
    codes = (z[:, 0] > 15) + 0.0
    assert nothing_is_left(class_residuals(codes, z), codes[:, None])
    assert not nothing_is_left(class_residuals(np.append(codes[:-1], 0), z), codes[:, None])


def test_c_index_is_harrells_with_ties():
    time, event, Z = survival()
    found, error = concordance(time, event, np.column_stack([Z[:, 0].round(-1), Z[:, 1]]))
    np.testing.assert_allclose(found, ORACLES["c_index"], atol=1e-12)
    assert ((error > 0.01) & (error < 0.05)).all()


def test_c_index_standard_error_matches_simulation():
    tables = [survival(150, seed=seed, ties=False) for seed in range(200)]
    found = np.array([np.ravel(concordance(time, event, Z[:, :1])) for time, event, Z in tables])
    assert found[:, 1].mean() == pytest.approx(found[:, 0].std(), rel=0.15)


def test_c_index_without_pairs_is_nan():
    assert np.isnan(concordance(np.ones(3), np.zeros(3), np.ones((3, 1)))[0]).all()
