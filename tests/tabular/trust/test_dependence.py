"""Dependence of rows: repeated units and time series, in generated tables."""

import numpy as np
import pandas as pd
import pytest

from sslrank import rank
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.column_map import map_columns
from sslrank.tabular.schema.roles import ColumnRoles
from sslrank.tabular.trust.dependence import detect_dependence


def rows_of(X, y, **roles):
    return columns_and_rows(X, y, **roles)[1]


def columns_and_rows(X, y, **roles):
    table = own_table(X, y, ColumnRoles(**roles))
    columns = map_columns(table, table.coded())
    return columns, detect_dependence(table, table.coded(), columns)


def noise(n=120, columns=4, seed=0):
    return pd.DataFrame(np.random.default_rng(seed).normal(size=(n, columns))).add_prefix("f")


def test_repeated_identifier_is_guessed_as_groups():
    X = noise().assign(horse_id=np.arange(120) // 4, stable_id=np.arange(120) // 12)
    y = np.random.default_rng(0).integers(0, 2, 120)
    columns, found = columns_and_rows(X, y)
    assert columns.unit == "stable_id"  # the one with fewer values
    assert found.guess.groups.tolist() == (np.arange(120) // 12).tolist()
    assert columns_and_rows(X, y, groups="none")[0].unit == ""
    given = rows_of(X, y, groups="horse_id")
    assert (given.guess.unit, given.design.reason) == ("rows", "30 groups")


def test_rows_without_identifier_are_separate_groups():
    unit = pd.Series(np.arange(120) // 4, dtype=float)
    unit[:4] = np.nan
    groups = rows_of(noise().assign(horse_id=unit), np.arange(120) % 2).guess.groups
    assert len(np.unique(groups)) == 33


def series(seed, n=120, columns=5, rho=0.8):
    steps = np.random.default_rng(seed).normal(size=(n, columns))
    for t in range(1, n):
        steps[t] += rho * steps[t - 1]
    return pd.DataFrame(steps[:, 1:]).add_prefix("f"), steps[:, 0]


def test_autocorrelated_rows_are_guessed_as_time_series():
    X, y = series(0)
    found = rows_of(X, y)
    assert found.series.startswith("the target (lag-one correlation 0.")
    assert found.series.endswith("and 4 features resemble their values in the row before")
    assert found.guess.time.tolist() == list(range(120))
    assert rows_of(X, (y > 0).astype(int)).guess.unit == "times"
    assert rows_of(X[["f0"]], y).series.endswith("and 1 feature resembles its value in the row before")
    assert rows_of(X, y, time="none").series == ""
    assert rows_of(noise(), y).series == ""  # the features of independent rows
    assert rows_of(X[:19], y[:19]).series == ""


def test_independent_rows_are_rarely_guessed_as_series():
    said = sum(bool(rows_of(noise(60, 20, seed), noise(60, 1, seed + 500)["f0"]).series) for seed in range(50))
    assert said <= 1


TWO_ROWS_APART = np.r_[90.5, np.arange(60.0), 30.5, np.arange(60.0, 118)]


@pytest.mark.parametrize("y", [np.arange(120.0), TWO_ROWS_APART, np.repeat(["b", "a", "c"], 40)])
def test_rows_sorted_by_target_are_not_a_series(y):
    columns, found = columns_and_rows(series(0)[0], y)
    assert (columns.sort_key, found.series) == ("the target", "")
    check = {check.code: check for check in rank(noise(), y, methods="f_score", effort="order").checks}["C08"]
    assert (check.passed, "sorted by the target" in check.looked_at) == (None, True)


def test_sort_column_is_reported():
    sites = np.repeat([3.0, 1, 4, 2, 5, 0], 20)
    assert columns_and_rows(noise().assign(dose=sites), np.arange(120) % 2)[0].sort_key == "dose"
    X, y = noise().assign(sampled_year=np.repeat(np.arange(1990, 2010), 6)), np.arange(120) % 2
    found = rows_of(X, y)
    assert (found.series, found.guess.unit) == ("the rows are in the order of sampled_year", "times")
    assert rows_of(X, y, time="none").series == ""
    check = {check.code: check for check in rank(X, y, methods="f_score", effort="order").checks}["C08"]
    assert (check.passed, check.options) == (False, {"time": "sampled_year"})
