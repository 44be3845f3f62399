"""Rankings use the names of the table, of any type."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

from sslrank import rank
from sslrank.tabular.output.files import write_result
from sslrank.tabular.output.terminal import ranking_lines

Y = np.random.default_rng(4).integers(0, 2, 50)
VALUES = np.random.default_rng(5).normal(size=(50, 4)) + np.column_stack([2 * Y, 0 * Y, Y, 0 * Y])
FAST = {"methods": "f_score", "effort": "order"}
NAMES = {
    "years": ([1990, 1991, 2000, 2001], ["1990", "1991", "2000", "2001"]),
    "numbers and texts of them": ([7, "7", 7.5, "a"], ["7", "'7'", "7.5", "a"]),
    "two levels": (pd.MultiIndex.from_product([["left", "right"], [1, 2]]), ["left / 1", "left / 2", "right / 1"]),
    "none": ([None, "b", "c", "d"], ["None", "b", "c", "d"]),
    "days": (pd.date_range("2021-05-30", periods=4), ["2021-05-30", "2021-05-31", "2021-06-01", "2021-06-02"]),
}


@pytest.mark.parametrize("case", NAMES)
def test_column_names_are_kept(case, tmp_path):
    columns, texts = NAMES[case]
    X = pd.DataFrame(VALUES, columns=columns)
    if case == "none":
        X.columns = pd.Index(columns, dtype=object)
    first, dropped = X.columns[0], X.columns[3]
    found = rank(X, Y, drop=[dropped], nominal=[], **FAST)
    for names in (found.best(3), found.short_list(3), found.to_frame()["feature"]):
        assert X[pd.Index(names, dtype=object) if case == "none" else list(names)].shape == (50, 3)
        assert first in list(names)
        assert dropped not in list(names)
    assert found.best(1) == [first]
    for kind in ("json", "csv", "parquet", "html"):
        write_result(found, tmp_path / f"r.{kind}")
    written = json.loads((tmp_path / "r.json").read_text())
    assert {row["feature"] for row in written["features"]} == set(texts[:3])
    assert written["short_list"][0] == texts[0]
    as_csv = pd.read_csv(tmp_path / "r.csv", dtype=str, keep_default_na=False)
    assert set(as_csv["feature"]) == set(pd.read_parquet(tmp_path / "r.parquet")["feature"]) == set(texts[:3])


def test_options_accept_names_or_their_text():
    X = pd.DataFrame(VALUES, columns=[1990, 1991, 2000, 2001])
    X[2002] = np.repeat(range(10), 5)
    X[2003] = X[1991].gt(0).astype(float)
    for group, coded in ((2002, 2003), ("2002", "2003")):
        table = rank(X, Y, groups=group, nominal=[coded], blocks={"both": [1990, "1991"]}, **FAST).table
        assert table.row_columns.groups.max() == 9
        assert list(table.X.columns[table.nominal]) == ["2003"]
    with pytest.raises(ValueError, match="no column 1999"):
        rank(X, Y, drop=[1999], **FAST)


def test_duplicate_names_are_refused():
    with pytest.raises(ValueError, match=r"two columns of X are named 'a'.*X.columns.duplicated\(\)"):
        rank(pd.DataFrame(VALUES, columns=list("abca")), Y, **FAST)


def test_target_names_are_text(tmp_path):
    Z = pd.DataFrame({(1, "u"): VALUES[:, 0], (1, "v"): VALUES[:, 1]})
    found = rank(VALUES[:, 2:], Z, **FAST)
    write_result(found, tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["table"]["target"]["names"] == ["(1, 'u')", "(1, 'v')"]


def test_special_characters_in_names_are_drawn_literally():
    names = ["tab\there", "$x_1$ costs $", "=A1+B2", "bad $\\frac{1$ <blink>"]
    found = rank(pd.DataFrame(VALUES, columns=names), np.array(["a $1$", "b"])[Y], **FAST)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page = found._repr_html_()
        found.plot().canvas.draw()
    assert "<blink>" not in page
    assert any("tab here" in line for line in ranking_lines(found))
