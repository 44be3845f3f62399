"""A saved ranking says how its table was read; the next table is ranked, reduced and evaluated without options."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sslrank

#: As a German spreadsheet saves it; b.csv is the same a month later.
WORDS = ("--target", "y", "--drop", "junk", "--nominal", "code", "--reader", "missing=k.A.", "--groups", "who")
EFFORT = ("--effort", "order", "--methods", "f_score", "--seed", "3")


def month(seed, start):
    rng = np.random.default_rng(seed)
    n = 90
    frame = pd.DataFrame(rng.normal(size=(n, 3)).round(2)).add_prefix("f")
    days = pd.to_timedelta(rng.integers(0, 200, n), unit="D")
    frame["visit"] = (pd.to_datetime(start) + days).strftime("%d.%m.%Y")
    frame["code"], frame["shade"] = rng.integers(1, 4, n), rng.choice(["hell", "dunkel"], n)
    frame["junk"], frame["who"] = rng.normal(size=n), np.arange(n) // 2
    frame["y"] = np.where(frame["f1"] + frame["f2"] > 0, "ja", "nein")
    frame["f0"] = [f"{value:.2f}".replace(".", ",") for value in frame["f0"]]
    frame.loc[3, "f0"] = "k.A."
    return frame


@pytest.fixture
def saved(run):
    for name, frame in {"a": month(0, "2021-01-01"), "b": month(1, "2021-08-01")}.items():
        frame.to_csv(f"{name}.csv", sep=";", decimal=",", index=False)
    assert run("rank", "a.csv", *WORDS, *EFFORT, "--out", "run")[0] == 0
    return run


def test_like_is_the_same_as_all_options_typed_again(saved):
    code, stdout, stderr = saved("rank", "b.csv", "--like", "run", "--out", "next")
    assert (code, stderr) == (0, "")
    assert saved("rank", "b.csv", *WORDS, *EFFORT, "--out", "typed")[0] == 0
    after, typed = (json.loads(Path(name, "ranking.json").read_text()) for name in ("next", "typed"))
    assert after["features"] == typed["features"]
    assert after["recipe"] == typed["recipe"]
    options = {"drop": ["junk"], "nominal": ["code"], "groups": "who", "methods": ["f_score"], "effort": "order"}
    assert after["recipe"]["options"] == options | {"random_state": 3, "dates": "day-first"}
    assert after["recipe"]["reader"] == {"missing": ["k.A."], "decimal": ","}
    assert after["recipe"]["levels"] == {"code": ["1", "2", "3"], "shade": ["dunkel", "hell"], "y": ["ja", "nein"]}
    assert "compared with" not in stdout
    assert "left out, as requested: shade, junk" in saved("rank", "b.csv", "--like", "run", "--drop", "shade")[1]
    assert "target shade: " in saved("rank", "b.csv", "--like", "run", "--target", "shade")[1]


def test_reduce_and_curve_need_no_options(saved):
    assert saved("curve", "b.csv", "run", "--target", "y")[2] == ""  # of the guide, with dates
    assert "visit: dates" in saved("curve", "b.csv", "run")[1]
    assert saved("reduce", "b.csv", "run", "--n-features", 6, "--out", "s.csv")[2] == ""
    small = pd.read_csv("s.csv")
    assert set(small) == {"f0", "f1", "f2", "visit", "code", "shade", "y"}
    assert small["f1"].dtype == float


@pytest.mark.parametrize("where", ["file", "python"])
def test_missing_new_and_changed_columns_are_named_at_once(saved, where):
    frame = month(1, "2021-08-01").replace({"shade": {"hell": "bunt"}})
    frame = frame.drop(columns=["f1", "code", "junk"]).assign(g=np.arange(90) % 7 / 2)
    frame["f0"] = pd.to_numeric(frame["f0"].str.replace(",", "."), errors="coerce")
    other = frame.assign(f2=np.where(frame["f2"] > 0, "high", "low"))

    def after(table, **options):
        if where == "python":
            try:
                return "\n".join(sslrank.rank(table, "y", like="run", **options).table.notes)
            except ValueError as error:
                return str(error)
        table.to_csv("c.csv", index=False)
        words = [word for key, value in options.items() for word in (f"--{key}", value[0])]
        return "\n".join(saved("rank", "c.csv", "--like", "run", *words)[1:])

    assert "columns compared with run: missing: f1, code; new: g; with new categories: shade (bunt)" in after(frame)
    found = after(other)
    assert "of another kind: f2 (numeric; here: nominal)" in found
    assert "missing: " in found
    assert "of another kind" not in after(other, nominal=["f2"])


def test_columns_that_are_needed_and_values_that_are_not_saved(saved, tmp_path):
    pd.read_csv("b.csv", sep=";").drop(columns=["y", "who"]).to_csv("c.csv", sep=";", index=False)
    stderr = saved("rank", "c.csv", "--like", "run")[2]
    assert "c.csv: columns that run needs are missing: y, who" in stderr
    X, groups = month(0, "2021-01-01")[["f1", "f2"]], np.arange(90) // 3
    ranking = sslrank.rank(X, X["f1"] > 0, groups=groups, effort="order", methods="f_score")
    (tmp_path / "r.json").write_text(json.dumps(ranking.to_dict(), default=float))
    with pytest.raises(ValueError, match=r"r.json: groups: given as values, which cannot be saved. Pass them again"):
        sslrank.rank(X, X["f1"] > 0, like="r.json")
    again = sslrank.rank(X, X["f1"] > 0, groups=groups, like="r.json")
    assert again.methods == ["f_score"]
    assert again.recipe == ranking.recipe
    assert "ranking.csv: not the ranking.json" in saved("rank", "b.csv", "--like", "run/ranking.csv")[2]
    Path("r.json").write_text("{}")
    assert "r.json: not a file written by" in saved("rank", "b.csv", "--like", "r.json")[2]
    assert "there is no such ranking" in saved("rank", "b.csv", "--like", "gone")[2]


def test_another_currency_and_a_lost_sign_are_errors(run):
    for name, sign in {"a": " EUR", "b": " USD", "c": ""}.items():
        frame = pd.DataFrame({"f": [f"{row * row % 37}.5{sign}" for row in range(60)], "y": ["p", "q"] * 30})
        frame.to_csv(f"{name}.csv", index=False)
    assert run("rank", "a.csv", "--target", "y", *EFFORT, "--out", "run")[0] == 0
    assert run("rank", "a.csv", "--like", "run")[0] == 0
    for name, kind in {"b": "numbers with 'USD'", "c": "numeric"}.items():
        problem = f"of another kind: f (numbers with 'EUR', read as numbers; here: {kind}"
        assert problem in run("rank", f"{name}.csv", "--like", "run")[2]


def book(name, **sheets):
    with pd.ExcelWriter(name) as writer:
        for title, table in sheets.items():
            table.to_excel(writer, sheet_name=title, index=False)


def test_scale_that_gets_another_level_and_workbook_with_a_cover(run):
    frame = pd.DataFrame({"mood": ["bad", "so-so", "good"] * 20, "f": np.arange(60) ** 2 % 37, "y": ["a", "b"] * 30})
    cover, later = pd.DataFrame({"of our customers": []}), frame.replace({"mood": {"good": "great"}})
    book("a.xlsx", Cover=cover, Data=frame)
    book("b.xlsx", Cover=cover, Data=later)
    book("c.xlsx", Data=frame.drop(columns="f"), Other=frame[["f"]])
    assert run("rank", "a.xlsx", "--target", "y", "--ordinal", "bad,so-so,good", *EFFORT, "--out", "run")[0] == 0
    assert "or say what they are: --nominal, --numeric, --ordinal" in run("rank", "b.xlsx", "--like", "run")[2]
    assert run("rank", "b.xlsx", "--like", "run", "--ordinal", "bad,so-so,great")[0] == 0
    assert "'bad' is not a number" in run("rank", "b.xlsx", "--like", "run", "--numeric", "mood")[2]
    stderr = run("reduce", "c.xlsx", "run", "--n-features", 2, "--keep-duplicates", "--out", "d.csv")[2]
    assert "no sheet has f in the row of its names" in stderr
