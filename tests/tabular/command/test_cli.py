"""The commands as typed: a result, or one error message."""

import functools
import hashlib
import inspect
import io
import json
import os
import shlex
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank.cli import make_parser
from sslrank.rankers.registry import RANKERS
from sslrank.tabular.command.rankings import SavedRanking
from sslrank.tabular.output import files as files_module
from sslrank.tabular.output.files import write

FAST = ("--methods", "information_gain,f_score")
ORDER = (*FAST, "--effort", "order")


def test_rank_prints_how_the_table_was_read_and_ranks(run, frame):
    frame.to_csv("d.csv", index=False)
    code, stdout, stderr = run("rank", "d.csv", "--target", "y", "--effort", "order")
    assert (code, stderr) == (0, "")
    lines = stdout.splitlines()
    assert lines[0] == "d.csv: 120 rows, 60 labelled, 60 unlabelled"
    assert lines[1].startswith("target y: classification (texts, 2 distinct)")
    assert lines[2].startswith("features: 6 numeric, 1 nominal: shade")
    assert lines[3] == "methods: genie3, l1; tests on labelled rows"
    assert lines[5].startswith("From 60 labelled of 120 rows, 2 of 7 features are related to y ")
    table = [line.split() for line in lines if line.strip()[:1].isdigit()]
    assert {table[0][1], table[1][1]} == {"f1", "f4"}
    command = "sslrank rank d.csv --target y --effort order --out ranking"
    assert lines[-1] == f"next: Save the ranking with a page to show to others: {command}"


def test_out_is_a_folder_or_a_file(run, frame, tmp_path):
    frame.rename(columns={"f1": 'f1 <&"', "f4": "long" * 20}).to_csv("d.csv", index=False)
    words = ("rank", "d.csv", "--target", "y")
    assert run(*words, *FAST, "--out", "found")[0] == 0
    names = ["curve.csv", "ranking.csv", "ranking.html", "ranking.json", "ranking.parquet"]
    assert sorted(path.name for path in (tmp_path / "found").iterdir()) == names
    ranking = pd.read_csv("found/ranking.csv")
    assert ranking["rank"].tolist() == list(range(1, 8))
    written = pd.read_parquet("found/ranking.parquet")
    assert ranking.columns.tolist() == written.columns.tolist()
    numbers = ranking.dropna(axis=1, how="all").select_dtypes("number").columns
    pd.testing.assert_frame_equal(ranking[numbers], written[numbers], check_dtype=False)
    found = json.loads((tmp_path / "found/ranking.json").read_text())
    table = found["table"]
    assert (table["n_labeled"], table["target"]["task"], len(found["features"])) == (60, "classification", 7)
    assert table["sha256"] == hashlib.sha256((tmp_path / "d.csv").read_bytes()).hexdigest()
    command = f"sslrank reduce d.csv found --n-features {found['n_enough']} --out small.csv"
    assert found["answer"]["command"] == command
    page = (tmp_path / "found/ranking.html").read_text()
    assert f"<code>{command}</code>" in page
    svgs = list(ET.fromstring(page[page.index("<body>") : page.index("</body>") + 7]).iter("svg"))
    assert len(svgs) == 8  # a picture of each feature, and the curve
    assert all(svg.get("viewBox") and svg.get("aria-label") for svg in svgs)
    for word, is_there in (("prefers-color-scheme: dark", True), ('name="viewport"', True), ("http", False)):
        assert (word in page) is is_there
    stdout = run("reduce", "d.csv", "found", "--n-features", 2, "--out", "small.csv")[1]
    assert stdout.startswith("wrote small.csv: the best 2 features of 7 and y\nfeatures: ")
    assert stdout.count("(high in yes)") == 2
    assert set(pd.read_csv("small.csv")) == {'f1 <&"', "long" * 20, "y"}
    stdout = run(*words, *ORDER, "--out", "found")[1]
    assert "methods: information_gain, f_score; tests on labelled rows\n" in stdout
    assert "found/curve.csv belongs to an earlier ranking" in stdout
    for name in ("r.csv", "r.json", "r.parquet"):
        assert run(*words, *ORDER, "--out", name)[0] == 0
        assert (tmp_path / name).stat().st_size > 500


