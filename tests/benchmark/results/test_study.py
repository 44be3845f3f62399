"""Curves, areas, entries and the tables made of them, on scores whose answers are known."""

import inspect

import numpy as np
import pandas as pd
import pytest

from made_study import study_of
from sslrank.benchmark.report.figures import critical_distance_figures
from sslrank.benchmark.results.study import _entry_names
from sslrank.benchmark.results.tables import TABLES, table_info, table_words
from sslrank.benchmark.steps.compare_published import CompareJob, compare_published_job
from sslrank.benchmark.steps.tables import write_tables

COMPARISON = {"evaluator": "knn", "measure": None, "k": None, "spacing": "linear", "families": {"forest": ["rf", "et"]}}


def make(value, task="classification", measure="f1_macro", datasets=("d1", "d2", "d3")):
    """A study in which `value(dataset, method, mode, L, fold, k)` is the score."""
    return study_of(
        value,
        dict.fromkeys(datasets, (task, measure)),
        {"rf": "genie3", "et": "genie3", "relief": "relief"},
        L=("50", "100", "200"),
        folds=2,
        sizes=(20, 40),
        n_test={0: 30},
        seconds={"rf": 1.0, "et": 2.0, "relief": 3.0},
        comparison=COMPARISON,
    )


def test_curves_and_areas_are_weighted_means_at_the_largest_k():
    study = make(lambda d, m, mode, budget, fold, k: (budget / 200 + fold) * (k == 40))
    curves = study.curves()
    first = curves[(curves["dataset"] == "d1") & (curves["method"] == "rf") & (curves["mode"] == "ssl")]
    assert first["value"].tolist() == pytest.approx([0.25 + 0.25, 0.5 + 0.25, 1.0 + 0.25])
    area = study.areas()["area"].iloc[0]
    assert area == pytest.approx((50 * 0.625 + 100 * 1.0) / 150)


def test_best_method_represents_its_family():
    better = {"rf": 0.5, "et": 0.6, "relief": 0.55}
    study = make(lambda d, m, mode, budget, fold, k: better[m])
    chosen = study.entries(study.areas())
    assert set(chosen["method"]) == {"et", "relief"}
    assert set(chosen["entry"]) == {"genie3", "relief"}
    ranks = table_info("ranking_ranks").make(study).set_index("ranking")["average_rank"]
    assert ranks.to_dict() == {"genie3": 1.0, "relief": 2.0}


def test_method_with_one_ranking_keeps_its_name():
    pairs = [("forest", "genie3"), ("impurity", "genie3"), ("vote", "genie3"), ("vote", "mean"), ("bagging", "f")]
    chosen = pd.DataFrame(pairs, columns=["method", "ranking"])
    family_of = dict.fromkeys(["forest", "bagging"], "ensembles")
    assert _entry_names(chosen, family_of) == ["forest genie3", "impurity", "vote genie3", "mean", "f"]


def test_ranking_names_are_unique_across_methods():
    chosen = pd.DataFrame([("lasso", "l1"), ("vote", "lasso"), ("vote", "mean")], columns=["method", "ranking"])
    assert _entry_names(chosen, {}) == ["l1", "lasso", "mean"]
    shared = pd.DataFrame([("lasso", "lasso"), ("vote", "lasso"), ("vote", "mean")], columns=["method", "ranking"])
    assert _entry_names(shared, {}) == ["lasso", "vote lasso", "mean"]


def test_supervised_rankings_have_ranks():
    study = make(lambda d, m, mode, budget, fold, k: float(m == "relief"))
    study.scores = study.scores[study.scores["mode"] == "sl"]
    ranks = table_info("ranking_ranks").make(study).set_index("ranking")["average_rank"]
    assert ranks.to_dict() == {"relief": 1, "genie3": 2}


def test_tasks_are_compared_by_their_own_measures():
    good = make(lambda d, m, mode, budget, fold, k: 0.5 + 0.1 * (m == "et"))
    low = make(lambda d, m, mode, budget, fold, k: 0.5 - 0.1 * (m == "et"), "regression", "rrmse", ("e1", "e2"))
    good.scores = pd.concat([good.scores, low.scores], ignore_index=True)
    table = table_info("ranking_ranks").make(good).set_index(["task", "ranking"])
    assert table.loc[("all", "genie3"), "average_rank"] == 1
    assert table.loc[("all", "genie3"), "n_datasets"] == 5
    drawn = dict(critical_distance_figures(good))
    assert set(drawn) == {"classification", "regression", "all"}


def test_global_share_counts_positive_differences():
    sign = {"d1": 1, "d2": 1, "d3": -1}
    study = make(lambda d, m, mode, budget, fold, k: sign[d] * k * (mode == "ssl"))
    table = table_info("global_share").make(study)
    assert table["share_delta_positive"].tolist() == pytest.approx([2 / 3])
    other_best = make(lambda d, m, mode, budget, fold, k: float((k == 40) == (m == "rf")))
    n_rankings = table_info("global_share").make(other_best)["n_rankings"]
    assert n_rankings.tolist() == table["n_rankings"].tolist() == [6]  # no pair is left out


