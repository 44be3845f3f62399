from itertools import combinations, product

import numpy as np
import pytest
from scipy.special import digamma
from sklearn.feature_selection import mutual_info_classif
from sklearn.metrics import mutual_info_score

from sslrank import get_ranker
from sslrank.core.features import encode_features
from sslrank.rankers.multilabel.discrete import Indicators, label_information
from sslrank.rankers.multilabel.memetic import MemeticRanker
from sslrank.rankers.multilabel.ppt_mi import class_information, pruned_codes


def make_data(n=60, n_features=6, seed=0, discrete=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(n, n_features)).astype(float) if discrete else rng.normal(size=(n, n_features))
    Y = (X[:, :3] + 0.5 * rng.normal(size=(n, min(3, n_features))) > 0.5).astype(float)
    return X, Y


# PPT+MI


def reference_information(X, classes, k, nominal=()):
    """The estimate for several features, row by row."""
    n = len(X)

    def distance(i, j):
        return max((X[i, f] != X[j, f]) if f in nominal else abs(X[i, f] - X[j, f]) for f in range(X.shape[1]))

    total = digamma(n)
    for i in range(n):
        same = [distance(i, j) for j in range(n) if j != i and classes[j] == classes[i]]
        radius = sorted(same)[: min(k, len(same))][-1]
        own = sum(d <= radius for d in same)
        every = sum(distance(i, j) <= radius for j in range(n) if j != i)
        total += (digamma(own) - digamma(every) - digamma(len(same) + 1)) / n
    return total


def plain_greedy(n_features, steps, value):
    """`value(subset)` is that of a subset's last feature, given the others."""
    selected, reached = [], []
    for _ in range(steps):
        found = {f: value([*selected, f]) for f in range(n_features) if f not in selected}
        best = max(found, key=lambda f: (round(found[f], 10), -f))
        selected.append(best)
        reached.append(found[best])
    return selected, reached


@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.parametrize("k", [1, 3, 8])
def test_ppt_mi_equals_plain_greedy_search(discrete, k):
    X, Y = make_data(40, 4, discrete=discrete)
    X[:, 3] = 2.0  # a constant feature
    classes = pruned_codes(Y @ np.array([1, 2, 4]), 4)
    kept = classes >= 0
    assert 0 < (~kept).sum() < 20
    nominal = [1] if discrete else []
    Z = X[kept].copy()
    numeric = [f for f in range(3) if f not in nominal]
    Z[:, numeric] /= Z[:, numeric].std(axis=0)

    def value(subset):
        kinds = [j for j, g in enumerate(subset) if g in nominal]
        return reference_information(Z[:, subset], classes[kept], k, kinds)

    selected, reached = plain_greedy(4, 3, value)
    ranker = get_ranker("ppt_mi", min_count=4, n_greedy=3, n_neighbors=k, categorical_features=nominal).fit(X, Y)
    np.testing.assert_array_equal(ranker.selected_, selected)
    np.testing.assert_allclose(ranker.information_, reached, rtol=1e-10)
    assert ranker.ranking_[selected].tolist() == [1, 2, 3]


def test_mutual_information_equals_scikit_learn_without_ties():
    rng = np.random.default_rng(0)
    x, classes = rng.normal(size=200), np.sort(rng.integers(0, 3, size=200))
    x += classes
    starts = np.searchsorted(classes, np.arange(4)).astype(np.intp)
    mine = class_information(np.zeros((200, 200)), x, False, starts, 3)
    other = mutual_info_classif(x[:, None], classes, discrete_features=False, n_neighbors=3, random_state=0)[0]
    assert mine == pytest.approx(other, abs=1e-6)


def test_rare_label_sets_are_pruned():
    codes = np.array([0, 0, 0, 1, 1, 2, -1, 3, 3, 3])
    np.testing.assert_array_equal(pruned_codes(codes, 3), [0, 0, 0, -1, -1, -1, -1, 1, 1, 1])
    np.testing.assert_array_equal(pruned_codes(codes, 2), [0, 0, 0, 1, 1, -1, -1, 2, 2, 2])
    np.testing.assert_array_equal(pruned_codes(codes, 9), [0, 0, 0, -1, -1, -1, -1, 1, 1, 1])
    assert (pruned_codes(np.array([0, 0, 1]), 1) == -1).all()
    assert (pruned_codes(np.array([-1, -1]), 1) == -1).all()


def test_ppt_mi_with_one_class_gives_zeros():
    X, Y = make_data()
    ranker = get_ranker("ppt_mi").fit(X, np.zeros_like(Y))
    np.testing.assert_array_equal(ranker.feature_importances_, 0.0)
    assert len(ranker.selected_) == 0


