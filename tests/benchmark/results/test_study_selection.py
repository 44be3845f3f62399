"""Selection of scores by evaluator, measure, k and L, and the tables of scores and pairs."""

import itertools

import numpy as np
import pytest

from made_study import made_study
from sslrank.benchmark.report.figures import curves_figures, feature_page
from sslrank.benchmark.results.study import is_higher_better
from sslrank.benchmark.results.tables import table_info


def make(value, **comparison):
    """A study of two evaluators in which `value(dataset, method, L, fold, k)` is the score of the first."""
    rows = []
    for dataset, method, budget, fold in itertools.product(("d1", "d2", "d3"), "ab", ("10pct", "all"), (0, 1)):
        key = ("s", dataset, "classification", method, method, "ssl", budget, fold)
        sizes = 10, 5 if budget == "10pct" else 20  # test rows, labels
        rows += [(*key, "top", "accuracy", k, value(dataset, method, budget, fold, k), *sizes) for k in (1, 2, 3)]
        rows.append((*key, "eca", "eca[1] rrmse", 7 if dataset == "d1" else 4, 0.25, *sizes))
    block = {"evaluator": "top", "measure": "accuracy", "L": None} | comparison
    config = {"splits": {"L": ["10pct", "all"]}, "figures": {"kind": "features"}}
    return made_study(rows, methods=["a", "b"], comparison=block, **config)


def test_mean_over_k_by_hand():
    study = make(lambda d, m, budget, fold, k: np.nan if k == 1 else k + 10 * fold, k="mean")
    assert set(study.selected()["value"]) == {2.5, 12.5}
    assert set(study.areas()["area"]) == {7.5}
    assert set(study.areas(k=3)["area"]) == {8}


def test_budgets_may_differ_by_method():
    study = make(lambda d, m, budget, fold, k: 1.0, L={"a": "10pct", "default": "all"})
    found = study.selected().groupby("method")["L"].unique().map(list)
    assert found.to_dict() == {"a": ["10pct"], "b": ["all"]}
    assert set(study.selected(L="10pct")["L"]) == {"10pct"}
    assert set(study.selected(L=["10pct", "all"])["L"]) == {"10pct", "all"}


def test_other_evaluator_uses_its_measure_and_largest_k():
    study = make(lambda d, m, budget, fold, k: 1.0, k=2)
    found = study.selected(evaluator="eca")
    assert set(found["measure"]) == {"eca[1] rrmse"}
    assert found.groupby("dataset")["k"].first().to_dict() == {"d1": 7, "d2": 4, "d3": 4}
    assert set(study.areas(evaluator="eca")["higher_is_better"]) == {True}


def test_measure_directions():
    measures = ["accuracy", "eca[1] rrmse", "my own", "rrmse", "ffa rrmse", "expected rrmse", "hamming_loss"]
    assert list(map(is_higher_better, measures)) == [True] * 3 + [False] * 4


def test_scores_with_standard_error():
    study = make(lambda d, m, budget, fold, k: 0.5 + 0.2 * fold, k="mean")
    table = table_info("method_scores").make(study, name="accuracy", L="all")
    assert len(table) == 6
    assert set(table["accuracy"].round(12)) == {0.6}
    assert table["spread"].tolist() == pytest.approx([np.std([0.5, 0.7], ddof=1) / np.sqrt(2)] * 6)
    assert set(table["n_folds"]) == {2}


def test_one_score_is_a_curve():
    study = make(lambda d, m, budget, fold, k: 1.0, budgets=["all"], methods=["a"], k=1)
    ((name, figure),) = curves_figures(study, ["d1", "nothing"], ["main"])
    assert (name, figure.axes[0].get_title(loc="left")) == ("d1-main", "d1 (classification)")


def test_all_feature_curves_are_drawn():
    study = make(lambda d, m, budget, fold, k: 1.0)
    figure = feature_page(study, ["d1", "nothing"])
    assert [ax.get_title(loc="left") for ax in figure.axes if ax.get_visible()] == ["d1"]
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["a, L 10pct", "a, L all", "b, L 10pct", "b, L all"]
    assert feature_page(study, ["nothing"]) is None
