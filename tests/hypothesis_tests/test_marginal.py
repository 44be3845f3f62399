"""Marginal tests of features and residuals against plain references and on tables with known truth."""

from dataclasses import replace
from math import comb

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import chi2_contingency, f_oneway, false_discovery_control, norm, pearsonr, rankdata

from coded import classes, features_of, numbers
from sslrank.core.null_model import log_rank_scores
from sslrank.core.targets import encode_targets
from sslrank.hypothesis_tests.combining import cauchy
from sslrank.hypothesis_tests.design import Design
from sslrank.hypothesis_tests.marginal import MANY_ROWS, MarginalTests, _traces, column_ranks, scaled, target_groups
from sslrank.hypothesis_tests.permutations import Permutations
from sslrank.hypothesis_tests.related import find_related
from sslrank.hypothesis_tests.residuals import residual_targets
from sslrank.hypothesis_tests.series import autocorrelations, effective_rows, lag_one, trend_and_seasons
from sslrank.hypothesis_tests.shifted_rows import ShiftedRows
from sslrank.hypothesis_tests.smallest_effect import effective_labels, smallest_effect


def alone(features, targets, **options):
    return MarginalTests(features, targets, **options)()


def test_cauchy_combination_matches_formula_and_ignores_p_of_one():
    p = np.array([[0.03, 1e-40], [0.4, 0.6]])
    expected = 0.5 - np.arctan(np.tan((0.5 - p[:, 0]) * np.pi).mean()) / np.pi
    np.testing.assert_allclose(cauchy(p), [expected, 2e-40], rtol=1e-9)
    assert cauchy(np.array([0.001, 1.0])) < 0.0021
    np.testing.assert_allclose(cauchy(np.array([0.03, 0.5]), np.array([1.0, 0.0])), 0.03)
    assert cauchy(np.array([0.03]), np.array([0.0])) == 1.0


def test_ranks_of_many_rows_equal_those_of_scipy():
    x = np.random.default_rng(0).choice([-np.inf, -0.0, 0.0, 1.5, np.inf, np.nan], (MANY_ROWS + 1, 2))
    np.testing.assert_array_equal(column_ranks(x), rankdata(x, axis=0, nan_policy="omit"))


def test_scaling_is_invariant_to_observed_arrangement():
    values = np.random.default_rng(0).exponential(size=(3, 200))
    order = np.random.default_rng(1).permutation(200)
    np.testing.assert_allclose(scaled(values[:, order]), scaled(values)[:, order])
    assert (np.diff(scaled(np.sort(values))) >= -1e-9).all()
    assert scaled(np.zeros((1, 50))).max() == 0.0


@pytest.mark.parametrize("levels", [{}, {0: 2}])
def test_few_far_values_of_the_target_do_not_hide_relations_of_two_values(levels):
    rng = np.random.default_rng(1)
    x = np.arange(60) % 2
    y = x + 0.5 * rng.normal(size=60)
    y[:2] = 200.0, -150.0
    features = features_of(np.column_stack([x, rng.normal(size=60)]), levels)
    assert f_oneway(y[x == 0], y[x == 1]).pvalue > 0.2
    assert alone(features, numbers(y)).p_values[0] < 0.01


def test_marginal_p_values_match_textbook_tests():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 8))
    X[:, 5] = rng.integers(0, 3, 150)
    X[:, 7] = 2.0
    y = X[:, 0] + 2 * np.abs(X[:, 1]) + (X[:, 5] == 1) + rng.normal(size=150)
    found = alone(features_of(X), numbers(y)).p_values
    assert found[0] < 0.002
    assert found[7] == 1.0  # does not vary
    assert found[1] < 0.001 < pearsonr(X[:, 1], y).pvalue  # by its distance from the middle
    shade = (y > np.median(y)).astype(int)
    counts = np.array([[((X[:, 5] == level) & (shade == side)).sum() for side in (0, 1)] for level in range(3)])
    of_levels = alone(features_of(X, {5: 3}), classes(shade)).p_values[5]
    assert abs(np.log(of_levels) - np.log(chi2_contingency(counts).pvalue)) < 1.0


def test_null_p_values_are_uniform_and_bounded_below():
    p, said = [], 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = np.exp(rng.normal(size=(40, 30)))
        X[:, 0] = rng.integers(0, 15, 40)
        X[rng.random(X.shape) < 0.1] = np.nan
        y = classes((rng.random(40) < 0.15).astype(int))
        found = alone(features_of(X, {0: 15}), y, seed=seed, count=400)
        p.append(found.p_values)
        said += found.adjusted.min() <= 0.05
    p = np.concatenate(p)
    assert 0.07 < (p <= 0.1).mean() < 0.14
    assert 0.004 < (p <= 0.01).mean() < 0.022
    assert p.min() >= 1 / (400 * 30)
    assert said <= 5


