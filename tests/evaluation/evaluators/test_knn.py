"""The kNN evaluator is the public score."""

import itertools

import numpy as np
import pytest
from sklearn.datasets import load_iris

from coded import knn_score
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation.evaluators import load_evaluator


def test_knn_evaluator_equals_public_score():
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    importances = np.array([0.1, 0.0, 2.0, 1.0])
    rows = load_evaluator("knn").evaluate(
        encode_features(X), encode_targets(y, 150), train, test, train, importances, {"n_neighbors": [3, 9]}, 0
    )
    values = [knn_score(X[train], y[train], X[test], y[test], importances, k) for k in (3, 9)]
    assert rows == [("f1_macro", k, value) for k, value in zip((3, 9), values, strict=True)]


def test_test_rows_keep_the_training_share_of_labels():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(120, 2)), rng.normal(size=120)
    train, test, labeled = np.arange(90), np.arange(90, 110), np.arange(0, 90, 9)  # 10 of 90, so 2 of 20
    data = encode_features(X), encode_targets(y, 120, task="regression")

    def value(seed, **params):
        rows = load_evaluator("knn").evaluate(
            *data, train, test, labeled, np.ones(2), {"n_neighbors": 1, **params}, seed
        )
        return rows[0][2]

    def rrmse_of(rows):
        return knn_score(X[labeled], y[labeled], X[rows], y[rows], np.ones(2), task="regression", n_neighbors=1)

    wide = X.copy()  # the evaluator's ranges are those of all training rows; these two have the largest values
    wide[0], wide[9] = 9.0, -9.0
    X, data = wide, (encode_features(wide), data[1])
    few = value(5, test_labels="as_train")
    assert few == value(5, test_labels="as_train")
    pairs = [rrmse_of(list(rows)) for rows in itertools.combinations(test, 2)]
    assert np.isclose(pairs, few, rtol=1e-12).any()
    assert len({value(seed, test_labels="as_train") for seed in range(5)}) > 1
    assert value(5) == value(6) == pytest.approx(rrmse_of(test))
    with pytest.raises(ValueError, match="test_labels must be one of 'all', 'as_train', got 'some'"):
        value(5, test_labels="some")
