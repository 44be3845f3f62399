"""Every evaluator: accepted tasks, the labels it may use, and scores that are those of public functions."""

import itertools

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from coded import coded_problem, knn_score
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.core.tasks import DATASET_TASKS
from sslrank.evaluation import eca, error_curves, expected_curve
from sslrank.evaluation.evaluators import EVALUATORS, load_evaluator
from sslrank.evaluation.evaluators.eca import DEFAULTS

# Evaluators take every kind of target unless they are listed here.
TASKS_OF = {"multilabel": ("multilabel", "hierarchical")}
#: Training, test and labelled rows of a coded problem.
ROWS = np.arange(60), np.arange(60, 90), np.arange(0, 60, 2)
X, Y = load_iris(return_X_y=True)
TRAIN, TEST = np.arange(0, 150, 2), np.arange(1, 150, 2)


def scores_on_iris(name, importances, params, labeled=TRAIN, seed=0):
    data = encode_features(X), encode_targets(Y, 150), TRAIN, TEST, labeled
    return load_evaluator(name).evaluate(*data, np.array(importances), params, seed)


@pytest.mark.parametrize(("name", "task"), [(n, t) for n in sorted(EVALUATORS) for t in TASKS_OF.get(n, DATASET_TASKS)])
def test_evaluators_accept_their_tasks(name, task):
    args = (*coded_problem(task), *ROWS, np.array([5.0, 4, 4, 2, 2, -1]))
    rows = load_evaluator(name).evaluate(*args, {}, 0)
    assert rows
    for measure, size, value in rows:
        assert isinstance(measure, str)
        assert isinstance(size, int)
        assert isinstance(value, float)
        assert np.isfinite(value)
    assert rows == load_evaluator(name).evaluate(*args, {}, 0)


@pytest.mark.parametrize("name", sorted(set(EVALUATORS) - {"top_features_auc"}))  # which also judges with all labels
def test_evaluators_ignore_hidden_labels(name):
    task = TASKS_OF.get(name, ("classification",))[0]
    features, targets = coded_problem(task)
    seen = np.isin(np.arange(90), np.concatenate(ROWS[1:]))
    hidden = encode_targets(np.where(seen[:, None], targets.values, np.nan), 90, task=task)
    first, second = (
        load_evaluator(name).evaluate(features, known, *ROWS, np.arange(6.0), {}, 0) for known in (targets, hidden)
    )
    assert first == second


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("knn", {"neighbours": 3}, "unknown evaluator settings: neighbours"),
        ("knn", {"test_labels": "some"}, "test_labels must be one of 'all', 'as_train', got 'some'"),
        ("top_features", {"predictor": "forest"}, "unknown predictor 'forest'"),
        ("top_features", {"predictor": "svm"}, "'svm' is for classification"),
        ("top_features", {"train": "some"}, "train must be"),
        ("top_features_auc", {"sizes": 3}, "unknown evaluator settings: sizes"),
    ],
)
def test_invalid_settings_are_refused(name, params, message):
    with pytest.raises(ValueError, match=message):
        load_evaluator(name).evaluate(*coded_problem("regression"), *ROWS, np.ones(6), params, 0)


def test_rows_without_labels_are_refused():
    features, _ = coded_problem("regression")
    unknown = encode_targets(np.full(90, np.nan), 90, task="regression")
    with pytest.raises(ValueError, match="nothing to train"):
        load_evaluator("top_features").evaluate(features, unknown, *ROWS, np.ones(6), {}, 0)


@pytest.mark.parametrize("predictor", ["knn", "svm", DecisionTreeClassifier(max_depth=3)])
def test_eca_equals_public_functions(predictor):
    importances = [0.1, 0.2, 2.0, 1.0]
    params = {"predictor": predictor, "weightings": ["1", "|delta|"], "n_rankings": 5}
    options = {"cv": [(TRAIN, TEST)], "random_state": 3}
    curves = error_curves(predictor, X, Y, importances, **options)
    expected = expected_curve(predictor, X, Y, n_rankings=5, **options)
    columns = ["curve", "size", "value"]
    points = [(f"{c.lower()} accuracy", s, v) for c, s, v in zip(*(curves[c] for c in columns), strict=True)]
    areas = [("eca[1] accuracy", 4, eca(curves)), ("eca[|delta|] accuracy", 4, eca(curves, expected, "|delta|"))]
    assert scores_on_iris("eca", importances, params, seed=3) == points + areas
    short = scores_on_iris("eca", importances, {"curves": False, "sizes": [2, 1.5]}, seed=3)
    assert [measure for measure, *_ in short] == ["eca[1] accuracy"]
    assert DEFAULTS["n_rankings"] == 100  # of the paper


@pytest.mark.parametrize("trained_on", ["labeled", "all"])
def test_top_features_equals_algorithm_5(trained_on):
    labeled = TRAIN[::3]
    known = labeled if trained_on == "labeled" else TRAIN
    expected = []
    scaled = (X - X[TRAIN].min(axis=0)) / np.ptp(X[TRAIN], axis=0)
    for size, columns in enumerate(([2], [2, 3], [2, 3, 1], [2, 3, 1, 0]), start=1):
        tree = DecisionTreeClassifier(random_state=7).fit(scaled[known][:, columns], Y[known])
        expected.append(("accuracy", size, tree.score(scaled[TEST][:, columns], Y[TEST])))
    assert scores_on_iris("top_features", [0.1, 0.2, 2.0, 1.0], {"train": trained_on}, labeled, 7) == expected


def test_knn_equals_public_score():
    importances = np.array([0.1, 0.0, 2.0, 1.0])
    values = [("f1_macro", k, knn_score(X[TRAIN], Y[TRAIN], X[TEST], Y[TEST], importances, k)) for k in (3, 9)]
    assert scores_on_iris("knn", importances, {"n_neighbors": [3, 9]}) == values


def test_test_rows_keep_the_training_share_of_labels():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(120, 2)), rng.normal(size=120)
    X[0], X[9] = 9.0, -9.0  # the evaluator's ranges are those of all training rows; these two have the largest values
    train, test, labeled = np.arange(90), np.arange(90, 110), np.arange(0, 90, 9)  # 10 of 90, so 2 of 20
    data = encode_features(X), encode_targets(y, 120, task="regression"), train, test, labeled

    def value(seed, **params):
        return load_evaluator("knn").evaluate(*data, np.ones(2), {"n_neighbors": 1, **params}, seed)[0][2]

    def rrmse_of(rows):
        return knn_score(X[labeled], y[labeled], X[rows], y[rows], np.ones(2), task="regression", n_neighbors=1)

    few = value(5, test_labels="as_train")
    assert few == value(5, test_labels="as_train")
    pairs = [rrmse_of(list(rows)) for rows in itertools.combinations(test, 2)]
    assert np.isclose(pairs, few, rtol=1e-12).any()
    assert len({value(seed, test_labels="as_train") for seed in range(5)}) > 1
    assert value(5) == value(6) == pytest.approx(rrmse_of(test))
