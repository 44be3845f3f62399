"""Tables of several measures and classifiers, and times, on scores whose answers are known."""

import itertools

import pytest

from made_study import made_study
from sslrank.benchmark.results.tables import table_info


@pytest.fixture
def study():
    """Method "a" knows 10 % of the labels, "b" all; a classifier at k = 1 to 3 and on all features (0)."""
    rows, status = [], []
    for dataset, (method, bonus), budget, fold in itertools.product(
        ("d1", "d2"), (("a", 0.1), ("b", 0.0)), ("10pct", "all"), (0, 1)
    ):
        key = ("s", dataset, "multilabel", method, method, "ssl", budget, fold)
        for k in (1, 2, 3):
            auc = 0.5 + bonus + 0.01 * (3 - abs(k - 2)) + (0.05 if budget == "all" else 0.0)
            rows.append((*key, "top", "macro_auc", k, auc, 10, 5))
            rows.append((*key, "top", "hamming_loss", k, 0.3 - bonus, 10, 5))
        if method == "a" and budget == "10pct":
            rows.append((*key, "whole", "macro_auc", 0, 0.9 if fold else 0.7, 10, 5))
            rows.append((*key, "whole", "hamming_loss", 0, 0.4, 10, 5))
        seconds = {"a": 2.0, "b": 6.0}[method] * (2 if budget == "all" else 1)
        status.append((dataset, "multilabel", method, budget, "ssl", fold, "ok", seconds, "", "{}"))
    comparison = {"evaluator": "top", "measure": "macro_auc", "k": "mean", "L": {"a": "10pct", "default": "all"}}
    config = {"comparison": comparison, "figures": {}, "splits": {"L": ["10pct", "all"]}}
    return made_study(rows, status, methods=["a", "b"], **config)


def test_measures_at_one_k(study):
    table = table_info("measures_at").make(study, k=3, others={"baseline": {"evaluator": "whole"}})
    value = table.set_index(["measure", "dataset", "method"])["value"]
    assert len(value) == 2 * 2 * 3
    assert value["macro_auc", "d1", "a"] == pytest.approx(0.62)  # 10 % of the labels
    assert value["macro_auc", "d1", "b"] == pytest.approx(0.57)  # all labels
    assert value["hamming_loss", "d2", "a"] == pytest.approx(0.2)
    assert value["macro_auc", "d1", "baseline"] == pytest.approx(0.8)


def test_scores_before_and_after_selection(study):
    table = table_info("before_after").make(study, classifiers={"knn": ["top", "whole"]})
    found = table.set_index(["dataset", "selection"])
    assert found.loc[("d1", "before"), "auc"] == pytest.approx(0.8)
    assert found.loc[("d1", "before"), "spread"] == pytest.approx(0.1)
    assert found.loc[("d1", "after"), ["k", "auc"]].tolist() == pytest.approx([2, 0.63])
    assert len(table) == 4


def test_fit_seconds_at_each_methods_budget(study):
    table = table_info("fit_times").make(study).set_index(["dataset", "method"])
    assert table.loc[("d1", "a"), ["L", "seconds"]].tolist() == ["10pct", 2.0]
    assert table.loc[("d1", "b"), ["L", "seconds"]].tolist() == ["all", 12.0]
