import json
from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import pytest
from scipy.stats import wilcoxon

from made_study import made_study
from sslrank.benchmark.results.tables.arena import datasets_needed
from sslrank.benchmark.results.tables.arena_meta import arena_choices, arena_dependence
from sslrank.benchmark.results.tables.arena_points import arena_halves, arena_points, arena_unlabeled, arena_yardsticks
from sslrank.benchmark.results.tables.times import ranking_seconds
from sslrank.datasets.arena import arena_part

DATASETS = {"madelon": "classification", "sonar": "classification", "digits": "classification", "pol": "regression"}
DATASETS |= {"mortgage": "regression", "car": "classification", "edm": "multitarget", "treasury": "regression"}
GAINS = {"forest": 10.0, "semi_supervised": 8.0, "scikit_forest": 9.0, "auto_before_classes": 7.0}
GAINS |= {"auto_before_others": 6.0, "random_1": 0.2, "random_2": -0.2}
SIZES = {"examples": range(100, 900, 100), "features": [500, 60, 64, 2000, 20, 6, 16, 34]}
CONTROLS, ORACLES = ("random_ranking",), {"oracle": 20.0, "oracle_sslrank": 18.0}


@pytest.fixture
def study():
    rows, status = [], []
    for number, (dataset, task) in enumerate(DATASETS.items()):
        for budget in ("20", "200"):
            for ranking, gain in {**GAINS, **dict.fromkeys(CONTROLS, 0.0), **ORACLES}.items():
                method = ranking if ranking in {*CONTROLS, *ORACLES} else "consensus"
                name = ranking if method == "consensus" else "genie3"
                spread = 0.001 * number if ranking == "semi_supervised" else 0.0
                value = 0.3 + gain / 100 + spread
                key = ("s", dataset, task, method, name, "ssl", budget, 0, "arena", "area")
                rows.append((*key, 60, value, 30, int(budget)))
                if name == "genie3" and dataset != "pol":  # which has more features than the evaluator looks at
                    model = (*key[:-1], "ridge all balanced_accuracy")
                    last = SIZES["features"][number] - 1
                    rows += [(*model, k, 0.4 if k == last else 0.1, 30, int(budget)) for k in (1, last)]
            details = json.dumps(
                {"seconds": {"forest": 1.0 + number, "scikit_forest": 2.0, "both": 3.0 + number, "random_1": 0.0}}
            )
            for method in ("consensus", *CONTROLS, *ORACLES):
                status.append((dataset, task, method, budget, "ssl", 0, "ok", 9.0, "", details))
    datasets = pd.DataFrame({"dataset": list(DATASETS), **SIZES})
    config = {"controls": [*CONTROLS, *ORACLES]}
    config["comparison"] = {"evaluator": "arena", "measure": "area", "spacing": "log"}
    return made_study(rows, status, methods=["consensus"], datasets=datasets, **config)


def test_points_are_relative_to_mean_random(study):
    table = arena_points(study)
    rankings = ["forest", "scikit_forest", "semi_supervised", "auto_before"]
    assert list(table.columns[6:]) == [*rankings, "oracle", "all_features"]
    row = table.set_index(["dataset", "L"]).loc[("pol", "200")]
    assert (row["rows"], row["features"], row["task"], row["part"]) == (400, 2000, "regression", "held out")
    assert (row["forest"], row["oracle"]) == (10.0, 20.0)
    assert np.isnan(row["all_features"])  # as the evaluator looks at 300
    assert table.set_index("dataset").loc["car", "all_features"].iloc[0] == 10.0
    assert (row["auto_before"], table.set_index("dataset").loc["car", "auto_before"].iloc[0]) == (6.0, 7.0)
    assert table["L"].tolist()[:2] == ["20", "200"]


def test_datasets_needed_for_a_test():
    # Cohen's d of 0.5: some 32 pairs for a power of 80 %.
    gains = np.random.default_rng(0).normal(size=1000)
    gains = (gains - gains.mean()) / gains.std(ddof=1) + 0.5
    assert datasets_needed(gains) == 32
    assert datasets_needed(np.array([0.1, -0.1]), 0.1) == 16
    assert np.isnan(datasets_needed(np.zeros(5)))


