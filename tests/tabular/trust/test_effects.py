"""Effect sizes against scipy and scikit-learn, and the coverage of their intervals."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f_oneway, norm, rankdata, spearmanr
from scipy.stats.contingency import association
from sklearn.metrics import roc_auc_score

from sslrank import rank
from sslrank.tabular.output.terminal import ranking_lines
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.roles import ColumnRoles
from sslrank.tabular.trust.effects import auc_interval, effects


def problem(X, y, **roles):
    return own_table(pd.DataFrame(X).add_prefix("x"), y, ColumnRoles(**roles)).coded()


def with_gaps(n=90, seed=0):
    """Numbers with ties and gaps, three classes, and a number."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, 3, n)
    X = (rng.normal(size=(n, 4)) + np.outer(classes, [1.0, 0.3, -1.0, 0.0])).round(1)
    X[rng.random(n) < 0.2, 1] = np.nan
    return X, classes, X[:, 0] + rng.normal(size=n)


@pytest.mark.parametrize("names", [["well", "ill"], ["a", "b", "c"]])
def test_class_effect_is_largest_one_vs_rest_auc(names):
    X, classes, _ = with_gaps()
    classes = np.minimum(classes, len(names) - 1)
    found = effects(problem(X, np.array(names, dtype=object)[classes]))
    for j, row in enumerate(found.itertuples()):
        known = ~np.isnan(X[:, j])
        areas = np.array([roc_auc_score(classes[known] == k, X[known, j]) for k in range(len(names))])
        best = int(areas[1] >= 0.5) if len(names) == 2 else np.abs(areas - 0.5).argmax()
        assert row.effect == pytest.approx(max(areas[best], 1 - areas[best]))
        assert row.of == row.direction == f"{'high' if areas[best] >= 0.5 else 'low'} in {names[best]}"
        assert row.low < row.effect < row.high <= 1


def test_numeric_effect_is_spearman_correlation():
    X, _, number = with_gaps()
    found = effects(problem(X, number))
    for j, row in enumerate(found.itertuples()):
        known = ~np.isnan(X[:, j])
        assert row.effect == pytest.approx(spearmanr(X[known, j], number[known]).statistic)
        assert row.low < row.effect < row.high
        assert row.strength == pytest.approx(abs(row.effect))
        assert row.direction == "+-"[int(row.effect < 0)]


def test_nominal_effects_are_cramers_v_and_eta():
    rng = np.random.default_rng(1)
    levels = rng.integers(0, 4, 3000)
    other = np.where(rng.random(3000) < 0.4, levels, rng.integers(0, 4, 3000))
    X = pd.DataFrame(
        {"same": pd.Categorical(levels.astype(str)), "noise": pd.Categorical(rng.choice(list("uvw"), 3000))}
    )
    found = effects(problem(X, np.array(list("abcd"), dtype=object)[other]))
    table = pd.crosstab(levels, other).to_numpy()
    assert found["effect"][0] == pytest.approx(association(table, method="cramer"), abs=0.005)
    assert found["effect"][1] < 0.03
    number = levels + 3 * rng.normal(size=3000)
    found = effects(problem(X, number))
    F = f_oneway(*(rankdata(number)[levels == level] for level in range(4))).statistic
    eta = F * 3 / (F * 3 + 3000 - 4)
    assert found["effect"][0] == pytest.approx(1 - (1 - eta) * 2999 / 2996)
    assert set(found["measure"]) == {"eta²"}
    assert found[["low", "high"]].isna().all(axis=None)


@pytest.mark.parametrize(("share", "shift"), [(0.5, 0.0), (0.5, 1.0), (0.2, 2.0)])
def test_auc_intervals_have_coverage(share, shift):
    rng = np.random.default_rng(2)
    y = np.arange(50) < 50 * share
    found = effects(problem(rng.normal(size=(50, 800)) + shift * y[:, None], y.astype(int)))
    true = norm.cdf(shift / np.sqrt(2))
    is_high = found["of"] == "high in 1"
    low, high = found["low"].where(is_high, 1 - found["high"]), found["high"].where(is_high, 1 - found["low"])
    assert ((low <= true) & (true <= high)).mean() == pytest.approx(0.95, abs=0.025)


def test_correlation_intervals_are_those_of_bonett_and_wright():
    rng = np.random.default_rng(3)
    y = rng.normal(size=40)
    found = effects(problem(0.6 * y[:, None] + 0.8 * rng.normal(size=(40, 8)), y))
    r, reach = found["effect"], norm.isf(0.025) * np.sqrt((1 + found["effect"] ** 2 / 2) / 37)  # Bonett, Wright 2000
    np.testing.assert_allclose(found[["low", "high"]].T, np.tanh([np.arctanh(r) - reach, np.arctanh(r) + reach]))


def test_auc_interval_stays_in_0_1():
    low, high = auc_interval(np.array([1.0, 0.5, np.nan]), 10, 10)
    assert 0.7 < low[0] < 0.95
    assert high[0] == 1
    assert low[1] + high[1] == pytest.approx(1)
    assert np.isnan([low[2], high[2]]).all()


