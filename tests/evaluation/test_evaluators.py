import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sslrank.columns import Features, design_matrix, encode_features
from sslrank.evaluation import eca, error_curves, expected_curve, knn_score
from sslrank.evaluation.curves import random_curve
from sslrank.evaluation.evaluators import EVALUATORS, load_evaluator
from sslrank.predictors.estimators import fit_predict, make_predictor, quadratic_svm, training_targets
from sslrank.targets import TASKS, encode_targets


def problem(task, n=90, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    X[:, 5] = rng.integers(0, 3, n)
    X[rng.random(X.shape) < 0.05] = np.nan
    features = encode_features(X, [5])
    signal = np.nan_to_num(X)
    labels = np.column_stack([signal[:, 0] > -1, (signal[:, 0] > 0), signal[:, 1] > 0]).astype(float)
    y = {
        "classification": (signal[:, 0] > 0).astype(int) + (signal[:, 1] > 0),
        "str": signal[:, 0] + 0.1 * signal[:, 1],
        "mtr": signal[:, :2] + 0.1,
    }.get(task, labels)
    hierarchy = [[], [0], [0]] if task == "hmlc" else None
    return features, encode_targets(y, n, task=task, hierarchy=hierarchy)


# Evaluators take every kind of target unless they are listed here.
TASKS_OF = {"multilabel": ("mlc", "hmlc")}


@pytest.mark.parametrize(("name", "task"), [(n, t) for n in sorted(EVALUATORS) for t in TASKS_OF.get(n, TASKS)])
def test_every_evaluator_takes_its_tasks(name, task):
    features, targets = problem(task)
    train, test, labeled = np.arange(60), np.arange(60, 90), np.arange(0, 60, 2)
    args = (features, targets, train, test, labeled, np.array([5.0, 4, 3, 2, 1, -1]))
    rows = load_evaluator(name).evaluate(*args, {}, 0)
    assert rows
    for measure, size, value in rows:
        assert isinstance(measure, str)
        assert isinstance(size, int)
        assert isinstance(value, float)
        assert np.isfinite(value)
    assert rows == load_evaluator(name).evaluate(*args, {}, 0)


@pytest.mark.parametrize("name", sorted(EVALUATORS))
def test_labels_outside_of_the_labelled_rows_are_not_looked_at(name):
    task = TASKS_OF.get(name, ("classification",))[0]
    features, targets = problem(task)
    train, test, labeled = np.arange(60), np.arange(60, 90), np.arange(0, 60, 2)
    seen = np.isin(np.arange(90), np.r_[labeled, test])
    hidden = encode_targets(np.where(seen[:, None], targets.values, np.nan), 90, task=task)
    importances = np.arange(6.0)
    assert load_evaluator(name).evaluate(features, targets, train, test, labeled, importances, {}, 0) == load_evaluator(
        name
    ).evaluate(features, hidden, train, test, labeled, importances, {}, 0)


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


@pytest.mark.parametrize("trained_on", ["labeled", "all"])
def test_top_features_is_the_loop_of_algorithm_5(trained_on):
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    labeled = train[::3]
    importances = np.array([0.1, 0.2, 2.0, 1.0])
    rows = load_evaluator("top_features").evaluate(
        encode_features(X),
        encode_targets(y, 150),
        train,
        test,
        labeled,
        importances,
        {"train": trained_on},
        7,
    )
    known = labeled if trained_on == "labeled" else train
    expected = []
    scaled = (X - X[train].min(axis=0)) / np.ptp(X[train], axis=0)
    for size, columns in enumerate(([2], [2, 3], [2, 3, 1], [2, 3, 1, 0]), start=1):
        tree = DecisionTreeClassifier(random_state=7).fit(scaled[known][:, columns], y[known])
        expected.append(("accuracy", size, tree.score(scaled[test][:, columns], y[test])))
    assert rows == expected


def test_misspelt_settings_are_refused():
    features, targets = problem("str")
    args = (features, targets, np.arange(60), np.arange(60, 90), np.arange(30), np.ones(6))
    with pytest.raises(ValueError, match="unknown evaluator settings: neighbours"):
        load_evaluator("knn").evaluate(*args, {"neighbours": 3}, 0)
    with pytest.raises(ValueError, match="unknown predictor 'forest'"):
        load_evaluator("top_features").evaluate(*args, {"predictor": "forest"}, 0)
    with pytest.raises(ValueError, match="'svm' is for classification"):
        load_evaluator("top_features").evaluate(*args, {"predictor": "svm"}, 0)
    with pytest.raises(ValueError, match="train must be"):
        load_evaluator("top_features").evaluate(*args, {"train": "some"}, 0)
    unknown = encode_targets(np.full(90, np.nan), 90, task="str")
    with pytest.raises(ValueError, match="nothing to train"):
        load_evaluator("top_features").evaluate(features, unknown, *args[2:], {}, 0)


def test_design_matrix_by_hand():
    values = np.array([[0.0, 0, 1], [4.0, 2, np.nan], [np.nan, 1, 1], [8.0, np.nan, 0]])
    design = design_matrix(Features(values, np.array([0, 3, 2], dtype=np.int32)), np.array([0, 1, 2]))
    np.testing.assert_array_equal(design.starts, [0, 1, 4, 5])
    expected = [[0, 1, 0, 0, 1], [1, 0, 0, 1, 1], [0.5, 0, 1, 0, 1], [2, 1, 0, 0, 0]]
    np.testing.assert_array_equal(design.values, expected)
    np.testing.assert_array_equal(design.columns([1, 0]), [1, 2, 3, 0])


def test_predictors():
    forest = make_predictor(RandomForestClassifier(n_estimators=3), "classification", seed=5)
    assert forest.random_state == 5
    assert make_predictor("knn", "str", n_neighbors=3).n_neighbors == 3
    svm = make_predictor("svm", "classification", C=2.0)
    assert isinstance(svm, SVC)
    assert (svm.C, svm.degree, quadratic_svm().C) == (2.0, 2, 0.1)
    targets = encode_targets(np.array(["b", "a"]), 2)
    rows, y = training_targets(targets)
    only_b = fit_predict(svm, np.zeros((1, 1)), y[:1], np.zeros((2, 1)), targets)
    np.testing.assert_array_equal(only_b, [[0, 1], [0, 1]])
    np.testing.assert_array_equal(rows, [0, 1])


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
    features, targets = problem("classification")
    calls = []
    monkeypatch.setattr(load_evaluator("eca"), "random_curve", lambda *a, **k: calls.append(1) or random_curve(*a, **k))
    params = {"weightings": ["|delta|", "1/|S|"], "n_rankings": 2, "sizes": [1, 3]}
    for labeled in (np.arange(30), np.arange(20)):
        for importances in (np.arange(6.0), -np.arange(6.0)):
            load_evaluator("eca").evaluate(
                features, targets, np.arange(60), np.arange(60, 90), labeled, importances, params, 1
            )
    assert len(calls) == 2