def test_p_values_are_bounded_for_many_binary_columns():
    """12 labels and 1,000 columns, of which some separate the classes by chance."""
    rng = np.random.default_rng(2)
    X = (rng.random((12, 1000)) < 0.4).astype(float)
    y = np.arange(12) % 2
    X[:, 0] = y
    found = alone(features_of(X), classes(y))
    assert len(MarginalTests(features_of(X), classes(y)).permutations.rows) == comb(12, 6)
    assert found.p_values.min() >= 1 / comb(12, 6) / 1000
    assert found.adjusted.min() >= 1 / comb(12, 6)
    related = find_related(features_of(X), classes(y))
    assert related.p_values[0] == related.p_values.min() == 1 / comb(12, 6)


def test_p_values_pool_columns_of_one_kind():
    """A numeric column among binary columns is compared with its own arrangements only."""
    rng, y = np.random.default_rng(0), np.arange(40) % 2
    X = (rng.random((40, 50)) < 0.4).astype(float)
    X[:, 0] = y + 0.01 * rng.normal(size=40)
    assert alone(features_of(X), classes(y), count=200).p_values[0] == 1 / 200


def test_missingness_is_tested():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 5)), np.arange(100) % 2
    X[(y == 1) & (rng.random(100) < 0.5), 2] = np.nan
    assert alone(features_of(X), classes(y)).p_values[2] < 0.001


def test_relation_to_one_of_several_targets_is_found():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(80, 4)), rng.normal(size=(80, 3))
    Y[:, 2] += X[:, 1]
    Y[:20, 2] = np.nan
    p = alone(features_of(X), encode_targets(Y, 80, task="multitarget")).p_values
    assert p[1] < 0.001
    assert p[[0, 2, 3]].min() > 0.01


def series(rng, n, columns, rho):
    steps = rng.normal(size=(n + 100, columns))
    for t in range(1, len(steps)):
        steps[t] += rho * steps[t - 1]
    return steps[100:]


def test_autocorrelation_weakens_p_values():
    rng = np.random.default_rng(0)
    Z, time = series(rng, 400, 21, 0.8), Design(time=np.arange(400), unit="times")
    r = autocorrelations(Z, time)
    np.testing.assert_allclose(r[1], lag_one(Z), rtol=1e-6)
    assert r[1] == pytest.approx([0.8] * 21, abs=0.15)
    expected = 400 * (1 - 0.64) / (1 + 0.64)  # Bartlett, of two series of one lag
    assert np.median(effective_rows(Z[:, 1:], Z[:, :1], time)) == pytest.approx(expected, rel=0.4)
    alternating = (-1.0) ** np.arange(400)[:, None]
    assert effective_rows(alternating, Z[:, :1], time).tolist() == [400]  # no more than there are


def test_trend_and_seasons_are_found_for_shuffled_rows():
    rng = np.random.default_rng(0)
    time = rng.permutation(150)
    y = 0.02 * time + np.sin(2 * np.pi * time / 12.3) + 0.5 * rng.normal(size=150)
    basis = trend_and_seasons((y - y.mean())[:, None], time)
    np.testing.assert_allclose(basis.T @ basis, np.eye(basis.shape[1]), atol=1e-12)
    np.testing.assert_allclose(basis.sum(axis=0), 0, atol=1e-12)
    taken = np.column_stack([time - 74.5, np.cos(2 * np.pi * time / 12.3)])
    left = np.linalg.norm(taken - basis @ (basis.T @ taken), axis=0) / np.linalg.norm(taken, axis=0)
    assert left[0] < 1e-9
    assert left[1] < 0.3
    noise = sum(trend_and_seasons(rng.normal(size=(100, 1)), np.arange(100)).shape[1] > 2 for _ in range(100))
    assert noise <= 20
    line = np.arange(10.0)[:, None] - 4.5
    permutations = Permutations(Design(time=np.arange(10), unit="times"), line)
    assert abs(permutations.residuals(line)).max() < 1e-9


@pytest.mark.parametrize("n", [144, 150])
def test_shared_season_is_no_relation_given_time(n):
    said, time = 0, Design(time=np.arange(n), unit="times")
    for seed in range(20):
        rng = np.random.default_rng(seed)
        season = np.cos(2 * np.pi * (np.arange(n)[:, None] / 12 + rng.random(11)))
        Z = season + rng.normal(size=(n, 11))
        found = find_related(features_of(Z[:, :10]), numbers(Z[:, 10]), design=time, seed=seed, count=200)
        assert found.tested.all()
        said += found.any_related
    assert said <= 4