def test_interval_of_harrells_c_is_that_of_somers_d():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    time, event = np.exp(-0.7 * X[:, 0] + rng.normal(size=120)), rng.random(120) < 0.7
    row = effects(problem(np.column_stack([X, event]), time, event="x2")).iloc[0]
    comparable = (time[:, None] < time) & event[:, None]
    higher = X[:, 0, None] > X[:, 0]
    assert row.effect == pytest.approx((higher & comparable).sum() / comparable.sum())
    middle, low, high = np.arctanh(2 * row[["effect", "low", "high"]].astype(float) - 1)
    assert middle - low == pytest.approx(high - middle)
    assert 0.2 < high - low < 0.4


def test_effects_ignore_constant_features_and_unlabelled_rows():
    X, classes, _ = with_gaps()
    X[:, 3] = np.r_[np.zeros(60), np.arange(30)]
    y = np.where(np.arange(90) < 60, (classes > 0).astype(float), np.nan)
    labels = pd.Series(y).map({0: "a", 1: "b"}).astype(object).where(lambda s: s.notna(), None).to_numpy()
    found = effects(problem(X, labels))
    assert np.isnan(found["effect"][3])
    pd.testing.assert_frame_equal(found.iloc[:3], effects(problem(X[:60, :3], labels[:60])))


def test_effects_and_directions_use_weights():
    X, classes, _ = with_gaps()
    y = (classes > 0).astype(int)
    weights = np.random.default_rng(0).exponential(size=90)
    found = effects(problem(X[:, [0]], y, weights=weights))
    assert found["effect"][0] == pytest.approx(roc_auc_score(y, X[:, 0], sample_weight=weights), abs=0.005)
    assert found["low"].isna().all()
    heavy = np.where(np.arange(90) < 30, 9.0, 1.0)
    number = np.where(heavy > 1, 1, -1) * X[:, 0]
    repeated = np.repeat(np.arange(90), heavy.astype(int))
    signs = effects(problem(X[:, [0]], number, weights=heavy))
    assert signs["direction"][0] == "+"
    assert signs["effect"][0] == pytest.approx(spearmanr(X[repeated, 0], number[repeated]).statistic)


def test_multitarget_effect_is_the_largest():
    X, classes, number = with_gaps()
    Y = np.column_stack([X[:, 2] > 0, classes > 0]).astype(int)
    found = effects(problem(X[:, [0, 2]], Y, task="multilabel"), ["left", "right"])
    assert found["of"].tolist() == ["high in right", "high in left"]
    assert found["target"].tolist() == [1, 0]
    assert found["effect"][0] == pytest.approx(roc_auc_score(Y[:, 1], X[:, 0]))
    found = effects(problem(X[:, [0, 2]], np.column_stack([number, -3 * X[:, 2]])), ["one", "two"])
    assert found["of"].tolist() == ["one", "two"]
    assert found["effect"][1] == pytest.approx(-1)
    assert set(found["direction"]) == {""}


def test_strength_ranges_from_0_to_1():
    rng = np.random.default_rng(4)
    y = rng.normal(size=60)
    X = np.column_stack([y**3, -y, rng.normal(size=60) - 0.05 * y, rng.normal(size=60)])
    found = effects(problem(X, y))
    assert found["strength"][:2].tolist() == pytest.approx([1, 1])
    assert found["effect"][2] < 0 < found["high"][2]
    assert found["strength_low"][2] == 0
    assert found["strength_high"][2] == pytest.approx(-found["low"][2])
    assert (found["strength_low"] <= found["strength"]).all()
    assert (found["strength"] <= found["strength_high"] + 1e-9).all()


def test_equal_rows_count_once_in_intervals():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 2))).add_prefix("x")
    for y in (X["x0"] + rng.normal(size=60), (X["x0"] + rng.normal(size=60) > 0) * 1):
        once = rank(X, y, methods="f_score", effort="order", n_jobs=1).features
        twice = rank(pd.concat([X, X]), pd.concat([y, y]), methods="f_score", effort="order", n_jobs=1).features
        columns = ["effect", "effect_low", "effect_high", *(name for name in once if name[:5] in ("slope", "odds_"))]
        np.testing.assert_allclose(twice[columns], once[columns], rtol=0.03)  # degrees of freedom differ


def test_feature_that_is_related_given_others_says_so():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(100, 3))).add_prefix("x")
    y = 3 * X["x0"] + 0.4 * X["x1"] + 0.5 * rng.normal(size=100)
    result = rank(X, y, methods="f_score", effort="order", n_jobs=1)
    assert result.features.set_index("feature")["given"].to_dict() == {"x0": "", "x1": "x0", "x2": ""}
    assert "given" in next(line for line in ranking_lines(result))


def test_relation_of_both_ends_is_shown_by_its_own_effect():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(150, 3))).add_prefix("x")
    for y, expected in (
        (pd.Series(X["x0"] ** 2 + 0.3 * rng.normal(size=150), name="y"), "high at both ends"),
        (pd.Series(np.where(np.abs(X["x0"]) < 0.7, "calm", "wild"), name="y"), "both ends in wild"),
    ):
        result = rank(X, y, methods="f_score", effort="order", n_jobs=1)
        row = result.features.set_index("feature").loc["x0"]
        assert row["ends"].endswith(expected)
        assert float(row["ends"].split()[1]) > 0.9 > abs(row["effect"])
        assert row["ends"] in next(line for line in ranking_lines(result) if " x0 " in line)
    result = rank(X, X["x0"] + rng.normal(size=150), methods="f_score", effort="order", n_jobs=1)
    assert result.features["ends"].tolist() == ["", "", ""]
