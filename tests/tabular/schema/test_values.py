"""Column types inferred from values, rows of totals, and words for missing labels, in generated tables."""

import numpy as np
import pandas as pd
import pytest

from sslrank.core.errors import DataError
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.missing_codes import find_missing_code
from sslrank.tabular.schema.reading import read_own
from sslrank.tabular.schema.roles import ColumnRoles
from sslrank.tabular.schema.texts import rows_of_totals
from sslrank.tabular.schema.values import BLANK, convert_values

N = 40
RNG = np.random.default_rng(11)
Y = np.arange(N) % 2
SPAN = pd.DataFrame({"span": RNG.normal(size=N)})


def own(name, values, **roles):
    return own_table(SPAN.assign(**{name: values}), Y, ColumnRoles(**roles))


@pytest.mark.parametrize("mark", ["x", "yes", 1, True, "✓"])
def test_mark_or_blank_becomes_binary_feature(mark):
    found = own("smoker", pd.Series(np.where(np.arange(N) % 3 == 0, mark, None), dtype=object))
    assert found.X["smoker"].value_counts()[BLANK] == 26
    assert any("smoker: " in note and "or blank" in note and "--drop if" in note for note in found.notes)
    assert own("smoker", np.where(np.arange(N) % 3 == 0, 1, np.nan)).X["smoker"].nunique() == 2
    assert own("smoker", ["x"] * N).dropped == {"smoker": "constant"}


@pytest.mark.parametrize(
    ("texts", "first", "unit"),
    [
        ([f"{i / 8} ug/L" for i in range(N)], 0.125, "ug/L"),
        ([f"{i * 7 % 41} ± .5" for i in range(N)], 7, "±"),
        ([f"{i}.3K" for i in range(N)], 1.3, "K"),
        ([f"{i * 7 % 41} mm Hg" for i in range(N)], 7, "mm Hg"),
        ([f"{i},{100 + i} €" for i in range(1, N + 1)], 2102, "€"),
    ],
)
def test_numbers_with_one_unit_are_parsed(texts, first, unit):
    found = own("level", texts)
    assert found.X["level"].iloc[1] == first
    assert f"level: numbers with '{unit}', read as numbers; --nominal if not" in found.notes
    assert own("level", texts, nominal=["level"]).X["level"].dtype == "category"


@pytest.mark.parametrize("texts", [["2 doors", "4 doors"], ["B-12", "B-6"], ["20-29", "30-39"]])
def test_other_texts_are_categories(texts):
    assert convert_values(pd.Categorical(texts * 20))[1] == ""
    two_units = own("level", [f"{i % 15} {['mg', 'g'][i % 2]}" for i in range(N)])
    assert any("different units ('g', 'mg')" in note for note in two_units.notes)


def test_numbers_of_which_some_have_a_unit_are_read_on_request(tmp_path):
    weights = [f"{i},5{' kg' * (i % 3 > 0)}" for i in range(N)]
    lines = [f"{weights[i]};{i % 7};{i * 3 % 41},25 mg" for i in range(N)]
    (tmp_path / "a.csv").write_text("\n".join(["weight;x;dose", *lines]))
    found = read_own(tmp_path / "a.csv", ["dose"])
    assert found.task == "regression"
    assert any("dose: numbers with 'mg', read as numbers; --nominal dose if not" in line for line in found.describe())
    assert "weight: numbers, some with 'kg', read as texts; --numeric if all are in 'kg'" in found.notes
    assert read_own(tmp_path / "a.csv", ["dose"], ColumnRoles(numeric=["weight"])).X["weight"].iloc[1] == 1.5
    with pytest.raises(DataError, match="--numeric if all are in 'kg'"):
        read_own(tmp_path / "a.csv", ["weight"])


def test_dates_in_two_notations():
    texts = pd.Categorical(["14.04.22", "2022-04-15", "03.05.22"] * 4)
    assert convert_values(texts)[0][:3].tolist() == [0, 1, 19]
    exchanged = pd.Categorical(["14.04.22", "2022-03-04"])  # 03.04.22 as a spreadsheet in the USA reads it
    assert convert_values(exchanged)[0] is exchanged
    assert convert_values(exchanged, "day-first")[0].tolist() == [41, 0]


