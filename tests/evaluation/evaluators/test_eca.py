"""ECA of a fold: that of the public functions, with random curves shared."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation import eca, error_curves, expected_curve
from sslrank.evaluation.evaluators import load_evaluator
from sslrank.evaluation.evaluators.eca import DEFAULTS


@pytest.mark.parametrize("predictor", ["knn", "svm", DecisionTreeClassifier(max_depth=3)])
def test_eca_evaluator_equals_public_functions(predictor):
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    importances = np.array([0.1, 0.2, 2.0, 1.0])
    features, targets = encode_features(X), encode_targets(y, 150)
    params = {"predictor": predictor, "weightings": ["1", "|delta|"], "n_rankings": 5}
    rows = load_evaluator("eca").evaluate(features, targets, train, test, train, importances, params, 3)
    options = {"cv": [(train, test)], "random_state": 3}
    curves = error_curves(predictor, X, y, importances, **options)
    expected = expected_curve(predictor, X, y, n_rankings=5, **options)
    columns = ["curve", "size", "value"]
    points = [(f"{c.lower()} accuracy", s, v) for c, s, v in zip(*(curves[c] for c in columns), strict=True)]
    assert rows[:8] == points
    assert rows[8:] == [
        ("eca[1] accuracy", 4, eca(curves)),
        ("eca[|delta|] accuracy", 4, eca(curves, expected, "|delta|")),
    ]
    again = load_evaluator("eca").evaluate(features, targets, train, test, train, importances, params, 3)
    assert again == rows
    short = load_evaluator("eca").evaluate(
        features, targets, train, test, train, importances, {"curves": False, "sizes": [2, 1.5]}, 3
    )
    assert [measure for measure, *_ in short] == ["eca[1] accuracy"]


def test_expected_curve_of_an_evaluator_is_of_a_hundred_rankings():
    assert DEFAULTS["n_rankings"] == 100
