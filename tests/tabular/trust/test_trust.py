"""Tests of features: against plain references, and on small tables whose truth is known."""

from itertools import starmap

import numpy as np
import pytest
from scipy.stats import chi2_contingency, false_discovery_control, pearsonr, rankdata, spearmanr
from scipy.stats import t as student

from sslrank.core.features import Features
from sslrank.core.targets import encode_targets
from sslrank.tabular.trust.rows.permutations import permutations
from sslrank.tabular.trust.tests import conditional
from sslrank.tabular.trust.tests import shadows as shadows_module
from sslrank.tabular.trust.tests.combining import cauchy, q_values
from sslrank.tabular.trust.tests.conditional import (
    ConditionalTests,
    _orthonormal,
    _partial,
    conditional_tests,
    near_duplicates,
)
from sslrank.tabular.trust.tests.related import find_related
from sslrank.tabular.trust.tests.residuals import p_values_beside
from sslrank.tabular.trust.tests.shadows import Shadows, against_shadows, column_kinds, tail_p_values
from sslrank.tabular.trust.tests.univariate import p_values_alone


def features_of(X, levels=()):
    """Features with nominal columns, as {column: number of levels}."""
    n_categories = np.zeros(X.shape[1], dtype=np.int32)
    for j, count in dict(levels).items():
        n_categories[j] = count
    return Features(np.ascontiguousarray(X, dtype=np.float64), n_categories)


def numbers(y):
    return encode_targets(y, len(y), task="regression")


def classes(y):
    return encode_targets(y, len(y), task="classification")


def test_permutations_keep_groups_and_time():
    groups = np.array([3, 3, 1, 1, 1, 3, 7, 7, 7])
    for rows in permutations(9, 20, 0, groups=groups):
        assert all(len(set(groups[rows[groups == group]])) == 1 for group in (1, 3, 7))
        assert sorted(rows) == list(range(9))  # all groups have as many rows
    time = np.arange(20)[::-1]
    for rows in permutations(20, 20, 0, time=time):
        assert (np.abs(rows - np.arange(20)) < 5).all()
    np.testing.assert_array_equal(permutations(8, 3, 5), permutations(8, 9, 5)[:3])


def test_cauchy_is_the_formula_and_no_test_takes_away_what_another_sees():
    p = np.array([[0.03, 1e-40], [0.4, 0.6]])
    expected = 0.5 - np.arctan(np.tan((0.5 - p[:, 0]) * np.pi).mean()) / np.pi
    np.testing.assert_allclose(cauchy(p), [expected, 2e-40], rtol=1e-9)
    assert cauchy(np.array([0.001, 1.0])) < 0.0021
    np.testing.assert_allclose(cauchy(np.array([0.03, 0.5]), np.array([1.0, 0.0])), 0.03)
    assert cauchy(np.array([0.03]), np.array([0.0])) == 1.0


def test_q_values_are_those_of_benjamini_and_hochberg():
    p = np.random.default_rng(0).random(7)
    simes = min(len(p) * value / (i + 1) for i, value in enumerate(np.sort(p)))
    assert q_values(p).min() == pytest.approx(simes)
    for n in (0, 1, 2, 7, 300):
        p = np.round(np.random.default_rng(n).random(n), 2)
        expected = [min(n * other / (p <= other).sum() for other in p if other >= value) for value in p]
        np.testing.assert_allclose(q_values(p), expected)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 8))
    X[:, 5] = rng.integers(0, 3, 150)
    X[:, 7] = 2.0
    return X, X[:, 0] + 2 * np.abs(X[:, 1]) + (X[:, 5] == 1) + rng.normal(size=150)


def test_a_feature_alone_is_tested_as_textbooks_do(table):
    X, y = table
    found = p_values_alone(features_of(X), numbers(y))
    r, rho = pearsonr(X[:, 0], y).pvalue, spearmanr(X[:, 0], y).pvalue
    assert 0.2 < np.log(found[0]) / np.log(min(r, rho)) < 1.3
    assert found[7] == 1.0  # does not vary
    assert found[1] < 1e-6 < pearsonr(X[:, 1], y).pvalue  # tells by its distance from the middle
    shade = (y > np.median(y)).astype(int)
    counts = np.array([[((X[:, 5] == level) & (shade == side)).sum() for side in (0, 1)] for level in range(3)])
    of_levels = p_values_alone(features_of(X, {5: 3}), classes(shade))[5]
    assert abs(np.log(of_levels) - np.log(chi2_contingency(counts).pvalue)) < 1.0


