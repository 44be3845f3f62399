"""Every evaluator: accepted tasks, returned scores, and the labels it may use."""

import numpy as np
import pytest

from coded import coded_problem
from sslrank.core.targets import encode_targets
from sslrank.core.tasks import DATASET_TASKS
from sslrank.evaluation.evaluators import EVALUATORS, load_evaluator

# Evaluators take every kind of target unless they are listed here.
TASKS_OF = {"multilabel": ("multilabel", "hierarchical")}


@pytest.mark.parametrize(("name", "task"), [(n, t) for n in sorted(EVALUATORS) for t in TASKS_OF.get(n, DATASET_TASKS)])
def test_evaluators_accept_their_tasks(name, task):
    features, targets = coded_problem(task)
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


@pytest.mark.parametrize("name", sorted(set(EVALUATORS) - {"top_features_auc"}))  # which also judges with all labels
def test_evaluators_ignore_hidden_labels(name):
    task = TASKS_OF.get(name, ("classification",))[0]
    features, targets = coded_problem(task)
    train, test, labeled = np.arange(60), np.arange(60, 90), np.arange(0, 60, 2)
    seen = np.isin(np.arange(90), np.r_[labeled, test])
    hidden = encode_targets(np.where(seen[:, None], targets.values, np.nan), 90, task=task)
    importances = np.arange(6.0)
    assert load_evaluator(name).evaluate(features, targets, train, test, labeled, importances, {}, 0) == load_evaluator(
        name
    ).evaluate(features, hidden, train, test, labeled, importances, {}, 0)


def test_misspelt_settings_are_refused():
    features, targets = coded_problem("regression")
    args = (features, targets, np.arange(60), np.arange(60, 90), np.arange(30), np.ones(6))
    with pytest.raises(ValueError, match="unknown evaluator settings: neighbours"):
        load_evaluator("knn").evaluate(*args, {"neighbours": 3}, 0)
    with pytest.raises(ValueError, match="unknown predictor 'forest'"):
        load_evaluator("top_features").evaluate(*args, {"predictor": "forest"}, 0)
    with pytest.raises(ValueError, match="'svm' is for classification"):
        load_evaluator("top_features").evaluate(*args, {"predictor": "svm"}, 0)
    with pytest.raises(ValueError, match="train must be"):
        load_evaluator("top_features").evaluate(*args, {"train": "some"}, 0)
    unknown = encode_targets(np.full(90, np.nan), 90, task="regression")
    with pytest.raises(ValueError, match="nothing to train"):
        load_evaluator("top_features").evaluate(features, unknown, *args[2:], {}, 0)
