"""``sslrank reduce`` and ``curve`` on saved rankings: which features they take, in which order."""

import pandas as pd
import pytest

from sslrank.tabular.output.files import as_json, write
from sslrank.tabular.output.json_fields import SCHEMA

ROWS = [
    # feature, q, conditional_q, low, copy_of, direction
    ("heart", 0.001, 0.2, 2.0, "", "high in ill"),
    ("pulse", 0.001, 0.2, 1.0, "heart", "high in ill"),
    ("weight", 0.02, 0.01, 3.0, "", "high in well"),
    ("age", 0.3, 0.05, None, "", ""),
    ("coin", 0.9, 0.9, None, "", ""),
]


@pytest.fixture
def saved(run):
    """A ranking in a folder and as CSV, of which three features are enough, and its table."""
    names = ["feature", "q", "conditional_q", "low", "copy_of", "direction"]
    rows = [dict(zip(names, row, strict=True), rank=j, kind="numeric", mean_rank=9 - j) for j, row in enumerate(ROWS)]
    target = {"columns": ["y"], "stated_task": "regression", "event": None, "adjust": [], "positives_only": False}
    noted = {"schema": SCHEMA, "features": rows, "n_enough": 3, "why_enough": "as judged"}
    noted["recipe"] = {"target": ["y"], "reader": {}, "options": {}}
    noted["table"] = {"dropped": {}, "target": target}
    write("found/ranking.json", as_json(noted))
    pd.DataFrame(rows).to_csv("r.csv", index=False)
    pd.DataFrame({name: range(12) for name, *_ in ROWS} | {"y": ["ill", "well"] * 6}).to_csv("d.csv", index=False)
    return run


def taken(run, *words, file="found"):
    code, stdout, stderr = run("reduce", "d.csv", file, *words, "--out", "s.csv")
    assert (code, stderr) == (0, "")
    return [name for name in pd.read_csv("s.csv") if name != "y"], stdout


@pytest.mark.parametrize(
    ("words", "features"),
    [
        ((), ["heart", "weight"]),
        (("--keep-duplicates",), ["heart", "pulse", "weight"]),
        (("--n-features", 3), ["heart", "weight", "age"]),
        (("--related",), ["heart", "weight"]),
        (("--related", "--keep-duplicates"), ["heart", "pulse", "weight"]),
        (("--conditional",), ["weight"]),
        (("--related", "--n-features", 1), ["heart"]),
        (("--column", "conditional_q", "--n-features", 3), ["weight", "age", "heart"]),
        (("--column", "low", "--n-features", 4), ["pulse", "weight", "age", "coin"]),
        (("--column", "q", "--n-features", 4, "--keep-duplicates"), ["heart", "pulse", "weight", "age"]),
    ],
)
def test_reduce_selects_expected_features(saved, words, features):
    assert taken(saved, *words)[0] == features
    if words and words != ("--keep-duplicates",):  # the CSV does not say how many are enough
        assert taken(saved, *words, file="r.csv")[0] == features


def test_output_lists_chosen_features_and_left_out_duplicates(saved):
    stdout = taken(saved)[1]
    assert stdout.splitlines() == [
        "wrote s.csv: 2 of the best 3 features of 5 (as judged) and y",
        "features: heart (high in ill), weight (high in well)",
        "left out: 1 near-duplicate of these: pulse; --keep-duplicates keeps them",
    ]
    assert "by column 'q', the lowest first" in taken(saved, "--column", "q")[1]
    assert "left out: 1 near-duplicate of these: pulse" in taken(saved, "--related", "--column", "conditional_q")[1]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("--n-features 5", "must be in 1..4, got 5, without 1 near-duplicate; --keep-duplicates keeps them"),
        ("--related --n-features 5", "must be in 1..2, got 5; --related leaves no more, without 1 near-duplicate"),
        ("--column direction", "ranking.json, column 'direction': expected a number for the feature 'heart'"),
    ],
)
def test_invalid_choices_are_refused(saved, words, problem):
    assert problem in saved("reduce", "d.csv", "found", *words.split(), "--out", "s.csv")[2]
    with pytest.raises(SystemExit):  # one of two is taken
        saved("reduce", "d.csv", "found", "--conditional", "--related", "--out", "s.csv")


def test_reader_notes_take_one_line_each(saved):
    table = pd.read_csv("d.csv")
    table.index += 1
    table.to_csv("d.csv")  # a first column without a name
    _, stdout = taken(saved)
    assert "note: d.csv: the first column has no name" in stdout
