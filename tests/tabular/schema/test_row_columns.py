"""Groups, time and weights of rows, in files and in arrays."""

import datetime

import numpy as np
import pandas as pd
import pytest

from sslrank.core.errors import DataError
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.reading import read_own
from sslrank.tabular.schema.roles import ColumnRoles
from sslrank.tabular.schema.row_columns import time_values

N = 24


@pytest.fixture
def visits():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(N, 2)).round(3), columns=["a", "b"])
    frame["patient"] = [f"p{i // 4}" for i in range(N)]
    frame["day"] = pd.date_range("2020-01-01", periods=N).strftime("%Y-%m-%d")
    frame["w"] = np.arange(N) + 1.0
    frame["y"] = np.where(frame["a"] > 0, "yes", "no")
    return frame


@pytest.mark.parametrize(
    ("role", "name", "expected"), [("groups", "patient", np.arange(N) // 4), ("time", "day", np.arange(N) * 86400)]
)
def test_row_columns_equal_in_file_and_frame(visits, tmp_path, role, name, expected):
    visits.to_csv(tmp_path / "d.csv", index=False)
    roles = ColumnRoles(**{role: name}, weights="w", drop=[{"patient": "day", "day": "patient"}[name]])
    of_file = read_own(tmp_path / "d.csv", ["y"], roles)
    of_frame = own_table(visits.drop(columns="y"), visits["y"], roles)
    given = ColumnRoles(**{role: visits[name].tolist()}, weights=visits["w"])
    for table in (of_file, of_frame, own_table(visits[["a", "b"]], visits["y"], given)):
        values = getattr(table.row_columns, role)
        assert (values - values[0]).tolist() == expected.tolist()
        assert table.weights.tolist() == visits["w"].tolist()
        assert list(table.X) == ["a", "b"]
    assert of_file.dropped == of_frame.dropped
    part = of_file.rows(np.array([5, 2]))
    assert (getattr(part.row_columns, role).tolist(), part.weights.tolist()) == (values[[5, 2]].tolist(), [6.0, 3.0])


@pytest.mark.parametrize(
    ("values", "difference"),
    [
        ([3, 5], 2),
        (["3", "5.5"], 2.5),
        (["3.250000", "3.500000"], 0.25),
        (["10000000", "10100003"], 100003),
        (["2.5e-1", "0.75"], 0.5),
        (["0,25", "0,5"], 0.25),
        (["2020-02-28", "2020-03-01"], 2 * 86400),
        (["2020-02-28 23:00", "2020-02-29T00:00"], 3600),
        (["28.2.2020", "1.3.2020"], 2 * 86400),
        (["2/28/2020", "3/1/2020"], 2 * 86400),
        (["28/2/2020", "1/3/2020"], 2 * 86400),
        (["20200228", "20200301"], 2 * 86400),
        ([datetime.date(2020, 2, 28), datetime.date(2020, 3, 1)], 2 * 86400),
        (pd.to_datetime(["2020-02-28", "2020-03-01"]), 2 * 86400),
        (pd.to_datetime(["2020-02-28", "2020-03-01"]).tz_localize("Europe/Berlin"), 2 * 86400),
        (pd.period_range("2020-02", periods=2, freq="M"), 29 * 86400),
        (pd.to_timedelta([1, 3], unit="s"), 2),
        (pd.Categorical(["2020-02-28", "2020-03-01"]), 2 * 86400),
        (pd.array([1, 4], dtype="Int64"), 3),
    ],
)
def test_times_are_parsed_from_many_types(values, difference):
    found = time_values(pd.Series(values, name="t"))
    assert found.dtype == np.float64
    assert found[1] - found[0] == difference


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        (["1/2/2020", "3/4/2020"], "which part is the day, which the month.*--dates day-first"),
        (["2020-01-01", "soon"], "'soon' is not a date"),
        (["1.5", "soon"], "'soon' is not a date"),
        (["May 3 1990", "soon"], "'soon' is not a date"),
        (["20200131", "20201301", "20201231"], "'20201301' is not a date"),
        (["1,250", "2,500"], "add --numeric"),
        (["2020-01-01", None], "row 2 has no time"),
        ([1.0, np.inf], "infinite"),
        ([5, 5, 5], "all rows have the same time"),
        ([1, {}], "neither a date nor a number"),
    ],
)
def test_unreadable_times_are_refused(values, problem):
    with pytest.raises(DataError, match=problem):
        time_values(pd.Series(values, name="t"))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"groups": "patiant"}, "did you mean 'patient'"),
        ({"groups": "a", "keep": ["a"]}, "a: the column is given to both groups and keep"),
        ({"groups": "w", "weights": "w"}, "w: the column is given to both groups and weights"),
        ({"groups": np.zeros(N)}, "all rows are in one group"),
        ({"groups": [None] * N}, "row 1 has no group .24 rows in all"),
        ({"weights": np.zeros(N)}, "all weights are 0"),
        ({"weights": ["much"] * N}, "weights must be numbers"),
    ],
)
def test_invalid_row_columns_are_refused(visits, tmp_path, options, problem):
    with pytest.raises(ValueError, match=problem):
        own_table(visits.drop(columns="y"), visits["y"], ColumnRoles(**options))
    visits.to_csv(tmp_path / "d.csv", index=False)
    with pytest.raises(DataError, match="y: the column is given to both --groups and the target"):
        read_own(tmp_path / "d.csv", ["y"], ColumnRoles(groups="y"))
