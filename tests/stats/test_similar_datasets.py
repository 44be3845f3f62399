import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, t

from sslrank.stats.arena import DEFAULT, FACTS, PAIRS
from sslrank.stats.similar_datasets import (
    VERDICTS,
    arena_board,
    gain_verdict,
    nearest_budget,
    over_budgets,
    similar_datasets,
    unlabeled_gains,
)

NAMES = ["forest", "l1", "semi_supervised"]


@pytest.fixture(scope="module")
def points():
    """Half of 24 datasets are wide; forest is 2 points ahead of l1, and 3 behind semi-supervised on wide ones."""
    rows, rng = [], np.random.default_rng(0)
    for number in range(24):
        task, features = ("regression" if number % 3 == 0 else "classification"), (1000 if number % 2 else 30)
        for L in ("20", "200"):
            forest = 10 + rng.normal()
            row = (f"d{number}", "choose", task, 600, features, L, forest, forest - 2 + rng.normal())
            rows.append((*row, forest + (3 if features > 250 else -3) + 0.1 * rng.normal()))
    return pd.DataFrame(rows, columns=[*FACTS, *NAMES])


def test_the_nearest_budget_is_that_by_ratio(points):
    assert [nearest_budget(points, n) for n in (0, 20, 63, 64, 5000)] == ["20", "20", "20", "200", "200"]


def test_conditions_count_as_far_as_there_are_enough_datasets(points):
    found = similar_datasets(points, "20", task="classification", wide=True, long=False)
    assert found.words == "a target of kind classification, more than 250 columns and fewer than 1000 rows"
    assert (found.points["features"] > 250).all()
    assert (len(found.points), found.dropped, set(found.points["L"])) == (8, [], {"20"})
    few = similar_datasets(points, "20", task="regression", wide=True, long=True)
    assert few.kept == ["a target of kind regression"]
    assert few.dropped == ["more than 250 columns", "at least 1000 rows"]
    none = similar_datasets(points, "200", task="multilabel", wide=False)
    assert (none.words, none.dropped) == ("", ["a target of kind multilabel", "at most 250 columns"])
    assert len(similar_datasets(points, "20").points) == 24


@pytest.mark.parametrize(("n_alike", "is_kept"), [(7, False), (8, True)])
def test_eight_datasets_are_enough(points, n_alike, is_kept):
    table = points[points["L"] == "20"].assign(task=["mine"] * n_alike + ["other"] * (24 - n_alike))
    assert bool(similar_datasets(table, "20", task="mine").kept) == is_kept


@pytest.mark.parametrize(
    ("facts", "wide", "long"),
    [((250, 999), False, False), ((251, 999), True, False), ((250, 1000), False, True)],
)
def test_limits_of_wide_and_long(points, facts, wide, long):
    features, rows = facts
    table = points[points["L"] == "20"].assign(features=features, rows=rows)
    assert len(similar_datasets(table, "20", wide=wide, long=long).kept) == 2
    assert similar_datasets(table, "20", wide=not wide, long=long).kept == []
    assert len(similar_datasets(table, "20", wide=wide, long=not long).kept) == 1


def test_the_board_has_average_ranks_and_intervals(points):
    here = points[points["L"] == "20"]
    found = arena_board(here, {"forest": 0.5})
    ranks = rankdata(-here[NAMES].to_numpy(), axis=1).mean(axis=0)
    assert found["average_rank"].to_dict() == dict(zip(NAMES, ranks, strict=True))
    best = found.index[0]
    gaps = here[best] - here["l1"]
    low, high = t.interval(0.95, 23, gaps.mean(), gaps.std(ddof=1) / np.sqrt(24))
    row = found.loc["l1"]
    assert (row["behind"] - row["reach"], row["behind"] + row["reach"]) == pytest.approx((low, high))
    assert found.loc[best, "first"]
    assert not row["first"]
    assert found.loc["forest", "seconds"] == 0.5
    assert list(arena_board(here, {"l1": 1.0}, at_most=2).index) == ["l1"]
    assert list(arena_board(here, {"l1": 1.0}, at_most=1).index) == ["l1"]
    assert arena_board(here, {"l1": 1.0}, at_most=0.5).empty


@pytest.mark.parametrize(("n_without", "is_there"), [(6, True), (7, False)])
def test_a_ranking_that_three_quarters_of_the_datasets_have_counts(points, n_without, is_there):
    here = points[points["L"] == "20"].reset_index(drop=True)
    here.loc[: n_without - 1, "l1"] = np.nan
    found = arena_board(here)
    assert ("l1" in found.index) == is_there
    assert found.attrs["n_datasets"] == (24 - n_without if is_there else 24)