def test_time_ranks_by_hand():
    study = make(lambda *_: 0.0)
    ranks = table_info("time_ranks").make(study, L=[50])
    assert ranks.set_index("method")["average_rank"].to_dict() == {"rf": 1, "et": 2, "relief": 3}
    assert set(ranks["L"]) == {"50"}
    assert set(table_info("family_time_ranks").make(study)["ensemble"]) == {"rf", "et"}


def test_missing_score_excludes_the_dataset():
    study = make(lambda d, m, *_: None if (d, m) == ("d2", "relief") else 0.5 + 0.1 * (m == "et"))
    table = table_info("friedman").make(study)
    assert table["n_datasets"].tolist() == [2]
    assert table["note"].tolist() == ["a test needs two datasets and three rankings; left out: d2"]
    pairs = table_info("nemenyi").make(study)
    assert pairs[["first", "second"]].to_numpy().tolist() == [["genie3", "relief"]]


@pytest.mark.parametrize("name", TABLES)
def test_table_description_equals_docstring(name):
    title, options, about = table_words(name)
    made = table_info(name)
    assert title == made.title
    assert options == list(inspect.signature(made.make).parameters)[1:]
    assert about == " ".join(made.make.__doc__.partition("\n\n")[0].split())
    assert ":`" not in about  # pages show it as it is


@pytest.mark.parametrize("name", sorted(TABLES))
def test_tables_of_an_empty_study_are_empty_but_valid(name):
    study = make(lambda *_: 0.0)
    study.scores, study.status = study.scores.iloc[:0], study.status.iloc[:0]
    if name == "dataset_statistics":
        study.datasets = pd.DataFrame({"task": [], "dataset": []})
    elif name.startswith("arena"):
        study.datasets = pd.DataFrame({"task": [], "dataset": [], "features": [], "examples": []})
    required = {
        "arena_halves": {"rankings": ["genie3", "relief"], "against": "relief"},
        "arena_yardsticks": {"rankings": ["relief"]},
        "arena_dependence": {"pairs": [["genie3", "relief"]]},
        "arena_choices": {"first": "genie3", "second": "relief", "vote": "both"},
        "scores_by_size": {"sizes": [20, 40]},
    }
    table = table_info(name).make(study, **required.get(name, {}))
    assert len(table) == 0
    assert set(table_info(name).keys) <= set(table.columns)


def test_modes_may_use_different_evaluators():
    study = make(lambda d, m, mode, budget, fold, k: 1.0)
    other = study.scores.assign(evaluator="other", value=3.0)
    study.scores = pd.concat([study.scores, other], ignore_index=True)
    areas = study.areas(evaluator={"ssl": "other", "sl": "knn"})
    assert set(areas.loc[areas["mode"] == "ssl", "area"]) == {3.0}
    assert set(areas.loc[areas["mode"] == "sl", "area"]) == {1.0}


def test_table_axis_may_differ_from_study():
    study = make(lambda d, m, mode, budget, fold, k: float(mode == "ssl" and str(budget) == "200"))
    delta = table_info("ssl_minus_sl").make(study, spacing="index")["delta"]
    assert set(delta) == {0.25}  # on the linear axis a third


def test_variants_are_compared_separately(tmp_path):
    study = make(lambda d, m, mode, budget, fold, k: k / 40 * (mode == "ssl"), datasets=("d1", "d2"))
    block = {"function": "ssl_minus_sl_by_budget", "options": {}, "variants": {"far": {"k": 40}, "near": {"k": 20}}}
    write_tables(study, tmp_path / "tables", {"readings": block})
    made = pd.read_csv(tmp_path / "tables/readings.csv")
    assert made.groupby("variant")["delta"].unique().map(list).to_dict() == {"far": [1.0], "near": [0.5]}

    published = tmp_path / "published.csv"
    published.write_text("task,dataset,ranking,delta\nclassification,D1,Genie3,0.9\n", encoding="utf-8")
    block |= {"title": "Readings", "published": [published]}
    files = {"made": tmp_path / "tables", "spelling": tmp_path / "names.yaml"}
    files |= {name: tmp_path / name for name in ("compared", "figures")}
    compare_published_job(CompareJob(**files, blocks={"readings": block}, datasets={}))
    cells = pd.read_csv(tmp_path / "compared/readings.csv")
    assert cells.set_index("variant")["reproduced"].to_dict() == {"far": 1.0, "near": 0.5}
    summary = pd.read_csv(tmp_path / "compared/readings.agreement.csv")
    assert summary["variant"].tolist() == ["far", "near"]