def test_p_values_alone_are_uniform_without_a_relation():
    p = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = np.exp(rng.normal(size=(40, 30)))
        X[:, 0] = rng.integers(0, 15, 40)
        X[rng.random(X.shape) < 0.1] = np.nan
        p.append(p_values_alone(features_of(X, {0: 15}), classes((rng.random(40) < 0.15).astype(int)), seed=seed))
    p = np.concatenate(p)
    assert 0.07 < (p <= 0.1).mean() < 0.14
    assert 0.004 < (p <= 0.01).mean() < 0.022


def test_groups_decide_how_much_rows_count():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(10), 12)
    X = rng.normal(size=(10, 6))[groups] + 0.1 * rng.normal(size=(120, 6))
    y = rng.normal(size=10)[groups]
    features, targets = features_of(X), numbers(y)
    assert p_values_alone(features, targets).min() < 1e-6
    assert p_values_alone(features, targets, groups=groups).min() > 0.005


def test_weights_say_which_rows_count():
    rng = np.random.default_rng(0)
    X, heavy = rng.normal(size=(200, 3)), np.arange(200) < 60
    y = np.where(heavy, X[:, 0], -X[:, 0] * 60 / 140) + 0.5 * rng.normal(size=200)
    weight = np.where(heavy, 1.0, 0.01)
    assert p_values_alone(features_of(X), numbers(y), sample_weight=weight)[0] < 1e-8


def test_several_targets_count_for_what_they_say():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(80, 4)), rng.normal(size=(80, 3))
    Y[:, 2] += X[:, 1]
    Y[:20, 2] = np.nan
    p = p_values_alone(features_of(X), encode_targets(Y, 80, task="multitarget"))
    assert p[1] < 2e-4  # 1.4e-5 of the 60 rows, three targets
    assert p[[0, 2, 3]].min() > 0.01


def test_scales_of_shadows_leave_out_the_shadow_that_is_judged():
    rng = np.random.default_rng(0)
    real, shadow = rng.gamma(2.0, size=(6, 5)), rng.gamma(2.0, size=(6, 5))
    kinds = np.array([0, 1, 1, 1, 0])
    found = Shadows(real, shadow, kinds)
    for b in range(6):
        others = np.delete(shadow, b, axis=0)
        variance = others.var(axis=0, ddof=1)
        pooled = np.array([variance[kinds == kind].mean() for kind in kinds])
        z = (shadow[b] - others.mean(axis=0)) / np.sqrt((variance + pooled) / 2)
        np.testing.assert_allclose(found.null[b], z)


def test_tail_p_values_count_and_then_go_on():
    pool = np.sort(np.random.default_rng(0).exponential(size=2000))
    p = tail_p_values(np.array([-1.0, np.median(pool), 9.0, 14.0]), pool)
    assert p[0] == 1.0
    assert p[1] == pytest.approx(0.5, abs=0.01)
    assert abs(np.log(p[2]) + 9) < 2
    assert abs(np.log(p[3]) + 14) < 3


def test_kinds_of_columns():
    X = np.array([[0, 1.5, 2], [1, 2.5, 0], [0, 3.5, 1], [0, np.nan, 1], [1, 4, 2], [0, 5, 1], [1, 6, 2]])
    assert column_kinds(features_of(X, {2: 3})).tolist() == [0, 1, 0]


def test_shadows_are_the_same_however_fits_are_run(table):
    X, y = table
    one = against_shadows(features_of(X), numbers(y), count=4)
    other = against_shadows(features_of(X), numbers(y), count=4, run=lambda *args: starmap(*args))
    first = against_shadows(features_of(X), numbers(y), count=2)
    for name, found in one.items():
        np.testing.assert_array_equal(found.shadow, other[name].shadow)
        np.testing.assert_array_equal(found.real[:2], first[name].real)
        assert found.p_values[0] < 0.02


