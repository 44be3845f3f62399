import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from sslrank import PCTForestRanker, get_ranker
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.rankers.distilled import PENALTIES, ridge_predict, soft_targets, taught_targets


@pytest.fixture
def data():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 12))
    y = (X[:, 3] + X[:, 7] + 0.3 * rng.normal(size=300) > 0).astype(int)
    y[40:] = -1
    return X, y


def test_soft_targets_are_class_shares(data):
    X, y = data
    ranker = get_ranker("distilled", n_estimators=40, random_state=0).fit(X, y)
    soft = ranker.soft_targets_
    assert soft.shape == (300, 2)
    np.testing.assert_allclose(soft.sum(axis=1), 1, atol=0.05)  # but for the cuts of the ridge regression
    assert (soft.argmax(axis=1)[:40] == y[:40]).mean() > 0.95
    assert set(np.argsort(ranker.ranking_)[:2]) == {3, 7}
    alone = get_ranker("distilled", n_estimators=10, random_state=0, supervised=True).fit(X, y)
    assert alone.soft_targets_.shape == (40, 2)


def test_knn_teacher_is_vote_of_five_neighbours(data, monkeypatch):
    X, y = data
    monkeypatch.setattr(PCTForestRanker, "predict_coded", lambda *_: 0.0)
    monkeypatch.setattr("sslrank.rankers.distilled.ridge_predict", lambda *_: 0.0)
    soft = soft_targets(encode_features(X), encode_targets(y, 300), np.arange(40), 1, seed=0)
    scaled = MinMaxScaler().fit(X[:40]).transform(X)
    expected = KNeighborsClassifier(5).fit(scaled[:40], y[:40]).predict_proba(scaled)
    np.testing.assert_allclose(4 * soft, expected)


def test_importances_are_a_forest_on_soft_targets(data):
    X, y = data
    ranker = get_ranker("distilled", n_estimators=100, random_state=0).fit(X, y)
    forest = RandomForestRegressor(100, max_features=4, min_samples_leaf=2, random_state=0).fit(X, ranker.soft_targets_)
    shares = ranker.feature_importances_ / ranker.feature_importances_.sum()
    np.testing.assert_allclose(shares, forest.feature_importances_, atol=0.06)


def test_ridge_teacher_equals_scikit_learn():
    rng = np.random.default_rng(2)
    X, Y = rng.normal(size=(50, 4)), rng.normal(size=(50, 3))
    Y[:10, 2] = np.nan
    known = encode_targets(Y, 50)
    found = ridge_predict(encode_features(X), known, np.arange(50))
    scaled = MinMaxScaler().fit_transform(X)
    np.testing.assert_allclose(found[:, :2], RidgeCV(PENALTIES).fit(scaled, Y[:, :2]).predict(scaled))
    np.testing.assert_allclose(found[:, 2], RidgeCV(PENALTIES).fit(scaled[10:], Y[10:, 2]).predict(scaled))


def test_own_teacher_predicts_every_row(data):
    X, y = data
    scaled = MinMaxScaler().fit(X[:40]).transform(X)
    own = LogisticRegression(C=3.0)
    ranker = get_ranker("distilled", teacher=own, n_estimators=10, random_state=0).fit(X, y)
    shares = LogisticRegression(C=3.0).fit(scaled[:40], y[:40]).predict_proba(scaled)
    np.testing.assert_allclose(ranker.soft_targets_, shares)
    assert not hasattr(own, "classes_")
    hard = get_ranker("distilled", teacher=LinearSVC(), n_estimators=10, random_state=0).fit(X, y).soft_targets_
    assert sorted(np.unique(hard)) == [0.0, 1.0]
    Y = np.column_stack([X[:, 0] - X[:, 1], X[:, 2]])
    Y[40:] = np.nan
    Y[:20, 1] = np.nan
    soft = get_ranker("distilled", teacher=LinearRegression(), n_estimators=5, random_state=0).fit(X, Y).soft_targets_
    np.testing.assert_allclose(soft, np.column_stack([X[:, 0] - X[:, 1], X[:, 2]]), atol=1e-6)


def test_teachers_accept_constant_labels_and_absent_classes(data):
    X, _ = data
    Y = np.column_stack([X[:, 0] > 0, np.ones(300)]).astype(float)
    Y[30:] = np.nan
    teacher = DecisionTreeClassifier()
    soft = get_ranker("distilled", teacher=teacher, task="multilabel", n_estimators=5, random_state=0).fit(X, Y)
    assert soft.soft_targets_[:, 1].tolist() == [1.0] * 300
    targets = encode_targets(["a", "b", "c", "c"], 4)
    shares = taught_targets(teacher, encode_features(np.arange(4.0)[:, None]), targets, np.array([0, 2, 3]), seed=0)
    assert (shares.shape, shares[:, 1].tolist(), shares.sum(axis=1).tolist()) == ((4, 3), [0.0] * 4, [1.0] * 4)
