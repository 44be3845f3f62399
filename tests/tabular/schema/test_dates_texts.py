"""Dates in words, durations, bytes and spellings are equal in files, frames and Parquet."""

import datetime

import numpy as np
import pandas as pd
import pytest

from sslrank.core.errors import DataError
from sslrank.tabular.fits.settings import RankingSettings
from sslrank.tabular.output.recipe import recipe_of
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.dates import is_date
from sslrank.tabular.schema.reading import read_own
from sslrank.tabular.schema.roles import ColumnRoles

Y = ["p", "q"] * 15
DAYS = pd.date_range("1987-03-05", periods=30, freq="53D")
COLUMNS = {
    "day": DAYS.strftime("%B %-d, %Y"),
    "short": DAYS.strftime("%d-%b-%y"),
    "month": DAYS.strftime("%Y-%m"),
    "quarter": [f"Q{day.quarter} {day.year}" for day in DAYS],
    "period": [str(day.to_period("Q")) for day in DAYS],
    "noon": [f"{j % 12 + 1}:{j:02d} pm" for j in range(30)],
}


def tables(frame, tmp_path):
    frame.assign(y=Y).to_csv(tmp_path / "a.csv", index=False)
    frame.assign(y=Y).to_parquet(tmp_path / "a.parquet")
    yield own_table(frame, Y)
    yield from (read_own(tmp_path / f"a.{kind}", ["y"]) for kind in ("csv", "parquet"))


def test_date_texts_become_days_since_the_first(tmp_path):
    frame = pd.DataFrame({"size": np.arange(30) * 7 % 30 / 2} | COLUMNS)
    for table in tables(frame, tmp_path):
        assert list(table.dropped) == ["noon"]
        assert table.X["day"].tolist() == table.X["short"].tolist() == [53 * j for j in range(30)]
        assert (
            table.X["quarter"].tolist()
            == table.X["period"].tolist()
            == [(day.to_period("Q").start_time - pd.Timestamp("1987-01-01")).days for day in DAYS]
        )
        assert table.X["month"].iloc[-1] == (DAYS[-1].to_period("M").start_time - pd.Timestamp("1987-03-01")).days
        assert any("day, short: dates, read as days since 1987-03-05; --drop leaves" in note for note in table.notes)


@pytest.mark.parametrize(
    ("texts", "dates", "days"),
    [
        (["14.04.22", "15.04.22"], None, 1),
        (["4/14/22", "5/14/22"], None, 30),
        (["3/4/2020", "3/5/2020"], "day-first", 30),
        (["3/4/2020", "3/5/2020"], "month-first", 1),
    ],
)
def test_order_of_day_and_month_is_shown_and_kept(texts, dates, days):
    frame = pd.DataFrame({"size": np.arange(30) / 2, "seen": texts * 15})
    table = own_table(frame, Y, ColumnRoles(dates=dates))
    assert set(table.X["seen"]) == {0, days}
    order = dates or ("day-first" if days == 1 else "month-first")
    assert f", {order};" in " ".join(table.notes)
    assert recipe_of(table, RankingSettings())["options"]["dates"] == order


@pytest.mark.parametrize("text", ["May", "2000", "B-12", "1.5", "12", "31-49", "1949-13", "a:b", "Q5 1990", "mar 3"])
def test_other_texts_are_not_dates(text):
    assert not is_date(text)


def test_durations_and_bytes_equal_in_frames_and_parquet(tmp_path):
    spans = [datetime.timedelta(hours=int(hours)) for hours in np.arange(30) * 11 % 30]
    frame = pd.DataFrame({"size": np.arange(30) * 7 % 30 / 2, "span": spans, "raw": [b"u", None, b"\xff"] * 10})
    first, _, second = tables(frame, tmp_path)
    assert first.dropped == second.dropped
    assert first.X["span"].tolist() == second.X["span"].tolist() == [span / datetime.timedelta(1) for span in spans]
    assert first.X["raw"].astype(object).fillna("").tolist() == second.X["raw"].astype(object).fillna("").tolist()


def test_mixed_type_targets_are_refused(tmp_path):
    frame = pd.DataFrame({"size": np.arange(30) / 2, "town": ["Graz", "Linz", "Wien"] * 10, "y": Y})
    frame.to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match=r"column 'town': expected numbers.*one of them at a time"):
        read_own(tmp_path / "a.csv", ["size", "town"])
