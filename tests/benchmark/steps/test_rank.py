"""Ranking and scoring jobs without Snakemake, on every kind of target."""

import json

import numpy as np
import pandas as pd
import pytest

from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.scoring import score_rankings
from sslrank.core.base import BaseRanker
from sslrank.core.tasks import DATASET_TASKS
from sslrank.datasets.dataset import Dataset
from sslrank.evaluation.evaluators import load_evaluator
from sslrank.model_selection.splits import make_splits

TWO_FOLDS = {"scheme": "cross-validation", "folds": 2, "budgets": ["all"]}
FOREST = {
    "ranker": "genie3",
    "params": {"n_estimators": 4, "supervision": 0.5},
    "rankings": ["genie3", "symbolic", "random_forest"],
}


def make(task, n=50):
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd"))
    X["kind"] = pd.Categorical(rng.choice(["u", "v"], size=n))
    signal = X["a"].to_numpy() + 0.2 * rng.normal(size=n)
    hierarchy = None
    if task == "classification":
        y, names = np.where(signal > 0, "p", "q").astype(object), ["class"]
    elif task == "regression":
        y, names = signal, ["t"]
    elif task == "survival":
        y, names = np.column_stack([np.exp(signal), X["b"] < 0.5]), ["t", "event"]
    elif task == "multitarget":
        y, names = np.column_stack([signal, X["b"]]), ["t", "u"]
    else:
        first = (signal > 0).astype(float)
        y, names = np.column_stack([first, first * (X["b"] > 0), 1.0 - first]), ["l", "m", "n"]
        hierarchy = [[], [0], []] if task == "hierarchical" else None
    return Dataset(task, task, X, y, names, hierarchy)


@pytest.fixture(scope="module", params=DATASET_TASKS)
def problem(request):
    dataset = make(request.param)
    splits = make_splits(
        dataset.y,
        task=dataset.task,
        dataset=dataset.name,
        scheme="ssl-cross-validation",
        folds=2,
        budgets=["12", "all"],
    )
    return dataset, splits


def test_every_task_is_ranked_and_scored(problem):
    dataset, splits = problem
    rankings, status = rank_dataset(dataset, splits, "12", FOREST, seed=1)
    assert set(status["status"]) == {"ok"}, status["message"].tolist()
    assert len(rankings) == 2 * 2 * 3 * 5  # folds, modes, rankings, features
    ssl, sl = (part["importance"].to_numpy() for _, part in rankings.groupby("mode", sort=False))
    assert not np.allclose(ssl, sl)
    assert json.loads(json.dumps(status["details"].iloc[0]))
    evaluate = load_evaluator("knn").evaluate
    rows = list(score_rankings(dataset, splits, {"12": rankings}, evaluate, params={"n_neighbors": [3, 5]}))
    assert len(rows) == 2 * 2 * 3 * 2
    assert all(np.isfinite(row["value"]) for row in rows)
    assert {row["n_labeled"] for row in rows} == {12}


def test_missing_rankings_are_reported(problem):
    dataset, splits = problem
    spec = {**FOREST, "params": {**FOREST["params"], "ensemble": "extra_trees", "bootstrap": False}}
    rankings, status = rank_dataset(dataset, splits, "12", spec, modes=["ssl"])
    assert set(status["status"]) == {"ok"}
    assert status["message"].str.contains("no ranking random_forest").all()
    assert set(rankings["ranking"]) == {"genie3", "symbolic"}


def test_unsupported_task_is_not_a_failure():
    dataset = make("multitarget")
    splits = make_splits(dataset.y, task="multitarget", dataset="many", **TWO_FOLDS)
    rankings, status = rank_dataset(dataset, splits, "all", {"ranker": "ssl_laplacian", "params": {}})
    assert len(rankings) == 0
    assert set(status["status"]) == {"unsupported"}
    assert "does not support targets of kind 'multitarget'" in status["message"].iloc[0]


class Spread(BaseRanker):
    """A user's ranker with an __init__ of its own, which takes nothing of the dataset."""

    tasks = frozenset({"regression"})

    def __init__(self, n_features_to_select=None, categorical_features=None, n_jobs=None, random_state=None):
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def rank_coded(self, features, targets):
        return np.nanstd(features.values, axis=0)


def test_own_ranker_receives_task_and_method_name():
    dataset = make("regression")
    dataset = Dataset("ages", "regression", dataset.X, np.round(10 * dataset.y), ["age"], None)  # whole, but no classes
    splits = make_splits(dataset.y, task="regression", dataset="ages", **TWO_FOLDS)
    own = {"name": "mine", "ranker": f"{__name__}:Spread", "params": {}}
    rankings, status = rank_dataset(dataset, splits, "all", own)
    assert dict(status.groupby("mode")["status"].unique().map(list)) == {"sl": ["unsupported"], "ssl": ["ok"]}
    assert set(rankings["ranking"]) == {"mine"}


def test_oracle_uses_all_labels(problem):
    dataset, splits = problem
    oracle = FOREST | {"rankings": ["genie3"], "labels": "all"}
    few, every = (rank_dataset(dataset, splits, budget, oracle, seed=1)[0] for budget in ("12", "all"))
    plain = rank_dataset(dataset, splits, "all", FOREST | {"rankings": ["genie3"]}, seed=1)[0]
    pd.testing.assert_frame_equal(few, every)
    pd.testing.assert_frame_equal(every, plain)
    hidden = rank_dataset(dataset, splits, "12", FOREST | {"rankings": ["genie3"]}, seed=1)[0]
    assert not np.allclose(hidden["importance"], few["importance"])
