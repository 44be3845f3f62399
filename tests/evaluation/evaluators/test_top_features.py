"""A predictor on the best features, size by size."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation.evaluators import load_evaluator


@pytest.mark.parametrize("trained_on", ["labeled", "all"])
def test_top_features_equals_algorithm_5(trained_on):
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    labeled = train[::3]
    importances = np.array([0.1, 0.2, 2.0, 1.0])
    rows = load_evaluator("top_features").evaluate(
        encode_features(X), encode_targets(y, 150), train, test, labeled, importances, {"train": trained_on}, 7
    )
    known = labeled if trained_on == "labeled" else train
    expected = []
    scaled = (X - X[train].min(axis=0)) / np.ptp(X[train], axis=0)
    for size, columns in enumerate(([2], [2, 3], [2, 3, 1], [2, 3, 1, 0]), start=1):
        tree = DecisionTreeClassifier(random_state=7).fit(scaled[known][:, columns], y[known])
        expected.append(("accuracy", size, tree.score(scaled[test][:, columns], y[test])))
    assert rows == expected
