"""Features that are one variable: indicators of a category, and functions of one number."""

import numpy as np
import pandas as pd
import pytest

from sslrank import rank
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.column_map import map_columns
from sslrank.tabular.schema.roles import ColumnRoles


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    town, number = rng.integers(0, 4, 200), np.exp(rng.normal(size=200))
    X = pd.DataFrame({f"town_{k}": (town == k) * 1 for k in range(4)})
    X.insert(1, "rare", (np.arange(200) == np.flatnonzero(town == 2)[0]) * 1)  # town_0, town_1 and town_3 exclude it
    X = X.assign(euro=number, log=np.log(number), inverse=1 / number, other=rng.normal(size=200))
    return X, np.array([0, 1, -1, 2])[town] + np.log(number) + rng.normal(size=200)


def mapped(X, keep=()):
    table = own_table(X, np.random.default_rng(0).normal(size=len(X)), ColumnRoles(keep=keep))
    return map_columns(table, table.coded())


def groups(X, keep=()):
    numbers = mapped(X, keep).numbers
    return sorted(sorted(X.columns[numbers == k]) for k in np.unique(numbers) if (numbers == k).sum() > 1)


def test_numbers_that_count_within_parts_are_the_last_guess_of_units():
    X = pd.DataFrame({"sample no": np.tile(np.arange(1.0, 21), 3), "x": np.random.default_rng(1).normal(size=60)})
    assert mapped(X).unit == "sample no"
    assert mapped(X.assign(personID=np.random.default_rng(2).integers(100, 130, 60))).unit == "personID"


def test_indicators_and_functions_are_found_in_any_order(table):
    X = table[0]
    expected = [["euro", "inverse", "log"], [f"town_{k}" for k in range(4)]]
    assert groups(X) == expected
    assert groups(X.iloc[:, np.random.default_rng(1).permutation(X.shape[1])]) == expected
    assert groups(X.astype({name: bool for name in X if "town" in name})) == expected
    assert groups(X, keep=["town_1", "log"]) == [["euro", "inverse"]]
    some = X.astype({name: float for name in X if "town" in name})
    some.loc[[3, 5], "town_1"], some.loc[5, "town_2"] = np.nan, np.nan
    assert groups(some) == expected
    some.loc[:50, "town_1"] = np.nan  # too many are unknown
    assert groups(some) == expected[:1]


def test_columns_of_their_own_are_not_joined(table):
    X = table[0]
    assert groups(X.drop(columns=["town_1", "log", "inverse"])) == []
    assert groups(X[["town_0", "other"]].assign(opposite=1 - X["town_0"], rounded=X["other"].round(1))) == []
    growing = {name: np.cumsum(X[name]) for name in ("euro", "inverse")}  # the same order, but no function
    assert groups(pd.DataFrame(growing).assign(squared=growing["euro"] ** 2)) == [["euro", "squared"]]
    X.loc[3, "log"] = np.nan
    assert groups(X[["euro", "log"]]) == []


def test_indicators_add_information_as_one_variable(table):
    X, y = table
    ranking = rank(X.drop(columns="rare"), y, effort="quick", repeats=0, n_jobs=1)
    q = ranking.features.set_index("feature")["conditional_q"]
    assert q[["town_0", "town_1", "euro", "log"]].max() < 0.01
    assert ranking.notes[0].startswith("indicators of one category, so one variable in conditional tests: town_0, ")
    check = next(check for check in ranking.checks if check.code == "C04")
    assert check.finding == "log has the near-duplicates euro, inverse"
    assert "one variable" in check.advice


def test_batches_and_counters_in_each_part_are_named():
    X = pd.DataFrame({"x": np.random.default_rng(0).normal(size=60), "Plate no": np.arange(60) % 3.0})
    assert mapped(X).notes == ("batches of rows by the name: Plate no; to compare rows of the same one: --strata",)
    assert mapped(X.assign(index=np.arange(60) % 20 + 1)).notes == mapped(X).notes
    assert "index" in own_table(X.assign(index=np.arange(60) % 20 + 1), X["x"]).dropped
    assert mapped(X.assign(**{"Plate no": np.arange(60) / 7})).notes == ()
