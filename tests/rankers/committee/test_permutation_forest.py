import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from sslrank import get_ranker
from sslrank.core.features import Features
from sslrank.rankers.committee.learners import learner_columns
from sslrank.rankers.committee.permutation_forest import PermutationForest, _single_precision, tree_losses

NAME = "permutation_importance"


def test_losses_match_the_definition():
    """One tree, rebuilt here; each feature is permuted in an untouched copy of the out-of-bag rows."""
    X, y = make_classification(150, 9, n_informative=4, random_state=1)
    X = X.astype(np.float32)
    design = learner_columns(Features(X.astype(np.float64), np.zeros(9, dtype=np.int32)))
    used, losses, oob, predicted = tree_losses(X, y, design, 3, seed=11)
    rng = np.random.default_rng(11)
    weights = np.bincount(rng.integers(0, 150, 150), minlength=150).astype(float)
    tree = DecisionTreeClassifier(max_features=3, random_state=11).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(oob, np.flatnonzero(weights == 0))
    np.testing.assert_array_equal(predicted, tree.predict(X[oob]))
    np.testing.assert_array_equal(used, np.unique(tree.tree_.feature[tree.tree_.feature >= 0]))
    for feature, loss in zip(used, losses, strict=True):
        copy = X[oob].copy()
        copy[:, feature] = copy[rng.permutation(len(oob)), feature]
        assert loss == pytest.approx(tree.score(X[oob], y[oob]) - tree.score(copy, y[oob]))


def test_informative_features_rank_first_and_noise_near_zero():
    X, y = make_classification(400, 20, n_informative=3, n_redundant=0, shuffle=False, random_state=2, class_sep=2)
    ranker = get_ranker(NAME, random_state=0).fit(X, y)
    assert set(np.argsort(ranker.ranking_)[:3]) == {0, 1, 2}
    assert ranker.feature_importances_[3:].max() < 0.2 * ranker.feature_importances_[:3].min()
    assert ranker.oob_score_ > 0.85
    scaled = get_ranker(NAME, random_state=0, scaled=True).fit(X, y)
    assert set(np.argsort(scaled.ranking_)[:3]) == {0, 1, 2}
    assert scaled.feature_importances_[:3].min() > 3


def test_indicators_of_a_nominal_feature_are_permuted_together():
    rng = np.random.default_rng(3)
    kinds = rng.integers(0, 5, 300)
    X = pd.DataFrame({"noise": rng.normal(size=300), "kind": pd.Categorical(kinds), "gap": rng.normal(size=300)})
    X.iloc[::5, 2] = np.nan
    importances = get_ranker(NAME, random_state=0).fit(X, kinds % 2).feature_importances_
    assert importances[1] > 0.3
    assert importances[1] > 5 * max(importances[0], importances[2])


def test_few_rows_and_single_class_are_accepted():
    ranker = get_ranker(NAME, random_state=0, n_estimators=3).fit(np.arange(6.0).reshape(3, 2), ["a", "a", None])
    np.testing.assert_array_equal(ranker.feature_importances_, [0, 0])
    one = get_ranker(NAME, random_state=0, n_estimators=2).fit(np.ones((2, 2)), np.array(["a", None], dtype=object))
    np.testing.assert_array_equal(one.feature_importances_, [0, 0])
    assert np.isnan(one.oob_score_)


def test_number_of_trees_follows_ssfi_paper():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 4)), np.repeat([0, 1], 6)
    fixed = get_ranker(NAME, n_estimators=70, random_state=1).fit(X, y)
    auto = get_ranker(NAME, n_estimators="auto", random_state=1).fit(X, y)  # 4 features: Eq. (1) gives 70
    assert (auto.feature_importances_ == fixed.feature_importances_).all()


@pytest.mark.parametrize("offset", [0.0, 1.7e9, 1e12])
def test_values_equal_in_float32_stay_distinct(offset):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 5))
    X[:, 2] = rng.permutation(120)
    y = (X[:, 2] >= 60).astype(int)
    X[:, 2] += offset
    X[0, 1] = np.nan
    assert PermutationForest(random_state=0, n_estimators=30).fit(X, y).ranking_[2] == 1


def test_other_values_are_cast_to_float32():
    values = np.array([[0.1, 1e300], [np.nan, 2.0], [0.3, -1e300]])
    np.testing.assert_array_equal(
        _single_precision(values), np.clip(values, *(np.finfo(np.float32).min, np.finfo(np.float32).max)).astype("f4")
    )