def test_among_very_many_columns_a_first_pass_treats_shadows_alike(monkeypatch):
    monkeypatch.setattr(shadows_module, "SEEN", 40)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 100))
    y = X[:, 7] + 0.5 * rng.normal(size=60)
    found = against_shadows(features_of(X), numbers(y), count=10)["genie3"]
    assert found.screened
    assert ((found.real != 0).sum(axis=1) + (found.shadow != 0).sum(axis=1) <= 40).all()
    assert 0.6 < (found.shadow != 0).sum() / (found.real != 0).sum() < 1.2
    assert np.argmin(found.p_values) == 7
    assert found.p_values[7] < 0.001


def test_what_stands_beside_a_strong_feature_is_found():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 10))
    y = 20 * X[:, 0] + X[:, 1] + X[:, 2] + rng.normal(size=150)
    features, targets = features_of(X), numbers(y)
    assert p_values_alone(features, targets)[1:3].min() > 0.01
    beside = p_values_beside(features, targets, [0], permutations(150, 199, 0))
    assert np.isnan(beside[0])
    assert (beside[1:3] < 1e-4).all()
    assert (beside[3:] > 0.001).all()
    found = find_related(features, targets)
    assert set(found.related) >= {0, 1, 2}
    assert found.any_related
    assert found.p_value == found.q_values.min()


def test_noise_of_every_kind_has_a_fair_place_beside_a_signal():
    places = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(80, 10))
        for j, levels in ((1, 40), (2, 5), (3, 2)):
            X[:, j] = rng.integers(0, levels, 80)
        y = (1.5 * X[:, 0] + rng.normal(size=80) > 0).astype(int)
        found = find_related(features_of(X, {1: 40, 2: 5}), classes(y), shadows=0, count=99, seed=seed)
        places.append(rankdata(found.p_values))
    assert np.mean(places, axis=0)[0] < 1.1
    assert abs(np.mean(places, axis=0)[1] - 6) < 0.5
    assert (abs(np.mean(places, axis=0)[2:] - 6) < 0.8).all()


def test_headline_and_table_obey_one_rule():
    claims = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        found = find_related(
            features_of(rng.normal(size=(40, 6))), classes(rng.integers(0, 2, 40)), shadows=0, seed=seed
        )
        assert found.any_related == (found.q_values.min() <= 0.05)
        assert bool(len(found.related)) == found.any_related
        claims += found.any_related
    assert claims <= 4


def test_with_few_columns_conditional_tests_are_those_of_a_linear_model():
    rng = np.random.default_rng(0)
    n = 80
    X = rng.normal(size=(n, 3))
    X[:, 1] += X[:, 0]
    y = X[:, 0] + 0.3 * X[:, 2] + rng.normal(size=n)
    basis = np.linalg.qr(np.column_stack([np.ones(n), X[:, [0, 1]]]))[0]
    design = np.column_stack([np.ones(n), X])
    coefficients, squares, _, _ = np.linalg.lstsq(design, y)
    error = np.sqrt(squares[0] / (n - 4) * np.linalg.inv(design.T @ design)[3, 3])
    classic = 2 * student.sf(abs(coefficients[3]) / error, n - 4)
    left, of_y = (value - basis @ (basis.T @ value) for value in (X[:, 2], y))
    residuals = y - design @ coefficients
    hat = np.einsum("ij,ij->i", design @ np.linalg.inv(design.T @ design), design)
    error = np.sqrt((left**2 * residuals**2 / (1 - hat)).sum()) / (left @ left)  # HC2
    robust = 2 * student.sf(abs(coefficients[3]) / error, n - 4)
    found = _partial(_orthonormal(of_y[:, None]), X[:, 2:], basis)
    assert found == pytest.approx(max(classic, robust), rel=1e-6)


def test_features_that_add_information_but_are_not_related_are_counted_apart():
    own = ConditionalTests(np.zeros(3), np.array([0.01, 0.02, 0.5]), np.arange(3))
    assert "2 features" in own.describe()
    assert own.describe([0, 1]) == own.describe()
    assert own.describe([0]).endswith("10%; 1 more by conditional q, not shown to be related")
    assert (
        own.describe([2])
        == "conditional tests: only features that are not shown to be related add information, see conditional q"
    )


