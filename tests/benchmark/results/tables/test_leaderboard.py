"""Leaderboard and pairs on scores whose answers are known."""

import itertools

import numpy as np
import pandas as pd
import pytest

from made_study import study_of
from sslrank.benchmark.results.tables import table_info
from sslrank.benchmark.results.tables.leaderboard import _mean_relative, first_contest, place

MEASURE = dict.fromkeys(("c1", "c2", "c3"), ("classification", "f1_macro"))
MEASURE |= dict.fromkeys(("s1", "s2"), ("regression", "rrmse"))
CONTROLS = ("random_ranking", "oracle")
LEVEL = {"good": 0.8, "fair": 0.6, "poor": 0.5, "random_ranking": 0.2, "oracle": 1.0}


def make(value=None, *, datasets=tuple(MEASURE), methods=("good", "fair", "poor"), failed=(), **config):
    """A study in which `value(dataset, method)` is the score, as a loss on regressions; a fold of `failed` has none."""
    value = value or (lambda dataset, method: LEVEL[method])

    def score(dataset, method, mode, budget, fold, k):
        if (dataset, method) in failed and fold == 0:
            return None
        found = value(dataset, method) - (0.01 if mode == "sl" else 0)
        return 1 - found if MEASURE[dataset][0] == "regression" else found

    tasks = {name: MEASURE[name] for name in datasets}
    names = {name: name for name in (*methods, *CONTROLS)}
    return study_of(score, tasks, names, L=("50", "150"), folds=3, controls=CONTROLS, titles={"good": "Good"}, **config)


def table(name, study):
    return table_info(name).make(study)


def part(found, mode="ssl", task="all"):
    return found[(found["mode"] == mode) & (found["task"] == task)]


def test_rankings_not_better_than_random_are_marked():
    """A lead that is the same on every fold is significant; one of zero and one below random are not."""
    level = LEVEL | {"fair": LEVEL["random_ranking"], "poor": 0.1}
    study = make(lambda dataset, method: level[method])
    scores = table("contest_scores", study).set_index(["entry", "dataset", "mode"])["better_than_random"]
    for dataset, mode in itertools.product(MEASURE, ("ssl", "sl")):
        found = [scores[name, dataset, mode] for name in ("good", "fair", "poor", "oracle")]
        assert found == [True, False, False, True]
        assert pd.isna(scores["random_ranking", dataset, mode])
    counts = part(table("leaderboard", study)).set_index("entry")["better_than_random"]
    assert counts[["good", "fair", "poor", "oracle"]].tolist() == [5, 0, 0, 5]
    assert pd.isna(counts["random_ranking"])


def test_dataset_with_one_fold_is_not_tested():
    study = make()
    study.scores = study.scores.query("dataset != 'c2' or fold == 0")
    study.status = study.status.query("dataset != 'c2' or fold == 0")
    better = table("contest_scores", study).groupby("dataset")["better_than_random"]
    assert better.count().gt(0).to_dict() == {"c1": True, "c2": False, "c3": True, "s1": True, "s2": True}
    board = part(table("leaderboard", study)).set_index("entry").loc["good"]
    assert board[["better_than_random", "n_tested", "n_datasets"]].tolist() == [4, 4, 5]


@pytest.fixture(scope="module")
def study():
    return make()


def test_leaderboard_values(study):
    found = part(table("leaderboard", study)).set_index("entry")
    assert found.index.tolist() == ["good", "fair", "poor", "random_ranking", "oracle"]
    assert found["average_rank"].fillna(0).tolist() == [1, 2, 3, 0, 0]
    assert found.loc["good", ["lower", "upper", "win_rate", "n_datasets"]].tolist() == [1, 1, 1, 5]
    np.testing.assert_allclose(found["relative"], [0.75, 0.5, 0.375, 0, 1])
    assert found["score"].isna().all()  # over two measures
    assert found["seconds"].tolist() == [1.0] * 5
    one = part(table("leaderboard", study), task="regression").set_index("entry")
    assert one.loc["good", ["measure", "score"]].tolist() == ["rrmse", pytest.approx(0.2)]
    assert one.loc["oracle", "control"]


def test_dataset_with_missing_fold_is_excluded():
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