def test_the_board_of_one_ranking_has_its_datasets_and_who_has_them_all(points):
    here = points[points["L"] == "20"].reset_index(drop=True).rename(columns={"l1": DEFAULT})
    here["mine"] = here["forest"] + 1
    here["oracle"] = 20.0
    here.loc[:3, "mine"] = np.nan
    here.loc[:4, DEFAULT] = np.nan
    assert DEFAULT in arena_board(here).index
    found = arena_board(here, of="mine")
    assert found.attrs["datasets"] == [f"d{number}" for number in range(4, 24)]
    assert set(found.index) == {"mine", "forest", "semi_supervised"}
    assert found.attrs["absent"] == {DEFAULT: 19}
    here[DEFAULT] = here["forest"]
    row = arena_board(here, of="mine").loc["mine"]
    assert row[["gain", "gain_reach", "wins", "losses"]].to_list() == pytest.approx([1.0, 0.0, 20, 0])
    assert row["share_of_oracle"] == pytest.approx(here["mine"].mean() / 20)
    ranks = here[["mine", "forest", DEFAULT, "semi_supervised"]][4:].rank(axis=1, ascending=False)["mine"]
    low, high = t.interval(0.95, 19, ranks.mean(), ranks.sem())
    assert (row["average_rank"], row["rank_reach"]) == pytest.approx((ranks.mean(), (high - low) / 2))


def test_a_mean_over_the_budgets_needs_all_of_them(points):
    points = points.copy()
    points.loc[0, "forest"] = np.nan
    found = over_budgets(points).set_index("dataset")
    assert list(found["L"].unique()) == [""]
    assert np.isnan(found.loc["d0", "forest"])
    assert found.loc["d0", "l1"] == pytest.approx(points["l1"][:2].mean())
    assert len(similar_datasets(over_budgets(points), "", wide=True).points) == 12


def test_the_front_has_what_no_other_one_beats_in_points_and_seconds():
    points = pd.DataFrame([("d", "choose", "regression", 9, 9, "20", 5.0, 4.0, 4.0, 3.0, 9.0)])
    points.columns = [*FACTS, "best", "as good", "quick", "beaten", "no time"]
    seconds = {"best": 10.0, "as good": 2.0, "quick": 1.0, "beaten": 1.0}
    found = arena_board(points, seconds)["front"]
    assert found.to_dict() == {"best": True, "as good": False, "quick": True, "beaten": False, "no time": False}


def test_gains_are_those_of_pairs_that_two_datasets_have(points):
    wide = similar_datasets(points, "20", wide=True)
    (gain,) = unlabeled_gains(wide.points)
    values = wide.points["semi_supervised"] - wide.points["forest"]
    assert gain.words == PAIRS["semi_supervised"][1]
    assert (gain.mean, gain.better, gain.of) == (pytest.approx(values.mean()), 12, 12)
    assert gain.mean + gain.reach == pytest.approx(t.interval(0.95, 11, values.mean(), values.sem())[1])
    assert gain_verdict([gain]) == "help"
    assert unlabeled_gains(wide.points[:1]) == []
    assert unlabeled_gains(wide.points.drop(columns="forest")) == []


@pytest.mark.parametrize(
    ("gain", "spread", "verdict"),
    [
        (2.0, 0.5, "help"),
        (0.68, 0.5, "help"),  # the interval is 0.45 to each side: 1.5 times are 0.67
        (0.66, 0.5, "unknown"),
        (0.2, 0.5, "hardly"),
        (0.2, 5.0, "unknown"),
        (0.6, 0.5, "unknown"),
        (-0.4, 0.5, "hardly"),
        (-0.5, 0.5, "harm"),
        (-2.0, 0.5, "harm"),
    ],
)
def test_little_gain_is_told_from_little_knowledge(gain, spread, verdict):
    signs = np.tile([-1.0, 1.0], 4)
    (found,) = unlabeled_gains(pd.DataFrame({"forest": 0.0, "semi_supervised": gain + spread * signs}))
    assert gain_verdict([found]) == verdict
    assert verdict in VERDICTS


def test_the_best_of_several_gains_decides():
    signs = np.tile([-1.0, 1.0], 4)
    table = {"forest": 0 * signs, "semi_supervised": signs - 2, "distilled": 0.1 * signs + 2, "f_score": 0 * signs}
    found = unlabeled_gains(pd.DataFrame(table))
    assert [round(gain.mean) for gain in found] == [-2, 2]
    assert gain_verdict(found) == gain_verdict(found[::-1]) == "help"
