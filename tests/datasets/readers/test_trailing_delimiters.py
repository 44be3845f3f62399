"""Delimiters at the ends of lines never shift a name."""

import pytest

from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers import pieces, read
from sslrank.tabular.schema.reading import read_own
from sslrank.tabular.schema.roles import ColumnRoles

ROWS = [("north", "3.5", "17", "wet"), ("south", "1.5", "12", "dry"), ("east", "2.5", "19", "dry")]
NAMES = ["station", "wind", "cloud", "rain"]


def table(path, header, rows, mark=",", **options):
    path.write_text("\n".join([header, *rows]) + "\n")
    return read(path, delimiter=mark, **options).frame


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("first", ["texts", "numbers"])
@pytest.mark.parametrize(("above", "below"), [(0, 1), (1, 1), (1, 0), (0, 3), (3, 3), (3, 2), (2, 0)])
def test_trailing_empty_cells_are_ignored(tmp_path, mark, first, above, below):
    rows = [row if first == "texts" else (str(j + 1), *row[1:]) for j, row in enumerate(ROWS)]
    lines = [mark.join(row) + mark * below for row in rows]
    frame = table(tmp_path / "rain.txt", mark.join(NAMES) + mark * above, lines, mark)
    assert list(frame.columns) == NAMES
    assert frame["cloud"].tolist() == [17.0, 12.0, 19.0]
    assert frame["rain"].tolist() == ["wet", "dry", "dry"]


def test_named_empty_last_column_is_kept(tmp_path):
    frame = table(tmp_path / "rain.csv", "wind,cloud,rain", ["3,17,", "1,12,"])
    assert list(frame.columns) == ["wind", "cloud", "rain"]


def test_given_names_are_not_shifted(tmp_path):
    path = tmp_path / "rain.csv"
    path.write_text("1,3.5,17,\n2,1.5,12,\n")
    frame = read(path, header=False, names=["day", "wind", "cloud"]).frame
    assert frame.to_dict("list") == {"day": [1.0, 2.0], "wind": [3.5, 1.5], "cloud": [17.0, 12.0]}


def test_unnamed_values_are_refused(tmp_path):
    lines = ["north,3.5,17,", "south,1.5,12,7", "east,2.5,19,"]
    with pytest.raises(DataError, match=r"line 1: the line has 3 names, and line 3 has 4 values.*row_names=true"):
        table(tmp_path / "rain.csv", "station,wind,cloud", lines)
    frame = table(tmp_path / "rain.csv", "station,wind,cloud", lines, row_names=True)
    assert frame["cloud"].isna().tolist() == [True, False, True]  # the last of the three named columns
    with pytest.raises(DataError, match="3 names, and line 3 has 4 values"):
        table(tmp_path / "rain.csv", "station,wind,cloud", lines, row_names=False)


def test_repeated_row_names_are_refused(tmp_path):
    lines = ["north,3.5,17,1", "north,1.5,12,7", "east,2.5,19,2"]
    with pytest.raises(DataError, match=r"3 names, and line 2 has 4 values.*row_names=true"):
        table(tmp_path / "rain.csv", "wind,cloud,rain", lines)
    assert list(table(tmp_path / "rain.csv", "wind,cloud,rain", lines, row_names=True)) == ["wind", "cloud", "rain"]


def test_large_files_ignore_trailing_delimiters(tmp_path, monkeypatch):
    path = tmp_path / "rain.csv"
    lines = [f"{j},{j % 7},{'ab'[j % 2]}," for j in range(1, 4_000)]
    path.write_text("day,wind,rain\n" + "\n".join(lines) + "\n")
    whole = read(path).frame
    monkeypatch.setattr(pieces, "LARGE", 1_000)
    assert list(read_own(path, ["rain"], ColumnRoles(keep=["day"])).X) == list(whole.columns[:2]) == ["day", "wind"]
    path.write_text("day,wind,rain\n" + "\n".join([*lines, "4000,3,a,9"]) + "\n")
    with pytest.raises(DataError, match=r"3 names, and line \d+ has 4 values"):
        read_own(path, ["rain"])