def test_independent_series_are_unrelated_given_time():
    said, time = 0, Design(time=np.arange(150), unit="times")
    for seed in range(40):
        Z = series(np.random.default_rng(seed), 150, 11, 0.6)
        found = find_related(features_of(Z[:, :10]), numbers(Z[:, 10]), design=time, seed=seed)
        assert found.tested.all()
        said += found.any_related
    assert said <= 4
    walks = np.cumsum(np.cumsum(np.random.default_rng(0).normal(size=(60, 11)), axis=0), axis=0)
    found = find_related(features_of(walks[:, :10]), numbers(walks[:, 10]), design=time.rows(slice(60)))
    assert not found.tested.any()
    assert (found.q_values == 1).all()
    assert found.describe() == (
        "more than chance: not tested: all features, autocorrelated rows are worth fewer than 30 independent ones"
    )


def test_weak_features_next_to_a_strong_one_are_found():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 10)) + 1
    y = 20 * X[:, 0] + X[:, 1] + X[:, 2] + rng.normal(size=150)
    features, targets = features_of(X), numbers(y)
    tests = MarginalTests(features, targets)
    assert tests().p_values[1:3].min() > 0.01
    plain, ranked = residual_targets(features, targets, tests, [0])
    assert abs(np.corrcoef(plain[0][:, 0], X[:, 0])[0, 1]) < 1e-9
    left = tests(plain, ranked).p_values
    assert (left[1:3] < 0.001).all()
    assert (left[3:] > 0.001).all()
    found = find_related(features, targets)
    assert set(found.related) >= {0, 1, 2}
    assert np.isnan(found.parts["residuals"][0])
    assert found.p_value == found.adjusted.min()


def test_one_constant_target_of_several_is_accepted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    y = np.column_stack([9 * X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=60), np.zeros(60)])
    features, targets = features_of(X), encode_targets(y, 60, task="multitarget")
    tests = MarginalTests(features, targets)
    left = tests(*residual_targets(features, targets, tests, [0])).p_values
    assert left[1] < 0.02


def test_noise_columns_rank_uniformly_next_to_signal():
    ranks = []
    for seed in range(50):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(80, 10))
        for j, levels in ((1, 40), (2, 5), (3, 2)):
            X[:, j] = rng.integers(0, levels, 80)
        y = (1.5 * X[:, 0] + rng.normal(size=80) > 0).astype(int)
        found = find_related(features_of(X, {1: 40, 2: 5}), classes(y), count=200, seed=seed)
        ranks.append(rankdata(found.p_values))
    assert np.mean(ranks, axis=0)[0] < 1.1
    assert abs(np.mean(ranks, axis=0)[1] - 6) < 0.6
    assert (abs(np.mean(ranks, axis=0)[2:] - 6) < 0.9).all()


