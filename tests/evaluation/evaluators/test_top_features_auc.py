import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.metrics import average_precision_score, balanced_accuracy_score, r2_score
from sklearn.neighbors import KNeighborsClassifier

from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation.evaluators import computed
from sslrank.evaluation.evaluators.top_features_auc import evaluate
from sslrank.metrics.single import MEASURES, balanced_accuracy, label_average_precision, r2


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def judged(X, y, importances, n_labeled=40, **options):
    targets = encode_targets(y, len(X), task=options.pop("task", "auto"), hierarchy=options.pop("hierarchy", None))
    train, test = np.arange(len(X) * 2 // 3), np.arange(len(X) * 2 // 3, len(X))
    return evaluate(encode_features(X), targets, train, test, train[:n_labeled], importances, options, seed=3)


def points(found, name):
    return {size: value for measure, size, value in found if measure == name}


def test_good_ranking_has_larger_auc(rng):
    X = rng.normal(size=(300, 30))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    good = np.r_[1.0, 1.0, np.zeros(28)]
    for area in ("area", "area all", "area labeled"):
        best, worst = (points(judged(X, y, importances), area)[30] for importances in (good, -good))
        assert best > worst + 0.1
    assert points(judged(X, y, good), "area all")[30] > points(judged(X, y, good), "area labeled")[30]


def test_curve_points_match_scikit_learn(rng):
    X = rng.normal(size=(240, 12))
    y = rng.integers(0, 3, 240)
    X[np.arange(240), y] += 1.5
    importances = np.arange(12.0)[::-1]
    found = judged(X, y, importances, max_train=10_000)
    assert sorted(points(found, "ridge all balanced_accuracy")) == [1, 2, 3, 4, 6, 8, 11]
    train, test = slice(0, 160), slice(160, 240)
    Z = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    for size in (4, 11):
        nearest = KNeighborsClassifier(5).fit(Z[train, :size], y[train]).predict_proba(Z[test, :size])
        expected = MEASURES["balanced_accuracy"](encode_targets(y[test], 80), nearest)  # classes may have equal votes
        assert points(found, "neighbors all balanced_accuracy")[size] == pytest.approx(expected)
        # scikit-learn's balanced weights have the mean 1, too.
        linear = RidgeClassifier(class_weight="balanced").fit(Z[train, :size], y[train]).predict(Z[test, :size])
        expected = balanced_accuracy_score(y[test], linear)
        assert points(found, "ridge all balanced_accuracy")[size] == pytest.approx(expected)


def test_regression_uses_r2_clipped_at_0(rng):
    X = rng.normal(size=(150, 8))
    y = X[:, 0] + 0.1 * rng.normal(size=150)
    found = judged(X, y, np.arange(8.0)[::-1])
    Z = (X - X[:100].mean(axis=0)) / X[:100].std(axis=0)
    expected = r2_score(y[100:], Ridge().fit(Z[:100, :1], y[:100]).predict(Z[100:, :1]))
    assert points(found, "ridge all r2")[1] == pytest.approx(expected)
    assert min(value for *_, value in found) >= 0


def test_some_of_many_labels_are_scored(rng):
    X, Y = rng.normal(size=(120, 6)), (rng.normal(size=(120, 40)) > 0.5).astype(float)
    Y[7, 3] = np.nan
    found = judged(X, Y, np.arange(6.0), task="multilabel")
    assert (list(dict.fromkeys(measure for measure, *_ in found)), None) == computed(
        "top_features_auc", {}, "multilabel"
    )
    assert np.isfinite([value for *_, value in found]).all()


def test_measures_match_scikit_learn(rng):
    true, guess = rng.integers(0, 4, 50), rng.integers(0, 5, 50)
    true[true == 2] = 3
    hits = pd.Series(true == guess).groupby(true).mean()
    assert balanced_accuracy(true, guess) == pytest.approx(hits.mean())
    Y, scores = rng.integers(0, 2, (50, 4)), rng.integers(0, 4, (50, 4)) / 4
    assert label_average_precision(Y, scores) == pytest.approx(average_precision_score(Y, scores, average="macro"))
    T, P = rng.normal(size=(30, 3)), rng.normal(size=(30, 3))
    assert r2(T, P) == pytest.approx(r2_score(T, P))
    assert np.isnan([balanced_accuracy([], []), r2(np.ones(3), np.ones(3)), label_average_precision(Y * 0, Y)]).all()