def test_ppt_mi_samples_rows():
    X, Y = make_data(300)
    one, two = (get_ranker("ppt_mi", max_samples=80, random_state=1).fit(X, Y) for _ in range(2))
    np.testing.assert_array_equal(one.feature_importances_, two.feature_importances_)
    assert set(one.selected_[:3]) == {0, 1, 2}


# ML-MI


def interaction(x, y, z):
    """I(X; Y) - I(X; Y | Z) of small codes."""
    return mutual_info_score(x, y) + mutual_info_score(x, z) - mutual_info_score(x, 10 * y + z)


def reference_ml_mi(X, Y, steps):
    """X is discrete."""

    def value(subset):
        *selected, x = X[:, subset].T
        found = sum(mutual_info_score(x, y) for y in Y.T) - sum(interaction(x, a, b) for a, b in combinations(Y.T, 2))
        return found - sum(interaction(x, s, y) for s, y in product(selected, Y.T))

    return plain_greedy(X.shape[1], steps, value)


@pytest.mark.parametrize("seed", range(4))
def test_ml_mi_equals_plain_greedy_search(seed):
    X, Y = make_data(50, 6, seed=seed, discrete=True)
    X[:, 4], X[:, 5] = X[:, 1], 1.0
    selected, reached = reference_ml_mi(X, Y, 6)
    ranker = get_ranker("ml_mi").fit(X, Y)
    np.testing.assert_allclose(ranker.utilities_, reached, atol=1e-10)
    np.testing.assert_array_equal(ranker.selected_, selected)
    short = get_ranker("ml_mi", n_greedy=2).fit(X, Y)
    np.testing.assert_array_equal(short.selected_, selected[:2])
    assert short.ranking_[selected[2]] == 3


def test_numeric_features_are_binned_by_equal_width():
    x = np.array([0.0, 1.0, 2.9, 3.1, 5.9, 6.1, 9.0, np.nan, 4.0])
    codes = [0, 0, 0, 1, 1, 2, 2, 3, 1]
    X = np.column_stack([x, codes])
    Y = np.array([[0, 1, 0, 1, 1, 0, 0, 1, 0]]).T.astype(float)
    found = label_information(Indicators(encode_features(X, categorical_features=[1]), 3), Y)
    assert found[0, 0] == pytest.approx(mutual_info_score(codes, Y[:, 0]))
    assert found[1, 0] == pytest.approx(found[0, 0])


# Memetic


def test_memetic_finds_relevant_features():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 30))
    Y = (X[:, [3, 7]] > 0).astype(float)
    ranker = get_ranker("memetic", budget=120, population_size=10, max_features=8, random_state=0).fit(X, Y)
    assert set(np.argsort(ranker.ranking_)[:2]) == {3, 7}
    assert {3, 7} <= set(ranker.selected_)
    assert ranker.n_evaluations_ == 120
    assert ranker.fitness_ > 0.9
    best = np.zeros(30, dtype=bool)
    best[ranker.selected_] = True
    assert ranker.feature_importances_[best].min() > ranker.feature_importances_[~best].max()


@pytest.mark.parametrize("scoring", ["macro_auc", "hamming_loss"])
def test_memetic_returns_best_evaluated_subset(monkeypatch, scoring):
    from sslrank.rankers.multilabel import memetic

    tried = []
    original = memetic._Fitness.try_

    def spy(self, subset):
        original(self, subset)
        tried.append((self.key(subset), subset.copy()))

    monkeypatch.setattr(memetic._Fitness, "try_", spy)
    X, Y = make_data(60, 12)
    ranker = MemeticRanker(budget=40, population_size=6, max_features=5, scoring=scoring, random_state=0).fit(X, Y)
    best = max(key for key, _ in tried)
    assert (best[0] if scoring == "macro_auc" else -best[0]) == ranker.fitness_
    assert len(ranker.selected_) == -best[1]
    assert max(subset.sum() for _, subset in tried) <= 5
    assert min(subset.sum() for _, subset in tried) >= 1


def test_memetic_stops_without_new_subsets():
    X, Y = make_data(30, 2)
    ranker = get_ranker("memetic", random_state=0).fit(X, Y)
    assert ranker.n_evaluations_ == 3
    one = get_ranker("memetic", random_state=0).fit(X[:, :1], Y)
    assert one.n_evaluations_ == 1


def test_memetic_needs_four_labelled_rows():
    X, Y = make_data()
    Y[3:] = np.nan
    with pytest.raises(ValueError, match="at least 4 labelled rows"):
        get_ranker("memetic").fit(X, Y)