TINY = "a,b,y\n1,4,p\n2,3,q\n3,5,p\n"
#: Files that cannot be used, or only in part; others are made of the frame.
FILES = {
    "tiny.csv": TINY,
    "other.json": "[]",
    "r.csv": "feature\nf1\n",
    "alien.csv": "feature,rank\na,1\nc,2\n",
    "one.csv": "feature,rank\na,1\n",
    "nameless.csv": "a\nb\n",
}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("reduce less.csv r.csv --n-features 1 --out s.csv", "less.csv: there is no column 'f1'"),
        ("reduce ragged.csv r.csv --n-features 1 --out s.csv", "ragged.csv, line 122"),
        ("reduce d.csv r.csv --n-features 1 --keep-columns z --out s.csv", "d.csv: there is no column 'z'"),
        ("reduce d.csv gone --out s.csv", "gone: there is no such file"),
        ("reduce d.csv . --out s.csv", "ranking.json: there is no such file"),
        ("reduce d.csv other.json --out s.csv", "other.json: not a file written by 'sslrank rank --out'"),
        ("reduce d.csv r.csv --out d.csv", "this is an input file and would be overwritten"),
        ("reduce d.csv r.csv --out .", "expected a file, this is a folder"),
        ("reduce d.csv r.csv --out s.xlsx", "expected a name that ends in one of .csv, .csv.gz"),
        ("rank d.csv --target y --out r.txt", "expected a folder, or a name that ends in one of .csv"),
        ("rank d.csv --target y --out run.2026", "To write to a folder with a point in its name, create it first"),
        ("rank d.csv --target y --out d.csv/r", "not a writable folder"),
        ("rank d.csv --target y --out d.csv", "this is an input file and would be overwritten"),
        ("rank folder --target y", "found a folder"),
        ("rank - --target y", "found a pipe"),
        ("rank pipe --target y", "found a pipe"),
        ("rank cost.csv --target Y", "there is no column 'Y'; did you mean 'y'?"),  # said first
        ("rank d.csv --target f1 --methods permutation_importance", "does not support regression"),
        ("rank d.csv --target y --methods ''", "no method is given"),
        (
            "rank d.csv --target y --methods auto,permutation_importance",
            "chooses methods, so it is the only one. Leave it out, or",
        ),
        ("rank d.csv --target y --methods nowhere:Ranker", "No module named 'nowhere'"),
        ("rank d.csv --target y --methods os:system", "is not a ranker"),
        ("methods os:system", "is not a ranker"),
        ("methods relif", "did you mean 'relief'"),
        ("curve tiny.csv alien.csv --target y", "alien.csv: features that are not columns of tiny.csv: c"),
        ("curve tiny.csv one.csv --target y", "cannot estimate how many features suffice from 3 labelled rows"),
        ("curve tiny.csv nameless.csv --target y", "expected column names in the first line, but 'a' is"),
    ],
)
def test_errors_are_one_line_and_write_nothing(run, frame, tmp_path, words, problem):
    frame.to_csv("d.csv", index=False)
    frame.drop(columns="f1").to_csv("less.csv", index=False)
    frame.assign(cost="\u20ac1,500").to_csv("cost.csv", index=False)
    (tmp_path / "ragged.csv").write_text((tmp_path / "d.csv").read_text() + "1,2\n")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    before = {path.name for path in tmp_path.iterdir()}
    code, stdout, stderr = run(*shlex.split(words))
    assert (code, stderr.count("\n")) == (1, 1)
    assert stderr.startswith("sslrank: error: ")
    assert problem in stderr
    assert "methods: " not in stdout  # what rank says first when it begins
    assert {path.name for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_reduced_table_keeps_values_of_the_file(run, frame, suffix):
    """Decimal commas of numbers become points; texts, codes and whole numbers stay."""
    frame["shade"] = "1," + frame["f0"].astype(str).str[-1]
    frame["f2"] = (np.arange(120) % 7).astype(float)
    codes = pd.Series(np.arange(120) % 5).map("0{}".format)
    frame = frame.assign(f3=codes, y=frame["y"].map({"yes": "1", "no": "0"}))
    if suffix == ".csv":
        frame.astype({"f2": int}).to_csv("d.csv", index=False, sep=";", decimal=",")
    else:
        frame.to_parquet("d.parquet")
    assert run("rank", f"d{suffix}", "--target", "y", *ORDER, "--nominal", "shade,f3", "--out", "found")[0] == 0
    assert run("reduce", f"d{suffix}", "found", "--n-features", 7, "--out", "r.csv")[0] == 0
    frame.astype({"f2": int}).to_csv("expected.csv", index=False)
    reduced = pd.read_csv("r.csv", dtype=str)[[*frame]]
    np.testing.assert_array_equal(reduced["f1"].astype(float), frame["f1"])
    expected = pd.read_csv("expected.csv", dtype=str)
    names = ["shade", "f2", "f3", "y"]
    pd.testing.assert_frame_equal(reduced[names], expected[names])
    for end in (".csv.gz", ".tsv", ".tsv.gz", ".parquet"):
        assert run("reduce", f"d{suffix}", "found", "--out", f"small{end}")[0] == 0
        read = pd.read_parquet if end == ".parquet" else functools.partial(pd.read_csv, sep=",\t"["tsv" in end])
        assert set(read(f"small{end}")) == {"f1", "f4", "y"}


def test_unreadable_column_can_be_dropped(run, frame):
    frame.assign(d=[[1.0]] * len(frame), u=2**63 + 1).to_parquet("d.parquet")
    assert "Leave it out: --drop d " in run("rank", "d.parquet", "--target", "y", *FAST)[2]
    assert run("rank", "d.parquet", "--target", "y", *ORDER, "--drop", "d,u", "--out", "found")[0] == 0
    assert run("reduce", "d.parquet", "found", "--out", "r.csv")[0] == 0


def test_failed_run_leaves_no_partial_output(monkeypatch, tmp_path):
    write(tmp_path / "a.txt", "old")

    def no_more(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files_module.os, "replace", no_more)
    with pytest.raises(ValueError, match=r"a\.txt: cannot be written: No space left"):
        write(tmp_path / "a.txt", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


def table(n, y, head="a,y", cells="{a}.5"):
    """A table of n rows: `cells` and what `y` gives for the row's number."""
    return head + "\n" + "".join(f"{cells.format(a=i * 7 % 11, b=i)},{y(i)}\n" for i in range(n))


POOR = {
    "three rows": (TINY, (), "3 rows have a target; a ranking needs at least 5"),
    "a class once": (table(20, lambda i: "pq"[i == 3]), (), "classes with only one labelled row: q"),
    "95 % unlabelled": (table(100, lambda i: "pq"[i % 2] if i < 5 else "", "a,b,y", "{a},{b}.5"), (), "95 unlabelled"),
    "one class": (table(20, lambda i: "p"), (), "'p': there is nothing to predict. Label rows of another class or with "
                  "other values\n"),
    "one class, others unlabelled": (table(20, lambda i: "p" if i % 2 else ""), (), "other rows (--positives-only)"),
    "a number that is constant": (table(20, lambda i: 1.5), (), "there is nothing to predict"),
    "target in the middle, named twice": ("a,y,b\n1,p,4\n2,q,3\n3,p,5\n", ("--target", "y,y"), "features: 2 numeric"),
    "columns of the output": (table(20, lambda i: "pq"[i % 2], "rank,feature,y", "{a}.5,{b}.5"), (), "features: 2"),
}  # fmt: skip


@pytest.mark.parametrize("name", POOR)
def test_degenerate_files_are_ranked_or_refused(run, tmp_path, name):
    text, words, expected = POOR[name]
    (tmp_path / "d.csv").write_text(text)
    code, stdout, stderr = run("rank", "d.csv", "--target", "y", "--effort", "order", *words)
    assert code == 0 or "C11: " in stderr, stderr
    assert expected in stdout or expected in stderr


@pytest.mark.parametrize(
    ("error", "code", "words"), [(MemoryError(), 1, "out of memory"), (KeyboardInterrupt(), 130, "interrupted")]
)
def test_run_errors_are_one_line(run, frame, monkeypatch, error, code, words):
    def stop(*_, **__):
        raise error

    frame.to_csv("d.csv", index=False)
    monkeypatch.setattr("sslrank.tabular.command.rank.rank_own_table", stop)
    found = run("rank", "d.csv", "--target", "y")
    assert found[0] == code
    assert found[2].startswith("sslrank: ")
    assert words in found[2]
    assert found[2].count("\n") == 1


def test_threads_are_capped_at_cpu_count():
    assert make_parser().parse_args(["rank", "d.csv", "--jobs", "99999"]).jobs == os.cpu_count()


def test_curve_evaluates_external_rankings(run, frame, tmp_path):
    frame.to_csv("d.csv", index=False)
    pd.DataFrame({"feature": ["f1", "f4"], "importance": [2, 1]}).to_csv("good.csv", index=False)
    code, stdout, _ = run("curve", "d.csv", "good.csv", "--target", "y", "--out", "c.csv")
    assert code == 0
    assert "features missing from the ranking come last" in stdout
    assert "if the ranking was made from these rows" in stdout
    assert "ranking: good.csv, by column 'importance', the highest first" in stdout
    curve = pd.read_csv("c.csv")
    assert curve["size"].tolist() == list(range(1, 8))
    assert curve["best"][1] > curve["worst"][1]
    assert f"{curve['best'][0]:.3f}" in stdout


@pytest.mark.parametrize(
    ("text", "column", "order"),
    [
        ("feature,importance,rank\na,1,1\nb,2,2\n", None, ["b", "a"]),
        ("name,rank:relief\na,2\nb,1\n", "rank:relief", ["b", "a"]),
        ("name\tweight\na\t1\nb\t5\n", "weight", ["b", "a"]),
        ("name,other\nb,0\na,1\n", "other", ["a", "b"]),
        ("name\nb\na\n", None, ["b", "a"]),
        ("name,gain_Rank\nb,2\na,1\n", "gain_Rank", ["a", "b"]),
        ("feature,rank\n007,2\nNA,1\n1.50,3\n", None, ["NA", "007", "1.50"]),
    ],
)
def test_saved_ranking_reads_output_of_other_programs(tmp_path, text, column, order):
    (tmp_path / "r.csv").write_text(text)
    assert list(SavedRanking.read(tmp_path / "r.csv").importances(column).sort_values(ascending=False).index) == order


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("feature,importance\na,1\na,2\n", None, "'a' is listed twice"),
        ("feature,importance\na,1\nb,x\n", None, "line 3, column 'importance': expected a number"),
        ("feature,importance\na,1\nb,2\n", "importanc", "did you mean 'importance'"),
    ],
)
def test_saved_ranking_refuses_invalid_columns(tmp_path, text, column, problem):
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(ValueError, match=problem):
        SavedRanking.read(tmp_path / "r.csv").importances(column)


def test_methods_are_listed_and_explained(run):
    listed = run("methods")[1]
    assert [line.split()[0] for line in listed.splitlines()] == sorted(RANKERS)
    assert [line.split()[0] for line in run("methods", "--task", "regression")[1].splitlines()] == sorted(
        name for name, info in RANKERS.items() if "regression" in info.tasks
    )
    explained = run("methods", "relief")[1]
    assert "class SSLRelief" in explained
    assert inspect.getdoc(sslrank.SSLRelief) in explained
    assert "n_neighbors" in explained
    assert "kinds of target: any\n" in explained
    assert "kinds of target: classification, regression\n" in run("methods", "boruta")[1]
    assert "paper: https://arxiv.org/abs/2008.03937\ncode: " in explained


def test_output_is_escaped_for_terminal_encoding(run, frame, tmp_path, monkeypatch):
    frame.rename(columns={"f1": "größe_" + "x" * 30}).to_csv("d.csv", index=False)
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    assert run("rank", "d.csv", "--target", "y", *ORDER, "--out", "r.csv")[::2] == (0, "")
    terminal.flush()
    assert b"gr\\xf6\\xdfe" in terminal.buffer.getvalue()
    assert (tmp_path / "r.csv").exists()