def test_ordered_levels_are_numbers_from_frames_and_files(tmp_path):
    levels = pd.Categorical(np.array(["low", "mid", "high"])[np.arange(N) % 3], ["low", "mid", "high"], ordered=True)
    found = own("level", levels)
    assert found.X["level"].tolist() == levels.codes.tolist()
    assert "level: levels in an order, read as numbers from 0: low, mid, high; --nominal if not" in found.notes
    assert own("level", levels, nominal=["level"]).X["level"].dtype == "category"
    frame = SPAN.assign(level=levels, y=Y)
    frame.to_parquet(tmp_path / "a.parquet")
    pyreadstat = pytest.importorskip("pyreadstat")
    numbers = frame.assign(level=levels.codes.astype(float), y=Y.astype(float))
    labels = {"level": {0.0: "low", 1.0: "mid", 2.0: "high"}}
    measures = {"level": "ordinal"}
    pyreadstat.write_sav(numbers, tmp_path / "a.sav", variable_value_labels=labels, variable_measure=measures)
    for name in ("a.parquet", "a.sav"):
        assert read_own(tmp_path / name, ["y"]).X["level"].tolist() == levels.codes.tolist()


def test_texts_of_a_scale_are_numbers():
    scale = ["low", "mid", "high"]
    level = np.array([*scale, "unknown"])[np.arange(N) % 4]
    frame = SPAN.assign(level=level, other=np.array(["low", "odd"])[np.arange(N) % 2])
    found = own_table(frame, Y, ColumnRoles(ordinal=[scale]))
    assert found.X["level"].iloc[:4].tolist() == pytest.approx([0, 1, 2, np.nan], nan_ok=True)
    assert found.X["other"].dtype == "category"
    note = "no column has only the levels mid, high, top; give all of the scale, as they are written"
    assert note in own("level", level, ordinal=[["mid", "high", "top"]]).notes
    with pytest.raises(DataError, match="three or more different levels of an ordinal scale, got 'low'"):
        own("level", level, ordinal=["low"])


def test_words_for_missing_among_dates_and_amounts_with_units_are_missing():
    dates, weights = [f"{1 + i % 28:02d}.04.22" for i in range(N)], [f"{60 + i},4 kg" for i in range(N)]
    dates[0] = weights[0] = "k.A."
    found = own_table(SPAN.assign(day=dates, weight=weights), Y)
    assert found.X[["day", "weight"]].iloc[:2].isna().to_numpy().tolist() == [[True] * 2, [False] * 2]
    assert "weight: numbers with 'kg', read as numbers, missing where 'k.A.'; --nominal if not" in found.notes
    assert found.features.converted["day"].endswith(", day-first")
    assert found.features.converted["weight"] == "numbers with 'kg', read as numbers"


def test_times_of_day_and_years_become_numbers():
    assert own("woke", [f"{6 + i % 12:02d}:30" for i in range(N)]).X["woke"].iloc[1] == 7.5
    assert own("model", [f"{1990 + i % 20}-01-01" for i in range(N)]).X["model"].iloc[1] == 1991
    assert own("visit", [f"{1990 + i % 20}-02-01" for i in range(N)]).X["visit"].iloc[1] == 365


@pytest.mark.parametrize("word", ["unlabelled", "pending", "Not done", "n.a.", "ND", "none", "TBD"])
def test_unlabelled_words_are_missing_labels(word):
    y = np.array(["ripe", "raw", word] * 20, dtype=object)
    found = own_table(pd.DataFrame({"span": RNG.normal(size=60)}), y)
    assert any(f"{word} in 20 rows" in note and "--unlabeled" in note for note in found.notes)
    assert find_missing_code(pd.Categorical(["weak", "none", "strong"])) == ""


def test_total_rows_are_found_by_name():
    frame = pd.DataFrame(RNG.random((N, 3)) * 50, columns=list("abc"))
    assert rows_of_totals(frame) == {}
    named = frame.assign(plot=pd.Categorical(["p", "q"] * 19 + ["Subtotal", "p"]))
    assert rows_of_totals(named) == {38: "'Subtotal' in plot"}
    assert rows_of_totals(frame.assign(of=pd.Categorical(["mean", "max"] * 20))) == {}


def test_grouping_text_column_is_reported():
    found = own("village", [f"v{i % 10}" for i in range(N)])
    assert "village" in found.X
    assert list(found.features.units) == ["village"]
    assert own("shade", [f"v{i % 10}" for i in range(N)]).features.units == {}


def test_texts_turned_into_dates_are_reported():
    found = own("size", ["5-9", "10-14", "15-19", "May-09"] * 10)
    assert any("'May-09'" in note for note in found.notes)
