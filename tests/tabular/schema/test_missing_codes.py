"""Codes of missing values, and censoring columns, in generated tables."""

import numpy as np
import pandas as pd
import pytest

from sslrank import rank
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.missing_codes import find_missing_code

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([4.0, 0, -9, 7, -9], "-9 in 2 rows"),
        ([4.0, 0, -9, 7], ""),  # once, as in gene expression
        ([4.0, -1, -9, 7], ""),  # others are negative
        ([4.0, -1, 3, 7], ""),
        ([4.5, 999, 12, 999], "999 in 2 rows"),
        ([4.5, 999, 12, 13], ""),  # once
        ([4.5, 99, 50, 99], ""),  # another value is more than half of it
        ([4.5, 99, 49, 99, np.nan], "99 in 2 rows"),
        ([9.0, 1, 2, 9], ""),
        ([99.0, 99.0], ""),
        ([-3.5, 2.5, 0.5, 1, -1, -7777, -7777], "-7777 in 2 rows"),
        ([2.0**31 - 1, 2.0**31 - 1, 1, 2, 3, 4, 5, 6], "2147483647 in 2 rows"),
        ([0.0, 0, 3, 4, 5, 6, 7], ""),  # near
        ([np.nan, np.nan], ""),
    ],
)
def test_numeric_missing_codes_are_found(values, expected):
    assert find_missing_code(np.array(values)) == expected


@pytest.mark.parametrize("mark", ["unknown", "Unk", "N/A", "?", ".", "--", "not recorded", "don't know", "No answer"])
def test_text_missing_codes_are_found(mark):
    assert find_missing_code(pd.Categorical(["soft", mark, "hard", mark])) == f"{mark} in 2 rows"


def test_other_texts_are_not_missing_codes():
    assert find_missing_code(pd.Categorical(["none", "other", "no", "known", "a.", "refusedly"])) == ""
    assert find_missing_code(pd.Categorical(["soft"], categories=["soft", "unknown"])) == ""


def test_missing_codes_are_reported_on_terminal_and_in_c02():
    X = pd.DataFrame({"span": RNG.normal(size=80), "dose": np.where(np.arange(80) % 5, RNG.random(80), -999)})
    y = np.where(np.arange(80) % 3 == 0, "unknown", np.where(X["span"] > 0, "ripe", "raw")).astype(object)
    found = rank(X, y, methods="f_score", effort="order")
    said = "values that may mean missing: y (unknown in 27 rows), dose (-999 in 16 rows)"
    assert any(note.startswith(said) and "--unlabeled=unknown" in note for note in found.table.notes)
    check = next(check for check in found.checks if check.code == "C02")
    assert (check.passed, check.finding) == (False, said)
    assert "--reader missing=-999 --unlabeled=unknown" in check.advice
    clean = rank(X[["span"]], np.where(y == "unknown", None, y), methods="f_score", effort="order")
    assert next(check for check in clean.checks if check.code == "C02").passed


@pytest.mark.parametrize(
    ("target", "column", "values", "is_named"),
    [
        ("days_to_bloom", "withered_status", np.arange(70) % 2, True),
        ("follow_up", "death.code", 1 + np.arange(70) % 2, True),
        ("tte", "censored", np.where(np.arange(70) % 2, "yes", "no"), True),
        ("days_to_bloom", "withered_status", np.arange(70) % 5, False),  # no indicator
        ("days_to_bloom", "withered", np.arange(70) % 2, False),
        ("girth", "withered_status", np.arange(70) % 2, False),  # no time
    ],
)
def test_censoring_column_is_reported(target, column, values, is_named):
    X = pd.DataFrame({"span": RNG.normal(size=70), column: values})
    notes = own_table(X, pd.Series(RNG.random(70) * 90, name=target)).notes
    said = [note for note in notes if note.startswith(f"{column}: may say whether {target} ended or was censored")]
    assert len(said) == is_named
    if is_named:
        assert f"event={column!r} ranks for both" in said[0]
        if values.dtype.kind == "i":
            Y = X[[column]].assign(**{target: RNG.random(70) * 90})
            assert any("may say whether" in note for note in own_table(X[["span"]], Y).notes)
    negative = own_table(X, pd.Series(RNG.normal(size=70), name=target)).notes
    assert not any("censored" in note for note in negative)
