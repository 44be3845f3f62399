"""Random error curves that the rankings of a dataset share."""

import itertools

import pandas as pd

from prepared import save_toy
from sslrank.benchmark.scoring import score_rankings, shared_table
from sslrank.datasets.dataset import Dataset
from sslrank.evaluation.evaluators import is_shared
from sslrank.evaluation.evaluators.eca import evaluate
from sslrank.model_selection.folds import Splits


def test_shared_curves_equal_own_curves(tmp_path):
    save_toy(tmp_path, folds=2)
    data, splits = Dataset.load(tmp_path / "data"), Splits.load(tmp_path / "splits.json")
    params = {"predictor": "tree", "n_rankings": 3, "expected": True, "weightings": ["1", "|delta|"]}
    rows = [
        (mode, fold, "r", name, float(5 - i))
        for (mode, fold), (i, name) in itertools.product([("ssl", 0), ("ssl", 1)], enumerate("abcd"))
    ]
    rankings = {"10": pd.DataFrame(rows, columns=["mode", "fold", "ranking", "feature", "importance"])}
    shared = shared_table(data, splits, ["10"], "eca", params=params, seed=3)
    assert shared.groupby(["L", "fold"]).size().tolist() == [4, 4]
    found = [
        list(score_rankings(data, splits, rankings, evaluate, params=params, seed=3, shared=table))
        for table in (None, shared)
    ]
    assert found[0] == found[1]
    assert {row["measure"] for row in found[0]} >= {"expected accuracy", "eca[|delta|] accuracy"}


def test_curves_are_shared_only_when_needed():
    assert not is_shared("knn")
    assert not is_shared("eca")
    assert is_shared("eca", {"expected": True})
    assert is_shared("eca", {"weightings": ["1/|S|"]})
    assert not is_shared("eca", {"weightings": ["1"]})
