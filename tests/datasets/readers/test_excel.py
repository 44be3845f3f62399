"""Excel workbooks, written by openpyxl and pandas."""

import datetime
import io
import zipfile

import numpy as np
import openpyxl
import pytest

from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers import read
from sslrank.datasets.readers.source import size_limit


def workbook(path, *rows, sheet="Data", others=()):
    book = openpyxl.Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(row)
    for name in others:
        book.create_sheet(name).append(["only", "names"])
    book.save(path)
    return path


def test_cells_are_read_as_they_are_stored(tmp_path):
    rows = [
        ("code", "amount", "share", "day", "flag", "text", None),
        ("00001", 1200, 1 / 3, datetime.datetime(2024, 3, 1), True, "a\nb", None),
        (),
        ("00002", -2.5, None, datetime.datetime(2024, 3, 2, 12, 30), False, "NA", None),
    ]
    content = read(workbook(tmp_path / "a.xlsx", *rows))
    frame = content.frame
    assert list(frame.columns) == ["code", "amount", "share", "day", "flag", "text"]
    assert frame["code"].tolist() == ["00001", "00002"]
    np.testing.assert_array_equal(frame["amount"], [1200, -2.5])
    np.testing.assert_array_equal(frame["share"], [1 / 3, np.nan])
    assert frame["day"].tolist() == ["2024-03-01", "2024-03-02 12:30:00"]
    assert frame["flag"].tolist() == ["True", "False"]
    assert frame["text"].isna().tolist() == [False, True]
    assert content.numbers == [2, 4]


def test_title_above_the_names_is_left_out(tmp_path):
    title = [("Ausschuss im April",), ("Stand: 02.05.22", "vertraulich"), ()]
    names, rows = ("Größe", "Druck", "Ausschuss"), [("S", 1.5, "ja"), ("M", 2.5, "nein")]
    content = read(workbook(tmp_path / "a.xlsx", *title, names, *rows))
    assert (list(content.frame), content.numbers) == ([*names], [5, 6])
    assert content.notes == ["lines 1 to 2 are above the names of the columns and left out; else --reader header=true"]
    assert list(read(workbook(tmp_path / "b.xlsx", ("a",), (1,), (2,))).frame) == ["a"]
    assert list(read(workbook(tmp_path / "c.xlsx", ("a",), (1, 2, 3))).frame) == ["a", "column 2", "column 3"]


def test_ambiguous_values_name_the_sheet_row(tmp_path):
    path = workbook(tmp_path / "a.xlsx", ("a",), (1,), ("x",), (3,))
    with pytest.raises(DataError, match=r"a\.xlsx, column 1 \('a'\): .*'x' in line 3"):
        read(path)
    assert read(path, missing=["x"]).frame["a"].isna().tolist() == [False, True, False]


def test_non_workbook_files_are_refused(tmp_path):
    damaged = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 a damaged .xls"
    for content, message in ((b"a,b\n1,2\n", "not a workbook"), (damaged, "not a readable workbook")):
        (tmp_path / "a.xlsx").write_bytes(content)
        with pytest.raises(DataError, match=rf"a\.xlsx.*{message}"):
            read(tmp_path / "a.xlsx")


def test_damaged_and_too_large_workbooks_are_refused(tmp_path):
    path = workbook(tmp_path / "a.xlsx", ("a", "b"), (1, 2))
    stream = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(stream, "w") as new:
        for item in old.infolist():
            new.writestr(item, old.read(item)[:-9] if "sheet1" in item.filename else old.read(item))
    with size_limit("5k"), pytest.raises(DataError, match=r"unpacks to .* and the limit is 5 kB"):
        read(path)
    path.write_bytes(stream.getvalue())
    with pytest.raises(DataError, match="not a readable workbook"):
        read(path)
    with pytest.raises(DataError, match=r"NUL|not utf-8"):
        read(path, format="csv")
