import numpy as np
import pytest

from coded import features_of, numbers
from sslrank.core.targets import encode_targets
from sslrank.hypothesis_tests import PairTest
from sslrank.hypothesis_tests.design import Design
from sslrank.hypothesis_tests.pairs import PAIR_LEVEL, Pairs, _chosen, _PairModel, _products, find_pairs, normal_scores


def found(X, y, levels=(), **options):
    targets = encode_targets(y, len(X), task="classification" if np.asarray(y).dtype.kind in "ibU" else "regression")
    return find_pairs(features_of(X, enumerate(levels)), targets, **options)


def columns(n=160, D=8, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, D)), rng


def test_product_is_found_next_to_an_effect_of_one_feature():
    X, rng = columns()
    y = X[:, 1] * X[:, 4] + 2 * X[:, 1] + rng.normal(size=160)
    pairs = found(X, y)
    assert pairs.pairs.tolist() == [[1, 4]]
    assert pairs.partners(4) == [1]
    assert pairs.p_values[0] <= PAIR_LEVEL
    same = found(np.exp(X) * [1, 2, 3, 4, 5, 6, 7, 8], y)  # only ranks of features count
    assert (same.pairs.tolist(), same.p_values.tolist()) == (pairs.pairs.tolist(), pairs.p_values.tolist())


@pytest.mark.parametrize("kind", ["xor", "slopes", "cells"])
def test_pairs_with_levels_are_found(kind):
    X, rng = columns(240)
    X[:, :2] = rng.integers(0, 3, size=(240, 2))
    if kind == "xor":
        X[:, 3:5] = X[:, 3:5] > 0
        y, true = ((X[:, 3] != X[:, 4]) ^ (rng.random(240) < 0.1)).astype(int), [[3, 4]]
    elif kind == "slopes":
        y, true = X[:, 5] * (X[:, 0] - 1) * 1.5 + rng.normal(size=240), [[0, 5]]
    else:
        y, true = 2.0 * (X[:, 0] == X[:, 1]) + rng.normal(size=240), [[0, 1]]
    assert found(X, y, levels=(3, 3)).pairs.tolist()[:1] == true


def test_partner_that_correlates_with_a_true_one_is_not_named():
    named = []
    for seed in range(6):
        X, rng = columns(200, seed=seed)
        X[:, 5] = 0.8 * X[:, 0] + 0.6 * X[:, 5]
        named += found(X, X[:, 0] * X[:, 1] + rng.normal(size=200)).features.tolist()
    assert named.count(0) == named.count(1) == 6
    assert named.count(5) <= 1


def test_sums_of_effects_are_rarely_pairs():
    claims = 0
    for seed in range(30):
        X, rng = columns(100, 6, seed)
        y = np.abs(X[:, 0]) + np.sin(2 * X[:, 1]) + np.exp(0.5 * X[:, 2]) * rng.normal(size=100)
        claims += len(found(X, y).pairs) > 0
    assert claims <= 5  # more has a probability of .003 at a level of .05


def test_pairs_of_many_features_are_chosen_on_other_rows():
    X, rng = columns(400, 330)
    y = 2 * X[:, 7] * X[:, 9] + X[:, 7] + X[:, 9] + rng.normal(size=400)
    assert found(X, y).pairs.tolist() == [[7, 9]]


def test_pairs_of_very_many_features_are_of_the_strongest_ones(monkeypatch):
    X = columns()[0]
    targets = numbers(X[:, 2:5].sum(axis=1))
    model = _PairModel(features_of(X), targets, Design(), None, np.arange(160), 10, 0)
    monkeypatch.setattr("sslrank.hypothesis_tests.pairs._MAX_FEATURES", 3)
    assert sorted(_chosen(model)) == [2, 3, 4]


def test_products_are_free_of_what_each_feature_explains():
    X, rng = columns(50, 4)
    X[::7, 2] = np.nan
    model = _PairModel(features_of(X), numbers(rng.normal(size=50)), Design(), None, np.arange(50), 10, 0)
    z = normal_scores(X)
    for pairs, owner, products in _products(model):
        for (a, b), product in zip(pairs[owner], products.T, strict=True):
            columns_of_both = np.column_stack([np.ones(50), z[:, a], z[:, b], z[:, a] ** 2, z[:, b] ** 2])
            raw = z[:, a] * z[:, b]
            expected = raw - columns_of_both @ np.linalg.lstsq(columns_of_both, raw)[0]
            np.testing.assert_allclose(product, expected / np.sqrt((expected**2).mean()), atol=1e-8)


def test_few_units_are_not_tested():
    X, rng = columns(19)
    assert found(X, rng.normal(size=19)).reason == "not tested: 19 labelled rows, and at least 20 are needed"
    groups = np.repeat(np.arange(5), 8)
    X, rng = columns(40)
    assert "5 groups" in found(X, rng.normal(size=40), design=Design(groups=groups, unit="groups")).reason
    assert found(X[:, :1], X[:, 0]).reason == "not tested: there is one feature"
    assert len(Pairs().features) == 0


def test_estimator_keeps_features_of_pairs():
    X, rng = columns()
    test = PairTest().fit(X, X[:, 1] * X[:, 4] + rng.normal(size=160), adjust=X[:, [0]])
    assert test.get_support(indices=True).tolist() == [1, 4]
    assert test.transform(X).shape == (160, 2)
