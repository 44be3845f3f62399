"""The kNN evaluator is the public score."""

import numpy as np
from sklearn.datasets import load_iris

from sslrank.columns import encode_features
from sslrank.evaluation import knn_score
from sslrank.evaluation.evaluators import load_evaluator
from sslrank.targets import encode_targets


def test_knn_is_the_public_score():
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    importances = np.array([0.1, 0.0, 2.0, 1.0])
    rows = load_evaluator("knn").evaluate(
        encode_features(X),
        encode_targets(y, 150),
        train,
        test,
        train,
        importances,
        {"n_neighbors": [3, 9]},
        0,
    )
    scores = knn_score(X[train], y[train], X[test], y[test], importances, n_neighbors=[3, 9])
    assert rows == [("f1_macro", k, value) for k, value in scores.items()]