def censored(effects, n=120, seed=0, D=12):
    """Features, and log-rank scores of half-censored times that the first of them shorten."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, D))
    life = rng.exponential(size=n) * np.exp(-X[:, : len(effects)] @ effects)
    ends = rng.exponential(size=n)
    pairs = list(zip(life <= ends, np.minimum(life, ends), strict=True))
    return features_of(X), encode_targets(np.array(pairs, dtype=[("died", bool), ("days", float)]), n)


def test_several_weak_survival_features_are_found():
    shown = []
    for seed in range(30):
        features, targets = censored([0.25] * 6, seed=seed)
        tests = alone(features, targets, count=400)
        shown.append((tests.p_value <= 0.05, tests.adjusted.min() <= 0.05))
    assert np.mean(shown, axis=0)[0] >= np.mean(shown, axis=0)[1] + 0.1
    found = find_related(features, targets)
    for p, n in ((0.06, 0), (0.05, len(found.related))):
        assert len(replace(found, global_p=p).related) == n
    ordinary = alone(features, numbers(targets.values[:, 0]))
    assert ordinary.p_value == ordinary.adjusted.min()


def test_survival_residuals_come_from_cox_model():
    features, targets = censored([2.0, 0.6, -0.6], seed=1)
    tests = MarginalTests(features, targets)
    plain, ranked = residual_targets(features, targets, tests, [0])
    x = features.values[:, 0]
    scores = log_rank_scores(targets.null.time, targets.null.event, x[:, None])
    assert abs(np.corrcoef(plain[0][:, 0], scores)[0, 1]) > 0.95
    assert tests(plain, ranked).p_values[2] < tests().p_values[2] / 3


def test_headline_agrees_with_table():
    rng = np.random.default_rng(0)
    found = find_related(features_of(rng.normal(size=(40, 6))), classes(rng.integers(0, 2, 40)))
    for p, any_related, n in ((0.05, True, 2), (0.0501, False, 0)):
        given = replace(found, adjusted=np.array([p, 0.4, 1, 1, 1, 1]), q_values=np.array([p, 0.1, 1, 1, 1, 1]))
        assert (given.any_related, len(given.related), given.p_value) == (any_related, n, p)
        said = "yes (p = 0.05); 2 related features" if any_related else "no, these rows show no related feature"
        assert given.describe().startswith(f"more than chance: {said}")
    assert (found.q_values <= found.adjusted).all()
    assert (found.q_values <= false_discovery_control(found.p_values) + 1e-12).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_numeric_statistics_equal_anova(n_classes):
    """-log(1 - V) of a number against classes is log(1 + F q / (n - 1 - q))."""
    n, q = 30, n_classes - 1
    columns, _ = target_groups(classes(np.arange(n) % n_classes))
    x = np.random.default_rng(0).normal(size=(n, 1))
    basis = (x - x.mean()) / np.linalg.norm(x - x.mean())
    values = _traces(basis, np.zeros(1, dtype=int), columns[0], Permutations(Design(), columns[0], count=1))
    F = f_oneway(*(x[code::n_classes, 0] for code in range(n_classes))).statistic
    assert -np.log1p(-values[0, 0]) == pytest.approx(np.log1p(F * q / (n - 1 - q)))


def test_labels_count_less_with_weights_and_gaps():
    X, y = np.random.default_rng(0).normal(size=(100, 3)), numbers(np.arange(100.0))
    assert effective_labels(y, features_of(X)) == 100
    assert effective_labels(y, features_of(X), np.where(np.arange(100) < 50, 1.0, 1e-9)) == 50
    X[:50] = np.nan
    assert effective_labels(y, features_of(X)) == 50
    assert effective_labels(y, features_of(np.zeros((100, 1)), {0: 2})) == 0


@pytest.mark.parametrize("kind", ["AUC", "r"])
def test_smallest_effect_has_80_percent_power(kind):
    n, D, shown = 80, 10, 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(n, D)), np.arange(n) % 2 if kind == "AUC" else rng.normal(size=n)
        targets = (classes if kind == "AUC" else numbers)(y)
        measure, value = smallest_effect(targets, D)
        if kind == "AUC":
            X[:, 0] += np.sqrt(2) * ndtri(value) * y
        else:
            X[:, 0] = value * y + np.sqrt(1 - value**2) * X[:, 0]
        assert measure == kind
        if kind == "r":  # the power of the test of one correlation, at a level for three tests of each column
            assert norm.cdf(np.arctanh(value) * np.sqrt(n - 3) - norm.isf(0.05 / (3 * D) / 2)) == pytest.approx(0.8)
        shown += find_related(features_of(X), targets, seed=seed, count=300).any_related
    assert 26 <= shown <= 38


def test_smallest_effect_is_larger_for_one_of_several_classes():
    two, three, ten = (smallest_effect(classes(np.arange(120) % k), 10)[1] for k in (2, 3, 10))
    assert 0.65 < two < three < ten < 0.95


@pytest.mark.parametrize("groups", [None, np.repeat(np.arange(40), np.tile([1, 1, 1, 2, 3], 8))])
def test_shifted_rows_multiply_by_exchanges_of_equal_units(groups):
    rng = np.random.default_rng(0)
    n = 40 if groups is None else len(groups)
    basis, columns = rng.normal(size=(n, 3)), rng.normal(size=(n, 2))
    shifts = ShiftedRows(groups, n, 6, seed=0)
    of_rows = shifts.products(np.eye(n), np.arange(n)[:, None])[:, :, 0].T.astype(int)  # which row each one gets
    assert (of_rows[0] == np.arange(n)).all()
    assert (np.sort(of_rows, axis=1) == np.arange(n)).all()
    expected = np.array([basis.T @ columns[rows] for rows in of_rows]).transpose(1, 0, 2)
    np.testing.assert_allclose(shifts.products(basis, columns), expected)
    units = np.arange(n) if groups is None else groups
    units = units[shifts.order]
    for rows in of_rows:
        assert len(set(zip(units, units[rows], strict=True))) == len(np.unique(units))


def test_many_rows_show_what_a_sample_of_them_does_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 4))
    y = (rng.normal(size=50_000) + 0.033 * X[:, 0] > 0).astype(int)  # AUC .515
    found, few = (alone(features_of(X[:n]), classes(y[:n]), count=200) for n in (50_000, 10_000))
    assert found.adjusted[0] < 0.01 < few.adjusted[0]
