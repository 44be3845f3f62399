"""WEKA's random forest: gains by hand, and the order that they lead to."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification

from sslrank import get_ranker
from sslrank.core.features import Features
from sslrank.rankers.committee.gain_forest import GainForest, best_test, split


def entropy(labels, weights):
    shares = np.array([weights[labels == label].sum() for label in set(labels)]) / weights.sum()
    return -sum(share * np.log2(share) for share in shares if share > 0)


@pytest.mark.parametrize("seed", range(5))
def test_a_number_is_tested_where_the_gain_is_largest(seed):
    rng = np.random.default_rng(seed)
    values, labels = rng.integers(0, 6, 25).astype(float), rng.integers(0, 3, 25)
    weights = rng.integers(1, 4, 25).astype(float)
    gain, branches = split(values, 0, np.eye(3)[labels], weights)
    gains = []
    for cut in np.unique(values)[1:]:
        sides = values < cut, values >= cut
        after = sum(weights[side].sum() * entropy(labels[side], weights[side]) for side in sides) / weights.sum()
        gains.append(entropy(labels, weights) - after)
    assert gain == pytest.approx(max(gains))
    cut = np.unique(values)[1:][np.argmax(gains)]
    np.testing.assert_array_equal(branches, [values < cut, values >= cut])


def test_a_nominal_feature_has_a_branch_per_category_and_missing_values_go_into_all():
    values = np.array([0, 0, 1, 2, np.nan])
    gain, branches = split(values, 3, np.eye(2)[[0, 0, 1, 1, 1]], np.array([1.0, 1, 1, 1, 2]))
    assert branches[:, :4].tolist() == [[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert branches[:, 4].tolist() == [0.5, 0.25, 0.25]
    # Six rows, two and four; the first branch has two of one class and one of the other, the others are pure.
    first = -(2 / 3) * np.log2(2 / 3) - (1 / 3) * np.log2(1 / 3)
    whole = -(1 / 3) * np.log2(1 / 3) - (2 / 3) * np.log2(2 / 3)
    assert gain == pytest.approx(whole - 3 / 6 * first)


def test_the_search_goes_on_until_a_feature_has_a_gain():
    X = np.column_stack([np.zeros((8, 5)), np.arange(8)])
    features, indicators = Features(X, np.zeros(6, dtype=np.int32)), np.eye(2)[[0] * 4 + [1] * 4]
    for seed in range(5):
        rng = np.random.default_rng(seed)
        feature, gain, branches = best_test(features, indicators, np.arange(8), np.ones(8), 1, rng)
        assert (feature, gain) == (5, pytest.approx(1))
        assert [rows.tolist() for rows, _ in branches] == [[0, 1, 2, 3], [4, 5, 6, 7]]
        for rows, weights in branches:  # pure
            assert best_test(features, indicators, rows, weights, 1, rng) is None
    assert best_test(features, indicators[[0, 0, 7, 7]], np.arange(4), np.full(4, 0.4), 1, rng) is None  # below 2 rows


def test_small_nodes_count_as_much_as_the_root():
    """On iris the width of the sepals is the least useful feature: tested in small nodes only, it comes first."""
    X, y = load_iris(return_X_y=True)
    assert GainForest(random_state=0, n_estimators=20).fit(X, y).feature_importances_.argmax() == 1
    by_permutation = get_ranker("permutation_importance", random_state=0).fit(X, y).feature_importances_
    assert by_permutation[:2].max() < by_permutation[2:].min()


def test_same_seed_same_bits_and_unlabelled_rows_are_left_out():
    X, y = make_classification(60, 5, random_state=0)
    half = np.where(np.arange(60) % 2, np.nan, y)
    one = GainForest(random_state=3, n_estimators=5).fit(X, half).feature_importances_
    assert (one == GainForest(random_state=3, n_estimators=5).fit(X[::2], y[::2]).feature_importances_).all()
    assert (one != GainForest(random_state=4, n_estimators=5).fit(X, half).feature_importances_).any()