def test_method_with_missing_folds_is_marked_and_excluded():
    """et has the values of rf but failed in one of six fits on d1, so d1 is left out of ranks and tests."""

    def value(*fit):
        _, method, _, budget, fold, _ = fit
        return None if fit[:-1] == ("d1", "et", "ssl", 50, 1) else fold + budget / 100 + (method == "relief")

    study = make(value)
    study.config["comparison"] = COMPARISON | {"families": {}}
    areas = table_info("areas").make(study)
    assert areas.loc[areas["missing"] > 0, ["dataset", "method", "mode", "missing"]].to_numpy().tolist() == [
        ["d1", "et", "ssl", 1]
    ]
    ranks = table_info("ranking_ranks").make(study).set_index("ranking")
    assert set(ranks["n_datasets"]) == {2}
    assert ranks.loc["rf", "average_rank"] == ranks.loc["et", "average_rank"]
    assert table_info("friedman").make(study)["note"].tolist() == ["left out: d1"]
    delta = table_info("ssl_minus_sl").make(study)
    assert not ((delta["dataset"] == "d1") & (delta["method"] == "et")).any()


def test_budget_without_scores_is_missing():
    study = make(lambda d, m, mode, budget, fold, k: fold + budget)
    scores = study.scores
    study.scores = scores[~((scores["method"] == "relief") & (scores["L"] == "200"))]
    areas = study.areas()
    assert areas.groupby("method")["missing"].first().to_dict() == {"et": 0, "relief": 2, "rf": 0}


def test_differences_by_L():
    """Each L has the difference of its own scores."""
    study = make(lambda d, m, mode, budget, fold, k: budget / 100 if mode == "ssl" else 0.25)
    found = table_info("ssl_minus_sl_by_budget").make(study)
    assert found.groupby("L")["delta"].agg(["min", "max"]).loc[["50", "100", "200"]].to_numpy().tolist() == [
        *([0.25, 0.25], [0.75, 0.75], [1.75, 1.75])
    ]
    assert len(found) == 3 * 2 * 3  # datasets, rankings (one method for the family) and L
    assert found["L"].tolist() == ["50", "100", "200"] * 6


def test_scores_by_size():
    """Scores are listed for each number of features."""
    study = make(lambda d, m, mode, budget, fold, k: k / 100 + (m == "rf"))
    found = table_info("scores_by_size").make(study, sizes=[20, 40], name="accuracy")
    means = found.pivot_table(index="method", columns="k", values="accuracy")
    assert means.loc["relief"].tolist() == pytest.approx([0.2, 0.4])
    assert means.loc["rf"].tolist() == pytest.approx([1.2, 1.4])


def test_dataset_ranks_average_to_the_table():
    better = {"rf": 0.5, "et": 0.6, "relief": 0.55}
    study = make(lambda d, m, mode, budget, fold, k: -better[m] if d == "d3" else better[m])
    ranks = table_info("family_dataset_ranks").make(study).query("mode == 'ssl' and ensemble == 'et'")
    assert ranks.set_index("dataset")["rank"].to_dict() == {"d1": 1, "d2": 1, "d3": 2}
    average = table_info("family_ranks").make(study).query("mode == 'ssl' and ensemble == 'et'")
    assert average["average_rank"].item() == pytest.approx(4 / 3)
    assert average["n_datasets"].item() == 3
    ranks = table_info("dataset_ranks").make(study).query("ranking == 'relief'")
    assert ranks.set_index("dataset")["rank"].to_dict() == {"d1": 2, "d2": 2, "d3": 1}


@pytest.mark.parametrize(("measure", "task", "sign"), [("f1_macro", "classification", 1), ("rrmse", "regression", -1)])
def test_chosen_supervision_levels_by_hand(measure, task, sign):
    # The forests of fold 0 chose w = 1 and gain 0.1, those of fold 1 chose 0 and gain 0.3; relief chooses none.
    gain = {0: 0.1, 1: 0.3}
    study = make(lambda d, m, mode, budget, fold, k: gain[fold] * (mode == "ssl"), task, measure)
    fold = study.status["fold"]
    study.status["details"] = np.where(fold == 0, '{"supervision": 1.0}', '{"supervision": 0.0}')
    table = table_info("chosen_levels").make(study)
    assert table["n_forests"].tolist() == [2 * 3 * 2] * 3
    assert table[["share_of_one", "share_of_zero", "mean_level"]].to_numpy().tolist() == [[0.5, 0.5, 0.5]] * 3
    assert table["delta"].tolist() == pytest.approx([sign * 0.2] * 3)
    assert table["delta_below_one"].tolist() == pytest.approx([sign * 0.3] * 3)
    assert table_info("ssl_minus_sl").make(study)["delta"].to_numpy() == pytest.approx(sign * 0.15)  # 30 and 10 rows