def test_ranking_seconds_use_members_or_fit(study):
    table = ranking_seconds(study)
    means = table[table["L"] == "20"].groupby("ranking")["seconds"].median()
    assert (means["forest"], means["scikit_forest"], means["semi_supervised"]) == (4.5, 2.0, 9.0)


def test_arena_halves_separate_chosen_and_held_out(study):
    table = arena_halves(study, ["forest", "auto_before", "missing"], "auto_before")
    sizes = table.drop_duplicates("part").set_index("part")["n_datasets"]
    assert sizes["held out"] == sum(arena_part(name) == "held out" for name in DATASETS)
    assert sizes["choose"] + sizes["held out"] == sizes["all"] == len(DATASETS)
    whole = table[(table["part"] == "held out") & (table["L"] == "all")].set_index("ranking")
    assert whole["average_rank"].to_dict() == {"forest": 1.0, "auto_before": 2.0}
    assert 3.0 <= whole.loc["forest", "difference"] <= 4.0
    assert whole.loc["forest", "points"] == pytest.approx(-whole.loc["auto_before", "points"])
    assert whole.loc["forest", "share"] == pytest.approx(10 / 20)


def test_reference_scores_are_oracles_and_all_features(study):
    table = arena_yardsticks(study, ["forest", "scikit_forest"]).set_index(["part", "L", "shape", "ranking"])
    whole = table.xs(("all", "all", "all"), level=("part", "L", "shape"))
    points = {"forest": 10, "scikit_forest": 9, "random": 0, "oracle": 20, "oracle_sslrank": 18, "all_features": 10}
    assert whole["points"].to_dict() == pytest.approx(points)
    assert whole["share"].tolist() == pytest.approx([0.5, 0.45, 0, 1, 0.9, 0.5])
    assert (whole.loc["oracle", "n_datasets"], whole.loc["all_features", "n_datasets"]) == (8, 7)
    assert table.loc[("all", "all", "wide", "all_features"), "n_datasets"] == 1


def test_semi_supervised_is_compared_with_supervised(study):
    table = arena_unlabeled(study)
    whole = table[(table[["part", "L", "task", "shape"]] == "all").all(axis=1)].set_index("ranking")
    gains = -2.0 + 0.1 * np.array([0, 1, 2, 3, 5.5, 5, 6])  # mortgage and treasury are one family
    assert whole.loc["semi_supervised", "mean"] == pytest.approx(gains.mean())
    pairs = [(first + second) / 2 for first, second in combinations_with_replacement(gains, 2)]
    assert whole.loc["semi_supervised", "difference"] == pytest.approx(np.median(pairs))
    assert whole.loc["semi_supervised", ["n_datasets", "n_families"]].tolist() == [8, 7]
    assert whole.loc["semi_supervised", "better"] == 0
    assert whole.loc["semi_supervised", "p_value"] == pytest.approx(wilcoxon(gains).pvalue)
    unpaired = replace(study, scores=study.scores[study.scores["ranking"] != "forest"])
    assert list(arena_unlabeled(unpaired)) == list(table)  # without rows


def test_choices_and_dependence_of_differences(study):
    pairs = [["semi_supervised", "forest"], ["forest", "missing"]]
    found = arena_dependence(study, pairs)
    assert found["second"].tolist() == ["forest"]
    assert found["icc"].tolist() == pytest.approx([1.0])  # a dataset has the same difference at every L
    choices = arena_choices(study, "forest", "auto_before", "scikit_forest").set_index(["choice", "L"])
    assert choices.loc[("better", "all"), "gain"] == pytest.approx(1.0)
    assert choices.loc[("better at other L", "20"), "gain"] == pytest.approx(1.0)
    assert choices.loc[("auto_before", "all"), "gain"] < -1.9
