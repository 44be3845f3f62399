"""Leaderboard and pairs on scores whose answers are known."""

import itertools

import numpy as np
import pandas as pd
import pytest

from made_study import made_study
from sslrank.benchmark.results.tables import table_info
from sslrank.benchmark.results.tables.leaders import _mean_relative, first_contest, place

MEASURE = {"classification": "f1_macro", "regression": "rrmse"}
LEVEL = {"good": 0.8, "fair": 0.6, "poor": 0.5, "random_ranking": 0.2, "oracle": 1.0}
TASK = {"c1": "classification", "c2": "classification", "c3": "classification", "s1": "regression", "s2": "regression"}


def make(value=None, *, datasets=tuple(TASK), methods=("good", "fair", "poor"), failed=(), L=("50", "150"), whole=()):
    """A study in which `value(dataset, method)` is the score, as a loss on regressions; `failed` fits have none.

    The datasets in `whole` have one fold.
    """
    value = value or (lambda dataset, method: LEVEL[method])
    rows, status = [], []
    for dataset, method, mode, budget, fold in itertools.product(
        datasets, (*methods, "random_ranking", "oracle"), ("ssl", "sl"), L, range(3)
    ):
        if dataset in whole and fold:
            continue
        task, lost = TASK[dataset], (dataset, method) in failed and fold == 0
        score = value(dataset, method) - (0.01 if mode == "sl" else 0)
        score = 1 - score if task == "regression" else score
        if not lost:
            key = ("s", dataset, task, method, method, mode, budget, fold, "knn", MEASURE[task], 20)
            rows.append((*key, score, 10, int(budget)))
        outcome = "failed" if lost else "ok"
        status.append((dataset, task, method, budget, mode, fold, outcome, 1.0 + fold, "", "{}"))
    config = {"controls": ["random_ranking", "oracle"], "splits": {"L": list(L)}, "titles": {"good": "Good"}}
    facts = pd.DataFrame({"dataset": list(datasets), "examples": 30})
    return made_study(rows, status, methods=methods, modes=("ssl", "sl"), datasets=facts, **config)


def table(name, study):
    return table_info(name).make(study)


def part(found, mode="ssl", task="all"):
    return found[(found["mode"] == mode) & (found["task"] == task)]


def test_what_is_not_better_than_a_random_ranking_is_known():
    """A lead that is the same on every fold is significant; one of zero and one below random are not."""
    level = LEVEL | {"fair": LEVEL["random_ranking"], "poor": 0.1}
    study = make(lambda dataset, method: level[method])
    scores = table("contest_scores", study).set_index(["entry", "dataset", "mode"])["better_than_random"]
    for dataset, mode in itertools.product(TASK, ("ssl", "sl")):
        found = [scores[name, dataset, mode] for name in ("good", "fair", "poor", "oracle")]
        assert found == [True, False, False, True]
        assert pd.isna(scores["random_ranking", dataset, mode])
    counts = part(table("leaderboard", study)).set_index("entry")["better_than_random"]
    assert counts[["good", "fair", "poor", "oracle"]].tolist() == [5, 0, 0, 5]
    assert pd.isna(counts["random_ranking"])


def test_a_dataset_with_one_fold_is_not_tested():
    study = make(whole=("c2",))
    better = table("contest_scores", study).groupby("dataset")["better_than_random"]
    assert better.count().gt(0).to_dict() == {"c1": True, "c2": False, "c3": True, "s1": True, "s2": True}
    board = part(table("leaderboard", study)).set_index("entry").loc["good"]
    assert board[["better_than_random", "n_tested", "n_datasets"]].tolist() == [4, 4, 5]


def test_the_leaderboard():
    found = part(table("leaderboard", make())).set_index("entry")
    assert found.index.tolist() == ["good", "fair", "poor", "random_ranking", "oracle"]
    assert found["average_rank"].fillna(0).tolist() == [1, 2, 3, 0, 0]
    assert found.loc["good", ["lower", "upper", "win_rate", "n_datasets"]].tolist() == [1, 1, 1, 5]
    np.testing.assert_allclose(found["relative"], [0.75, 0.5, 0.375, 0, 1])
    assert found["score"].isna().all()  # over two measures
    assert found["seconds"].tolist() == [2.0] * 5
    one = part(table("leaderboard", make()), task="regression").set_index("entry")
    assert one.loc["good", ["measure", "score"]].tolist() == ["rrmse", pytest.approx(0.2)]
    assert one.loc["oracle", "control"]


def test_a_dataset_on_which_a_entry_lacks_a_fold_counts_for_nobody():
    study = make(failed={("c1", "fair")})
    found = part(table("leaderboard", study), task="classification").set_index("entry")
    assert found["n_datasets"].tolist() == [2] * 5
    scores = table("contest_scores", study)
    lost = scores[(scores["dataset"] == "c1") & (scores["entry"] == "fair")]
    assert not lost["counts"].any()
    assert (lost["missing"] == 2).all()
    assert lost["relative"].isna().all()
    pairs = part(table("pairs", study), task="classification").set_index(["first", "second"])
    assert pairs.loc[("good", "poor"), "n_datasets"] == 3  # a pair that lacks nothing keeps the dataset
    assert pairs.loc[("good", "fair"), "n_datasets"] == 2


