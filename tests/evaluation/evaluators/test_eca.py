"""ECA of a fold: that of the public functions, with random curves shared."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from coded import coded_problem
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation import eca, error_curves, expected_curve
from sslrank.evaluation.curves import random_curve
from sslrank.evaluation.evaluators import load_evaluator


@pytest.mark.parametrize("predictor", ["knn", "svm", DecisionTreeClassifier(max_depth=3)])
def test_eca_is_that_of_the_public_functions(predictor):
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


def test_random_curves_are_shared_between_rankings(monkeypatch):
    features, targets = coded_problem("classification")
    calls = []
    monkeypatch.setattr(load_evaluator("eca"), "random_curve", lambda *a, **k: calls.append(1) or random_curve(*a, **k))
    params = {"weightings": ["|delta|", "1/|S|"], "n_rankings": 2, "sizes": [1, 3]}
    for labeled in (np.arange(30), np.arange(20)):
        for importances in (np.arange(6.0), -np.arange(6.0)):
            load_evaluator("eca").evaluate(
                features, targets, np.arange(60), np.arange(60, 90), labeled, importances, params, 1
            )
    assert len(calls) == 2


@pytest.mark.parametrize("part", ["features", "targets", "train", "test", "labeled", "seed", "settings"])
def test_random_curves_are_of_the_same_rows_seed_and_settings(monkeypatch, part):
    """Whatever random curves depend on, another one has other curves; also when objects are equal but not the same."""
    features, targets = coded_problem("classification")
    args = {"features": features, "targets": targets, "train": np.arange(60), "test": np.arange(60, 90)}
    args |= {"labeled": np.arange(30), "importances": np.arange(6.0), "seed": 1}
    args["params"] = {"weightings": ["|delta|"], "n_rankings": 2, "sizes": [1, 3]}
    other = {
        "features": coded_problem("classification", seed=1)[0],
        "targets": coded_problem("classification", seed=1)[1],
        "train": np.arange(50),
        "test": np.arange(60, 80),
        "labeled": np.arange(20),
        "seed": 2,
        "settings": args["params"] | {"n_rankings": 3},
    }[part]
    calls = []
    monkeypatch.setattr(load_evaluator("eca"), "random_curve", lambda *a, **k: calls.append(1) or random_curve(*a, **k))
    for _ in range(2):
        load_evaluator("eca").evaluate(**args)
    assert len(calls) == 1
    load_evaluator("eca").evaluate(**(args | {"params" if part == "settings" else part: other}))
    assert len(calls) == 2