def test_overall_leaderboard_has_entries_common_to_tasks():
    found = part(table("leaderboard", make(failed={("s1", "poor"), ("s2", "poor")})))
    assert found.loc[~found["control"], "entry"].tolist() == ["good", "fair"]
    assert found["n_datasets"].iloc[0] == 5


@pytest.mark.parametrize(("better", "relative"), [([True, False], 0.5), ([False, False], np.nan), ([None, None], 0.5)])
def test_relative_score_needs_a_significant_oracle(better, relative):
    """`better`: whether the oracle is significantly better than random rankings on each of two datasets."""
    rows = [
        (dataset, "regression", name, name, oriented, better[i] if name == "oracle" else None)
        for i, dataset in enumerate(("a", "b"))
        for name, oriented in (("good", 0.2), ("random_ranking", 0.1), ("oracle", 0.3))
    ]
    here = pd.DataFrame(rows, columns=["dataset", "task", "entry", "method", "oriented", "better_than_random"])
    here = here.assign(control=here["entry"] != "good", ranking=here["entry"], mode="ssl")
    assert _mean_relative(here)["good"] == pytest.approx(relative, nan_ok=True)


def test_ties_share_a_win():
    found = part(table("leaderboard", make(lambda dataset, method: 0.5)), task="classification")
    ranked = found[~found["control"]]
    assert ranked["win_rate"].tolist() == pytest.approx([1 / 3] * 3)
    assert ranked["average_rank"].tolist() == [2, 2, 2]
    assert found["relative"].isna().all()  # the oracle leads nobody


def test_pairs_table_values(study):
    found = table("pairs", study)
    one = part(found, task="regression").set_index(["first", "second"]).loc[("good", "fair")]
    assert (one.wins, one.ties, one.losses) == (2, 0, 0)
    assert one.mean_difference == pytest.approx(0.2)  # rrmse, oriented
    assert part(found)["mean_difference"].isna().all()
    assert set(found["mode"]) == {"ssl", "sl"}
    assert not set(CONTROLS) & set(found["first"])


@pytest.mark.parametrize("methods", [("good", "fair"), ("good",)])
def test_small_studies_have_tables(methods):
    study = make(datasets=("c1",), methods=methods)
    assert len(table("leaderboard", study)) == 2 * len(methods) + 4
    assert len(table("pairs", study)) == 2 * len(methods) - 2
    nothing = make(datasets=("c1",), methods=methods, failed={("c1", name) for name in methods})
    assert table("leaderboard", nothing).empty
    assert table("pairs", nothing).empty


def test_names_table_covers_all_tables(study):
    found = table("names", study).set_index(["kind", "name"])
    assert found.loc[("method", "good"), "title"] == "Good"
    assert found.loc[("measure", "rrmse"), "title"] == "Root relative squared error"
    scores = table("contest_scores", study)
    for column, kind in (("entry", "entry"), ("method", "method"), ("ranking", "ranking")):
        assert set(scores[column]) <= {name for of, name in found.index if of == kind}


def test_excluded_dataset_is_listed_but_not_compared():
    """The other form of a dataset does not count twice: neither in ranks nor in any test."""
    study = make(datasets=("c1", "c2", "c3"))
    study.comparison["excluded_datasets"] = ["c3"]
    scores = table("contest_scores", study)
    assert set(scores.loc[scores["counts"], "dataset"]) == {"c1", "c2"}
    assert "c3" in set(scores["dataset"])
    for name in ("leaderboard", "friedman", "ranking_ranks", "time_ranks", "pairs"):
        assert table(name, study)["n_datasets"].eq(2).all(), name


@pytest.mark.parametrize(("least_share", "has_poor"), [(2 / 3, True), (0.75, False)])
def test_incomplete_and_excluded_rankings_are_not_ranked(least_share, has_poor):
    study = make(failed={("c1", "poor")}, datasets=("c1", "c2", "c3"))
    study.comparison.update({"excluded_rankings": ["fair"], "least_share": least_share})
    board = part(table("leaderboard", study), task="classification")
    assert set(board.loc[~board["control"], "entry"]) == {"good", "poor"} - (set() if has_poor else {"poor"})
    assert board["n_datasets"].iloc[0] == (2 if has_poor else 3)
    assert place(board, "good") == (1, 1 + has_poor)
    assert (first_contest(table("leaderboard", study), "good")["task"] == "classification").all()
    assert (first_contest(table("leaderboard", make()), "good")["task"] == "all").all()