def test_a_feature_adds_what_others_do_not_say():
    false = related = 0
    for seed in range(15):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(120, 20))
        for j in range(1, 20):
            X[:, j] = 0.8 * X[:, j - 1] + 0.6 * X[:, j]
        features, targets = features_of(X), numbers(X[:, 5] + np.abs(X[:, 14]) + 0.5 * rng.normal(size=120))
        own = conditional_tests(features, targets)
        assert own.q_values[5] < 0.1
        false += ((own.q_values <= 0.1).sum() - 2) > 0
        related += (false_discovery_control(p_values_alone(features, targets)) <= 0.1).sum() > 2
    assert false <= 6 < related


@pytest.mark.parametrize("bend", [lambda z, w: np.sin(2 * z), lambda z, w: np.sign(z), lambda z, w: z * w])
def test_a_nonlinear_function_of_others_has_no_information_of_its_own(bend, monkeypatch):
    named, linear = 0, 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 8))
        X[:, 7] = bend(X[:, 0], X[:, 1]) + 0.3 * rng.normal(size=150)
        features, targets = features_of(X), numbers(bend(X[:, 0], X[:, 1]) + 0.5 * rng.normal(size=150))
        named += conditional_tests(features, targets).q_values[7] <= 0.1
        with monkeypatch.context() as patch:
            patch.setattr(conditional, "AGAIN", -1.0)
            linear += conditional_tests(features, targets).q_values[7] <= 0.1
    assert named <= 2
    assert linear >= 6


def test_near_duplicates_are_tested_as_one():
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


def test_weights_and_groups_count_in_conditional_tests():
    rng = np.random.default_rng(0)
    X, heavy = rng.normal(size=(200, 4)), np.arange(200) < 60
    features, targets = features_of(X), numbers(np.where(heavy, X[:, 0], -X[:, 0]) + 0.5 * rng.normal(size=200))
    weight = np.where(heavy, 1.0, 0.001)
    weighted = conditional_tests(features, targets, sample_weight=weight)
    assert weighted.p_values[0] < 1e-4
    groups = np.repeat(np.arange(20), 10)
    X = rng.normal(size=(20, 4))[groups]
    features, targets = features_of(X + 0.01 * rng.normal(size=X.shape)), numbers(rng.normal(size=20)[groups])
    assert conditional_tests(features, targets, groups=groups).q_values.min() > 0.02
    assert conditional_tests(features, targets).q_values.min() < 0.001
    few = conditional_tests(features, targets, groups=groups // 3)
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


def test_gaps_of_a_feature_are_controls_and_add_information():
    rng = np.random.default_rng(0)
    gap = rng.random(150) < 0.3
    X = rng.normal(size=(150, 5))
    X[gap, 0] = np.nan
    X[:, 1] = gap + 0.5 * rng.normal(size=150)
    found = conditional_tests(features_of(X), numbers(3.0 * gap + rng.normal(size=150)))
    assert found.named.tolist() == [0]


def test_what_precedes_a_row_is_taken_from_it():
    false = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 7))
        for i in range(1, 150):
            X[i] += 0.95 * X[i - 1]
        X[:, 0] = 0.5 * X[:, 6] + X[:, 0]  # adds information, the others do not
        order = rng.permutation(150)
        found = conditional_tests(features_of(X[order, :6]), numbers(X[order, 6]), time=order)
        assert found.q_values[0] < 0.1
        false += (found.q_values[1:] <= 0.1).sum()
    assert false <= 4
    walk = np.cumsum(np.random.default_rng(0).normal(size=(400, 2)), axis=0)
    assert conditional.autoregression(walk).sum() == pytest.approx(1, abs=0.05)


def test_of_very_many_features_the_most_related_are_tested(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 60))
    features, targets = features_of(X), numbers(X[:, 50] + 0.5 * rng.normal(size=80))
    every = conditional_tests(features, targets)
    monkeypatch.setattr(conditional, "_CONTROLS", 20)
    part = conditional_tests(features, targets)
    assert (part.p_values < 1).sum() <= 20
    assert np.argmin(part.q_values) == np.argmin(every.q_values) == 50
    assert part.q_values[50] == pytest.approx(60 * part.p_values[50])


def test_one_of_several_targets_may_be_constant_among_the_labelled_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    y = np.column_stack([9 * X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=60), np.zeros(60)])
    beside = p_values_beside(features_of(X), encode_targets(y, 60, task="multitarget"), [0], permutations(60, 99, 0))
    assert np.nanargmin(beside) == 1
    assert beside[1] < 0.02
