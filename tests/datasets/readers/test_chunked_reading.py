"""Large files read in chunks give the table of the whole file, except for unlabelled rows that are sampled."""

import numpy as np
import pandas as pd
import pytest

from sslrank.core.errors import DataError
from sslrank.datasets.readers import delimited, parquet, pieces, source
from sslrank.tabular.schema import reading
from sslrank.tabular.schema.reading import read_own


@pytest.fixture
def small_pieces(monkeypatch):
    """Read all files in pieces, of some hundred rows."""

    def blocks(path, size=6_000, quoted=False):
        return source.blocks(path, size, quoted)

    monkeypatch.setattr(pieces, "LARGE", 1_000)
    monkeypatch.setattr(delimited, "blocks", blocks)
    monkeypatch.setattr(parquet, "_CELLS", 700)


@pytest.fixture
def frame():
    """Numbers, whole numbers, texts, codes, a column whose values begin late, and few labels."""
    rng = np.random.default_rng(0)
    n = 1_200
    return pd.DataFrame(
        {
            "a": rng.normal(size=n).round(4),
            "b": rng.integers(0, 9, n) - 1,
            "t": rng.choice(["p", "q", "NA", 'x "y"', "with, comma", "two\nlines"], n),
            "code": [f"{i % 700:05d}" for i in range(n)],
            "late": [np.nan] * (n // 2) + list(rng.normal(size=n // 2)),
            "y": np.where(rng.random(n) < 0.1, rng.choice(["u", "v"], n), None),
        }
    )


def assert_same_table(first, second):
    """Compare two tables of one's own."""
    pd.testing.assert_frame_equal(first.X, second.X)
    assert list(first.y) == list(second.y)
    assert first.describe() == second.describe()


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".tsv", ".parquet"])
def test_chunked_reading_equals_whole_file(frame, tmp_path, suffix, monkeypatch, request):
    path = tmp_path / f"data{suffix}"
    if suffix == ".parquet":
        frame.to_parquet(path, row_group_size=170)
    else:
        frame.to_csv(path, index=False, sep="\t" if suffix == ".tsv" else ",")
    whole = read_own(path, ["y"])
    request.getfixturevalue("small_pieces")
    assert_same_table(read_own(path, ["y"]), whole)


def test_labelled_rows_are_kept_and_others_sampled(small_pieces, frame, tmp_path, monkeypatch):
    frame.insert(0, "row", np.arange(len(frame)) * 1.5)
    frame.to_csv(tmp_path / "data.csv", index=False)
    monkeypatch.setattr(reading, "MAX_CELLS", 7 * 400)
    table = read_own(tmp_path / "data.csv", ["y"])
    labeled = frame["y"].notna()
    n_labeled, n_rows = int(labeled.sum()), len(frame)
    assert len(table.X) == 400
    assert set(frame["row"][labeled]) <= set(table.X["row"])
    assert table.X["row"].is_monotonic_increasing
    drawn = table.X["row"][~table.labeled] / 1.5
    assert 0.4 * n_rows < drawn.mean() < 0.6 * n_rows
    lines = table.describe()
    assert f"{n_rows} rows, {n_labeled} labelled, {n_rows - n_labeled} unlabelled" in lines[0]
    said = f"{400 - n_labeled} of {n_rows - n_labeled} unlabelled ones, drawn at random"
    assert any(said in line for line in lines)
    blocks = delimited.blocks
    monkeypatch.setattr(delimited, "blocks", lambda *arguments, **options: blocks(*arguments, size=2_500, **options))
    assert_same_table(read_own(tmp_path / "data.csv", ["y"]), table)  # whatever the size of the pieces


@pytest.mark.parametrize(
    ("last", "problem"),
    [
        ("abc,1,p,00001,1,u", "'abc' in line 1203"),
        ("1,1,p", "line 1203: the row has 3 values, expected 6"),
        ('1,1,"p,00001,1,u', "line 1203: a quote .* is not closed"),
        ("inf,1,p,00001,1,u", "line 1203, column 1 .*'inf' is not a number.*--reader missing='inf'"),
        ("1,1e400,p,00001,1,u", "line 1203, column 2 .* beyond the range"),
        ("1,9007199254740993,p,00001,1,u", "line 1203, column 2 .*float64 cannot hold"),
        ("1,1,p\0,00001,1,u", "line 1203: a NUL byte"),
    ],
)
def test_invalid_last_line_raises_with_line(small_pieces, frame, tmp_path, last, problem):
    path = tmp_path / "data.csv"
    frame["t"] = frame["t"].replace({"two\nlines": "z"})
    frame["a"] = frame["a"].where(frame.index != 0, 0.5)
    frame["b"] = frame["b"].abs()
    path.write_text(frame.to_csv(index=False) + "\n" + last + "\n")
    with pytest.raises(DataError, match=problem):
        read_own(path, ["y"])
    assert sorted(tmp_path.iterdir()) == [path]


def test_infinity_in_last_parquet_row_is_refused(small_pieces, frame, tmp_path):
    frame.loc[len(frame) - 1, "a"] = np.inf
    frame.to_parquet(tmp_path / "data.parquet")
    with pytest.raises(DataError, match=r"column 1 .*row 1200 has inf"):
        read_own(tmp_path / "data.parquet", ["y"])


def test_row_names_are_left_out(small_pieces, frame, tmp_path):
    frame[["a", "y"]].to_csv(tmp_path / "data.csv")
    table = read_own(tmp_path / "data.csv", ["y"])
    assert any("row names" in note for note in table.notes)
    assert list(table.X.columns) == ["a"]


def test_unlabeled_values_are_applied_in_chunks(small_pieces, frame, tmp_path, monkeypatch):
    frame["y"] = frame["y"].fillna("none")
    frame.to_csv(tmp_path / "data.csv", index=False)
    monkeypatch.setattr(reading, "MAX_CELLS", 7 * 300)
    table = read_own(tmp_path / "data.csv", ["y"], unlabeled=["none"])
    assert int(table.labeled.sum()) == int((frame["y"] != "none").sum())
    assert len(table.X) == 350
