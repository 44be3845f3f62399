"""Columns that identify rows, units or times, in generated tables."""

import numpy as np
import pandas as pd
import pytest

from sslrank.core.errors import DataError
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.features import COUNTER, IDENTIFIER, REPEATED
from sslrank.tabular.schema.identifiers import column_of_order, repeated_identifiers
from sslrank.tabular.schema.roles import ColumnRoles


def make_table(n=60, **columns):
    """Two numbers, a target of two classes, and further columns."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"breadth": rng.normal(size=n), "depth": rng.normal(size=n)}).assign(**columns)
    return X, rng.permutation(np.arange(n) % 2)


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("serial", np.arange(7, 67), COUNTER),
        ("clinic_seqn", np.random.default_rng(0).permutation(900)[:60], IDENTIFIER),
        ("row names", np.arange(60)[::-1] * 2, IDENTIFIER),
        ("voterID", np.arange(60) // 2, REPEATED),
        ("employee_no", np.arange(60) // 20, REPEATED),
        ("litter", np.arange(60) // 4, REPEATED),
        ("litter", np.arange(60) // 10, None),  # six whole numbers may be classes
        ("litters", np.arange(60) // 4, None),  # a count
        ("school", np.maximum(np.arange(60) - 20, 0) // 4, None),  # years
        ("provnum", np.arange(60) // 4, REPEATED),
        ("lipid", np.arange(60) // 2, None),
        ("idle", np.arange(60) // 2, None),
        ("barn.id", np.arange(60) // 2, REPEATED),
        ("Tomatometer_User", np.arange(60) // 2, None),
        ("Unnamed: 0", np.arange(60) * 2, IDENTIFIER),  # row names of a part of a table
        ("JAHR_year", np.arange(1931, 1991), None),
        ("opened", np.arange(1931, 1991), None),
        ("case_no", np.arange(1931, 1991), COUNTER),
        ("harvest", np.arange(60) // 2 + 1200, None),
    ],
)
def test_identifiers_are_left_out_and_years_kept(name, values, reason):
    table = own_table(*make_table(**{name: values}))
    assert table.dropped.get(name) == reason
    assert (name in table.X) is (reason is None)


def test_repeated_identifier_note_names_options(tmp_path):
    X, y = make_table(voterID=np.arange(60) // 2)
    table = own_table(X, y)
    assert table.features.units["voterID"].tolist() == (np.arange(60) // 2).tolist()
    said = "\n".join(table.describe())
    assert "left out, repeated identifiers (if one groups the rows: --groups COLUMN): voterID; if" in said
    assert "voterID" in own_table(X, y, ColumnRoles(keep=["voterID"])).X
    grouped = own_table(X, y, ColumnRoles(groups="voterID"))
    assert len(np.unique(grouped.row_columns.groups)) == 30
    assert not grouped.features.units


def test_row_units_are_subset_with_rows():
    part = own_table(*make_table(voterID=np.arange(60) // 2)).rows(np.arange(50, 60))
    assert part.features.units["voterID"].tolist() == [25, 25, 26, 26, 27, 27, 28, 28, 29, 29]


def test_panel_units_are_found_under_any_name():
    orchard, season = np.repeat([f"o{i}" for i in range(9)], 6), np.tile(np.arange(2011.0, 2017), 9)
    yields = np.random.default_rng(1).integers(0, 12, 54)
    X, y = make_table(54, orchard=orchard, season_year=season, yields=yields)
    table = own_table(X, y)
    assert table.dropped == {"orchard": REPEATED}
    two = own_table(
        *make_table(54, orchard=np.repeat(["a", "b", "c"], 18), season_year=np.tile(np.arange(2011.0, 2029), 3))
    )
    assert not two.dropped  # three are the levels of a design
    shuffled = np.random.default_rng(2).permutation(orchard)
    assert not own_table(X.assign(orchard=shuffled), y).dropped  # several rows of one orchard in one season


def test_panel_is_found_with_a_tenth_of_rows_missing():
    frame = {"orchard": np.repeat(np.arange(10.0), 10), "wave": np.tile(np.arange(10.0), 10)}
    rows = np.random.default_rng(0).permutation(100)
    kept = {count: {name: values[np.sort(rows[:count])] for name, values in frame.items()} for count in (90, 89)}
    assert list(repeated_identifiers(kept[90])) == ["orchard"]
    assert not repeated_identifiers(kept[89])


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"height": np.arange(20.0)}, ""),
        ({"height": np.arange(20.0), "visit": np.repeat(np.arange(5.0), 4)}, "visit"),
        ({"visit": np.repeat(np.arange(4.0), 5)}, ""),  # fewer than five times
        ({"built_year": 2000.0 - np.arange(20) // 2}, "built_year"),
        ({"visit": np.append(np.arange(19.0), 3)}, ""),
        ({"visit": np.append(np.arange(19.0), np.nan)}, ""),
    ],
)
def test_sort_column_is_found(columns, expected):
    assert column_of_order(columns) == expected


def test_sorted_date_column_is_found():
    days = pd.date_range("2031-02-01", periods=60).strftime("%Y-%m-%d")
    X, y = make_table(reading=days)
    table = own_table(X, y)
    assert (table.features.sorted_by, table.dropped, table.X["reading"].iloc[-1]) == ("reading", {}, 59)
    assert own_table(X.assign(reading=np.random.default_rng(0).permutation(days)), y).features.sorted_by == ""
    assert own_table(X.assign(reading=pd.to_datetime(days)), y).features.sorted_by == "reading"


def test_row_name_texts_are_refused_as_target():
    X, _ = make_table()
    names = [f"orchid {i}" for i in range(31)] + ["orchid 0"] * 29
    with pytest.raises(DataError, match=r"31 different texts in 60 rows: they name rows.*'classification'"):
        own_table(X, names)
    assert own_table(X, names, ColumnRoles(task="classification")).task == "classification"
    assert own_table(X, [*names[1:31], *names[1:31]]).task == "classification"
