"""Guesses about rows: units, clusters, and times, in made-up tables."""

import numpy as np
import pandas as pd
import pytest

from sslrank import rank
from sslrank.tabular.trust.rows.dependence import look_at_rows
from sslrank.tabular.understanding.roles import ColumnRoles
from sslrank.tabular.understanding.table import own_table


def rows_of(X, y, **roles):
    table = own_table(X, y, ColumnRoles(**roles))
    problem = table.coded()
    return look_at_rows(table, problem, np.arange(problem.X.shape[1])[::-1].astype(float))


def noise(n=120, columns=4, seed=0):
    return pd.DataFrame(np.random.default_rng(seed).normal(size=(n, columns))).add_prefix("f")


def test_rows_of_one_unit_are_a_guess_of_groups():
    X = noise().assign(horse_id=np.arange(120) // 4, stable_id=np.arange(120) // 12)
    y = np.random.default_rng(0).integers(0, 2, 120)
    found = rows_of(X, y)
    assert found.clusters == "120 labelled rows have 10 values of stable_id"  # of two identifiers the one with fewer
    assert found.guess.groups.tolist() == (np.arange(120) // 12).tolist()
    assert rows_of(X, y, groups="none").clusters == ""
    given = rows_of(X, y, groups="horse_id")
    assert (given.guess.kind, given.blocks.reason) == ("", "30 groups")


def test_rows_without_a_unit_are_units_of_their_own():
    unit = pd.Series(np.arange(120) // 4, dtype=float)
    unit[:4] = np.nan
    groups = rows_of(noise().assign(horse_id=unit), np.arange(120) % 2).guess.groups
    assert len(np.unique(groups)) == 33


def test_a_unit_that_makes_the_answer_is_a_reservation():
    """Features and target are those of the horse, 20 horses with 12 rows each, without any relation."""
    rng = np.random.default_rng(3)
    horse = np.repeat(np.arange(20), 12)
    X = pd.DataFrame(rng.normal(size=(20, 3))[horse] + 0.3 * rng.normal(size=(240, 3))).add_prefix("f")
    found = rank(X.assign(horse_id=horse), (rng.random(20) > 0.5)[horse].astype(int), methods="f_score", effort="order")
    assert found.tests.guessed_p > 0.05 >= found.tests.p_value
    check = next(check for check in found.checks if check.code == "C07")
    assert (check.passed, check.finding) == (False, "240 labelled rows have 20 values of horse_id")
    assert check.options == {"groups": "horse_id"}
    assert check.condition == "rows of one horse_id depend on each other"


@pytest.mark.parametrize("seed", [0, 7, 10])
def test_independent_rows_on_a_line_are_no_clusters(seed):
    """Columns that are one number with a little noise, and a target that is that number."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=60)
    X = pd.DataFrame(z[:, None] + 0.005 * rng.normal(size=(60, 5))).add_prefix("f")
    assert rows_of(X, z).clusters == ""


def test_clusters_of_three_rows_are_named():
    rng = np.random.default_rng(0)
    owner = np.repeat(np.arange(30), 3)
    X = pd.DataFrame(rng.normal(size=(30, 4))[owner] + 0.001 * rng.normal(size=(90, 4))).add_prefix("f")
    y = rng.normal(size=30)[owner]
    assert rows_of(X, y).clusters == "90 labelled rows form 30 clusters of near-identical rows that share a target"
    pairs = X.index % 3 < 2
    assert rows_of(X[pairs], y[pairs]).clusters == ""


def drifting(n=120):
    time = np.linspace(-1, 1, n)
    X = noise(n)
    X["f1"] += 2 * time
    return X, 2 * time + np.random.default_rng(1).normal(size=n)


def test_rows_in_blocks_of_a_place_are_no_time():
    """The target and a feature change from valley to valley, which come one after the other, each in several parts."""
    X, y = drifting()
    assert rows_of(X, y).drift
    valley = np.repeat([0, 1, 2, 0, 1, 3, 4, 3, 5, 4, 6, 5], 10)
    assert rows_of(X.assign(valley=[f"v{i}" for i in valley]), y).is_sorted
    scattered = np.random.default_rng(0).permutation(valley)
    assert rows_of(X.assign(valley=[f"v{i}" for i in scattered]), y).drift


def test_a_weak_trend_in_many_rows_is_none():
    X, y = drifting(4000)
    assert rows_of(X, y).drift
    weak = 0.25 * np.linspace(-1, 1, 4000) + np.random.default_rng(1).normal(size=4000)  # r = .14, p far below .001
    assert rows_of(X, weak).drift == ""


def test_the_column_in_whose_order_the_rows_are_is_named():
    X, y = noise().assign(sampled_year=np.repeat(np.arange(1990, 2010), 6)), np.arange(120) % 2
    found = rows_of(X, y)
    assert (found.drift, found.guess.kind) == ("the rows are in the order of sampled_year", "time")
    assert rows_of(X, y, time="none").drift == ""
    check = {check.code: check for check in rank(X, y, methods="f_score", effort="order").checks}["C08"]
    assert (check.passed, check.options) == (False, {"time": "sampled_year"})