@pytest.mark.parametrize(("better", "relative"), [([True, False], 0.5), ([False, False], np.nan), ([None, None], 0.5)])
def test_shares_of_an_oracle_that_leads_by_chance_are_not_told(better, relative):
    """`better`: whether the oracle is significantly better than random rankings on each of two datasets."""
    rows = [
        (dataset, "regression", name, name, turned, better[i] if name == "oracle" else None)
        for i, dataset in enumerate(("a", "b"))
        for name, turned in (("good", 0.2), ("random_ranking", 0.1), ("oracle", 0.3))
    ]
    here = pd.DataFrame(rows, columns=["dataset", "task", "entry", "method", "turned", "better_than_random"])
    here = here.assign(control=here["entry"] != "good", ranking=here["entry"], mode="ssl")
    assert _mean_relative(here)["good"] == pytest.approx(relative, nan_ok=True)


def test_ties_share_a_win():
    found = part(table("leaderboard", make(lambda dataset, method: 0.5)), task="classification")
    ranked = found[~found["control"]]
    assert ranked["win_rate"].tolist() == pytest.approx([1 / 3] * 3)
    assert ranked["average_rank"].tolist() == [2, 2, 2]
    assert found["relative"].isna().all()  # the oracle leads nobody


def test_pairs_of_the_study():
    found = table("pairs", make())
    one = part(found, task="regression").set_index(["first", "second"]).loc[("good", "fair")]
    assert (one.wins, one.ties, one.losses) == (2, 0, 0)
    assert one.mean_difference == pytest.approx(0.2)  # rrmse, turned
    assert part(found)["mean_difference"].isna().all()
    assert set(found["mode"]) == {"ssl", "sl"}
    assert not {"oracle", "random_ranking"} & set(found["first"]) | set()


@pytest.mark.parametrize("name", ["contest_scores", "leaderboard", "pairs"])
def test_small_studies(name):
    table(name, make(datasets=("c1",), methods=("good", "fair")))
    table(name, make(datasets=("c1",), methods=("good",)))
    nothing = make(datasets=("c1",), methods=("good", "fair"), failed={("c1", "good"), ("c1", "fair")})
    assert table(name, nothing).empty or name == "contest_scores"


def test_names_of_everything_in_the_tables():
    study = make()
    found = table("names", study).set_index(["kind", "name"])
    assert found.loc[("method", "good"), "title"] == "Good"
    assert found.loc[("measure", "rrmse"), "title"] == "Root relative squared error"
    assert found.loc[("task", "all"), "title"] == "All kinds of target"
    assert found.loc[("entry", "oracle"), "control"]
    scores = table("contest_scores", study)
    for column, kind in (("entry", "entry"), ("method", "method"), ("ranking", "ranking")):
        assert set(scores[column]) <= {name for of, name in found.index if of == kind}


def test_a_dataset_beside_the_comparison_is_listed_and_takes_no_part():
    """The other form of a dataset does not count twice: neither in ranks nor in any test."""
    study = make(datasets=("c1", "c2", "c3"))
    study.comparison["excluded_datasets"] = ["c3"]
    scores = table("contest_scores", study)
    assert scores[~scores["control"]].groupby("dataset")["counts"].all().to_dict() == {
        "c1": True,
        "c2": True,
        "c3": False,
    }
    for name in ("leaderboard", "friedman", "ranking_ranks", "time_ranks", "pairs"):
        assert table(name, study)["n_datasets"].eq(2).all(), name


def test_rankings_on_too_few_datasets_and_those_that_were_tried_take_no_part():
    study = make(failed={("c1", "poor")}, datasets=("c1", "c2", "c3"))
    study.comparison["excluded_rankings"] = ["fair"]
    assert part(table("leaderboard", study), task="classification")["n_datasets"].iloc[0] == 2
    study = make(failed={("c1", "poor")}, datasets=("c1", "c2", "c3"))
    study.comparison.update({"excluded_rankings": ["fair"], "least_share": 2 / 3})
    assert "poor" in set(table("leaderboard", study)["entry"])
    study = make(failed={("c1", "poor")}, datasets=("c1", "c2", "c3"))
    study.comparison.update({"excluded_rankings": ["fair"], "least_share": 0.75})
    board = part(table("leaderboard", study), task="classification")
    assert board["entry"].tolist()[0] == "good"
    assert not {"fair", "poor"} & set(board["entry"])
    assert place(board, "good") == (1, 1)
    assert (first_contest(table("leaderboard", study), "good")["task"] == "classification").all()
