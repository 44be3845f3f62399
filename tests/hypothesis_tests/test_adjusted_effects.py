"""Effects for one standard deviation against lifelines (values in a file) and statsmodels."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from statsmodels.discrete.discrete_model import Logit
from statsmodels.regression.linear_model import OLS
from statsmodels.tools import add_constant
from tests.core.test_null_model import late_entry, survival

from sslrank.core.features import encode_features
from sslrank.core.null_model import NullModel, regress_out
from sslrank.core.targets import encode_targets
from sslrank.hypothesis_tests.adjusted_effects import adjusted_effects

ORACLES = Path(__file__).parents[1] / "core" / "null_model_oracles.json"


def made(n=200, seed=0):
    """Columns to adjust for, and a feature that depends on them."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 2)) * [1, 50]
    return Z, Z[:, 0] + 3 * rng.normal(size=n) + 7, rng


@pytest.mark.parametrize("is_declared", [False, True])
def test_hazard_ratios_are_those_of_lifelines(is_declared):
    time, event, Z = survival(ties=False)
    entry, strata = late_entry(time) if is_declared else (None, None)
    targets = encode_targets(np.column_stack([time, event]), len(time), task="survival")
    targets = replace(targets, null=NullModel(Z[:, 1:], time, event, entry=entry, strata=strata))
    found = adjusted_effects(encode_features(Z[:, :1]), targets)
    coefficient, error = json.loads(ORACLES.read_text())["hazard_ratios"][is_declared]
    ends = np.exp((coefficient + np.array([0, -1.959964, 1.959964]) * error) * Z[:, 0].std(ddof=1))
    assert found.measure == "hazard ratio"
    np.testing.assert_allclose(np.ravel([found.estimate, found.low, found.high]), ends, rtol=1e-5)


@pytest.mark.parametrize("measure", ["slope", "odds ratio"])
def test_slopes_and_odds_ratios_are_those_of_statsmodels(measure):
    Z, x, rng = made()
    y = x / 3 + Z[:, 1] / 50 + rng.logistic(size=len(x))
    known = np.arange(len(x)) > 9
    scaled = x / x[known].std(ddof=1)
    design = add_constant(np.column_stack([Z, scaled]))[known]
    if measure == "slope":
        fitted, targets, change = OLS(y[known], design).fit(), encode_targets(y, len(y), task="regression"), np.copy
    else:
        targets, change = encode_targets(y > 2, len(y), task="classification"), np.exp
        fitted = Logit((y > 2)[known], design).fit(disp=0)
    targets = replace(targets, null=NullModel(Z))
    features = encode_features(np.where(known, x, np.nan)[:, None])
    found = adjusted_effects(features, targets)
    expected = change(np.append(fitted.params[-1], fitted.conf_int()[-1]))
    np.testing.assert_allclose(np.ravel([found.estimate, found.low, found.high]), expected, rtol=1e-6)
    adjusted = encode_features(regress_out(features.values, Z))
    again = adjusted_effects(adjusted, targets, deviations=np.array([x[known].std(ddof=1)]))
    np.testing.assert_allclose(again.estimate, found.estimate)
    strata = np.arange(len(x)) % 2
    stratified = adjusted_effects(features, targets, strata=strata)
    given = replace(targets, null=NullModel(np.column_stack([Z, strata])))
    np.testing.assert_allclose(stratified.estimate, adjusted_effects(features, given).estimate)


def test_features_without_finite_effects_have_none():
    _, x, _ = made(40)
    X = encode_features(np.column_stack([x, np.ones(40), np.r_[1, np.full(39, np.nan)]]))
    time = encode_targets(np.column_stack([x - x.min() + 1, np.ones(40)]), 40, task="survival")
    for targets in (encode_targets(x > 7, 40), time):
        assert np.isnan(adjusted_effects(X, targets).estimate).all()
    assert not adjusted_effects(X, encode_targets(np.arange(40) % 3, 40)).measure
    assert np.isfinite(adjusted_effects(X, encode_targets(x > 5, 40), chosen=[]).estimate).sum() == 0
