"""Functions of the templates of findings."""

import numpy as np
import pandas as pd
import pytest

from sslrank.benchmark.report import expressions
from sslrank.benchmark.report.front_figures import KINDS, front_figures


def test_mean_interval_matches_formula():
    assert expressions.mean_interval([0.5] * 7) == "0.5000 to 0.5000"
    low, high = map(float, expressions.mean_interval(np.r_[np.zeros(50), np.ones(50)], 2).split(" to "))
    assert (low, high) == (0.4, 0.6)


def test_spearman_ranks_within_task():
    rows = pd.DataFrame({"task": ["a"] * 2 + ["b"] * 3, "published": [1, 2, 1, 2, 3], "reproduced": [2, 1, 3, 2, 1]})
    assert expressions.spearman(expressions.within(rows, "task")) == pytest.approx(-1)
    assert expressions.spearman(rows) > -1


def test_room_means_averages_over_budgets():
    columns = ["variant", "task", "dataset", "L", "supervised", "semi_supervised", "room", "flat"]
    values = [("a", "t", "d", 50, 0.1, 0.4, 0.5, False), ("a", "t", "d", 200, 0.3, 0.2, 0.1, True)]
    means = expressions.room_means(pd.DataFrame(values, columns=columns), "a")
    assert means.loc["d", ["room", "gain", "flat"]].tolist() == pytest.approx([0.3, 0.1, 0.5])


def test_sign_test_ignores_zeros():
    assert expressions.sign_p(pd.Series([1.0] * 6 + [0.0])) == pytest.approx(2 / 2**6)
    assert expressions.sign_p([0.0]) == 1


def test_intervals_are_over_datasets():
    assert expressions.share_interval(pd.Series([True, True, False], index=pd.Index(list("aab"), name="dataset"))) == (
        "0 to 100 %"
    )
    first = pd.Series(np.arange(12.0))
    assert expressions.spearman_interval(first, -first) == "-1.00 to -1.00"
    rows = pd.DataFrame({"dataset": list("aabb"), "method": list("xyxy"), "value": [2.0, 1.0, 2.0, 1.0]})
    assert expressions.counts_interval(rows, expressions.wins, "x", "y", "value") == "2 to 2"


@pytest.mark.parametrize(("flipped", "expected"), [(0, "1.00 to 1.00"), (4, "-1.00 to -1.00")])
def test_interval_of_a_rank_correlation(flipped, expected):
    ranks = pd.DataFrame(
        [
            ("a", name, f"d{i}", 3 - rank if i < flipped else rank)
            for i in range(4)
            for name, rank in (("x", 1), ("y", 2))
        ],
        columns=["task", "ranking", "dataset", "rank"],
    )
    published = pd.DataFrame({"task": "a", "ranking": ["x", "y"], "published": [1.2, 1.8]})
    assert expressions.rank_interval(ranks, published, ["ranking"]) == expected


def test_tie_counts_as_leading():
    rows = pd.DataFrame(
        [("own", "str", "x", 1.5), ("own", "str", "y", 1.5), ("other", "str", "x", 1.0), ("other", "str", "y", 2.0)],
        columns=["variant", "task", "ranking", "reproduced"],
    )
    assert expressions.leads_in_variant(rows, "own", "str", "y")
    assert not expressions.leads_in_variant(rows, "other", "str", "y")
    assert expressions.leads_in_variant(rows, None, "str", "y")


def test_counts_losses_to_best_other_and_baseline():
    values = {"all": (3.0, 2.0, 1.0), "one": (3.0, 0.0, 1.0), "none": (0.0, 0.0, 1.0), "loss": (0.0, 0.5, 1.0)}
    rows = pd.DataFrame(
        [
            (d, d, m, v)
            for d, found in values.items()
            for m, v in zip(("baseline", "other", "ours"), found, strict=True)
        ],
        columns=["dataset", "measure", "method", "published"],
    )
    options = {"index": ["dataset", "measure"], "lower": ["loss"]}
    worse = expressions.worse_than_both(rows, "ours", "published", "baseline", **options)
    assert worse.droplevel("measure").to_dict() == {"all": True, "loss": True, "none": False, "one": False}


def test_two_seeds_are_compared_on_the_cells_of_both():
    first = pd.DataFrame({"dataset": list("aaabbbc"), "ranking": list("xyzxyzx")})
    first = first.assign(published=[3, 2, 1, 3, 2, 1, 9], reproduced=[1, 2, 3, 11, 12, 13, 5])
    second = first.assign(reproduced=[5, 6, 7, 0.1, 0.2, 0.3, np.nan])
    assert expressions.two_seeds(first, second) == (pytest.approx(1, abs=0.1), pytest.approx(-1), 2)
    mixed = second.assign(reproduced=0.8 * first["reproduced"] + 0.2 * second["reproduced"])
    assert expressions.two_seeds(first, mixed, shared=0.8) == expressions.two_seeds(first, second)


def test_gains_are_over_families_without_given_datasets():
    names = ["wine-red", "wine-white", "glass", "chess", "thyroid"]
    points = pd.DataFrame({"dataset": [*names, *names], "one": [5, 1, 2, 4, 9] * 2, "other": [1, 1, 1, 1, 1] * 2})
    gain = expressions.family_gain(points, "one", "other", pd.DataFrame({"dataset": ["dis"]}))  # relative of thyroid
    assert (gain[0], gain[-1]) == (2, 3)


def test_committee_draws_each_feature_over_ten_times():
    assert 0 < expressions.drawn_less_often(2000, 10) < 1e-10
    assert expressions.drawn_less_often(2000, 40) > 0.1


def test_gains_leave_out_cells_that_were_not_reproduced(tmp_path):
    rows = [("a", task, variant, 0.1, 0.2) for task in KINDS for variant in ("own rows", "labelled rows", "40NN")]
    more = [("b", task, variant, 9.0, np.nan) for _, task, variant, *_ in rows]
    made = []
    for number, content in enumerate((rows, rows + more)):
        table = pd.DataFrame(content, columns=["dataset", "task", "variant", "published", "reproduced"])
        for name in ("ssl-ranking/compared/readings", "ssl-ranking/compared/control_differences"):
            path = tmp_path / str(number) / f"{name}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            table.to_csv(path, index=False)
        made.append(front_figures(tmp_path / str(number)))
    assert made[0] == made[1]
    assert list(made[0]) == ["gains.svg"]
