"""MATLAB, RData and Parquet, and Mulan's list of labels."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rdata
import scipy.io
from scipy import sparse

from sslrank.data.dataset import DataError
from sslrank.data.readers import read
from sslrank.data.readers.mulan import read_labels

PAGE = b"<html><body>not here</body></html>"


def test_integer_matrices_become_float64(tmp_path):
    X = np.array([[0, 255], [250, 7], [3, 4]], dtype=np.uint8)
    scipy.io.savemat(tmp_path / "a.mat", {"X": X, "Y": np.array([[1], [2], [1]], dtype=np.int16)})
    frame = read(tmp_path / "a.mat").frame
    assert list(frame.columns) == ["x1", "x2", "Y"]
    assert (frame.dtypes == np.float64).all()
    assert frame["x1"].sum() == 253
    assert frame["Y"].tolist() == [1, 2, 1]


def test_sparse_matrices_and_other_names(tmp_path):
    content = {"fea": sparse.csc_array(np.array([[0.0, 1], [2, 0]])), "gnd": np.array([1.0, 2])}
    scipy.io.savemat(tmp_path / "a.mat", content)
    frame = read(tmp_path / "a.mat", features="fea", target="gnd").frame
    assert frame.to_numpy().tolist() == [[0, 1, 1], [2, 0, 2]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"X": np.ones((2, 2))}, "no variable 'Y', only X"),
        ({"X": np.ones((2, 2)), "Y": np.ones((3, 1))}, "'X' has 2 rows, 'Y' has 3 values"),
        ({"X": np.array([[1, np.nan], [1, 2]]), "Y": np.ones((2, 1))}, "column 2: 'X' has nan in row 1"),
        ({"X": np.array([["a", 1]], dtype=object), "Y": np.ones((1, 1))}, "'X' must be a matrix of numbers"),
        ({"X": np.ones((2, 2)), "Y": np.ones((2, 1)) * 1j}, "'Y' must be a matrix of numbers"),
        ({"X": np.ones((2, 2, 2)), "Y": np.ones((2, 1))}, "found float64 of shape"),
    ],
)
def test_bad_mat(content, message, tmp_path):
    scipy.io.savemat(tmp_path / "a.mat", content)
    with pytest.raises(DataError, match=rf"a\.mat.*{message}"):
        read(tmp_path / "a.mat")


def test_damaged_mat(tmp_path):
    scipy.io.savemat(tmp_path / "a.mat", {"X": np.random.default_rng(0).random((50, 50)), "Y": np.ones((50, 1))})
    whole = (tmp_path / "a.mat").read_bytes()
    for content, message in (
        (whole[: len(whole) // 2], r"not a readable \.mat file"),
        (b"junk" * 99, r"not a readable \.mat file"),
        (PAGE, "HTML page"),
        (b"", "the file is empty"),
        (b"MATLAB 7.3 MAT-file" + b" " * 105 + b"\x00\x02IM" + bytes(400), "HDF5"),
    ):
        (tmp_path / "b.mat").write_bytes(content)
        with pytest.raises(DataError, match=message):
            read(tmp_path / "b.mat")


def write_rdata(path, value):
    rdata.write_rda(path, {"alon": value})


def test_rdata(tmp_path):
    X = np.arange(6.0).reshape(3, 2)
    write_rdata(tmp_path / "a.RData", {"x": X, "y": pd.Categorical(["t", "n", "t"])})
    frame = read(tmp_path / "a.RData").frame
    assert list(frame.columns) == ["x1", "x2", "y"]
    np.testing.assert_array_equal(frame[["x1", "x2"]], X)
    assert frame["y"].tolist() == ["t", "n", "t"]
    write_rdata(tmp_path / "b.rda", {"m": X, "cls": np.array([0.0, 1.0, 1.0])})
    assert read(tmp_path / "b.rda", features="m", target="cls").frame["cls"].tolist() == [0, 1, 1]
    write_rdata(tmp_path / "c.rda", {"x": X, "y": ["a", "b", "a"]})
    assert read(tmp_path / "c.rda").frame["y"].tolist() == ["a", "b", "a"]


def test_bad_rdata(tmp_path):
    X = np.arange(6.0).reshape(3, 2)
    write_rdata(tmp_path / "a.rda", {"x": X, "z": np.ones(3)})
    with pytest.raises(DataError, match="no list with elements 'x' and 'y'"):
        read(tmp_path / "a.rda")
    write_rdata(tmp_path / "a.rda", {"x": X, "y": np.ones(2)})
    with pytest.raises(DataError, match="'x' has 3 rows, 'y' has 2 values"):
        read(tmp_path / "a.rda")
    write_rdata(tmp_path / "a.rda", {"x": np.full((3, 2), np.nan), "y": np.ones(3)})
    with pytest.raises(DataError, match="'x' has nan in row 1"):
        read(tmp_path / "a.rda")
    for content, message in ((b"RDX3\nX\n and no more", "not a readable RData file"), (PAGE, "HTML page")):
        (tmp_path / "a.rda").write_bytes(content)
        with pytest.raises(DataError, match=message):
            read(tmp_path / "a.rda")


def test_parquet(tmp_path):
    table = pa.table(
        {
            "a": pa.array([1, None, 3]),
            "b": pa.array([True, False, None]),
            "c": pa.array(["u", "v", None]),
            "d": pa.array(["u", "v", "u"]).dictionary_encode(),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    frame = read(tmp_path / "a.parquet").frame
    np.testing.assert_array_equal(frame["a"], [1, np.nan, 3])
    np.testing.assert_array_equal(frame["b"], [1, 0, np.nan])
    assert frame["c"].isna().tolist() == [False, False, True]
    assert frame["d"].tolist() == ["u", "v", "u"]


def test_bad_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": [1.0, float("inf")]}), path)
    with pytest.raises(DataError, match=r"column 1 \('a'\): row 2 has inf"):
        read(path)
    pq.write_table(pa.table({"a": [[1.0], [2.0]]}), path)
    with pytest.raises(DataError, match="neither numbers nor text"):
        read(path)
    pq.write_table(pa.table([[1.0], [2.0]], names=["a", "a"]), path)
    with pytest.raises(DataError, match="declared twice"):
        read(path)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DataError, match="not a readable Parquet file"):
        read(path)


def test_labels(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n'
        '<label name="a b"><label name="c"></label></label>\n<label name="d\'s"/>\n</labels>'
    )
    assert read_labels(path) == ["a b", "c", "d's"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<labels>\n<label name='a'></labels>", "line 2, column .*not well-formed XML"),
        ("<labels>\n<label name='a'/>", "not well-formed XML.*download it again"),
        ("<labels></labels>", "expected <labels>"),
        ("<labels><label/></labels>", "has no name"),
        ("<labels><label name='a'/><label name='a'/></labels>", "'a' is listed twice"),
        ("<!DOCTYPE l [<!ENTITY e 'x'>]><labels><label name='&e;'/></labels>", "entities are not accepted"),
        ("<html><body>404</body></html>", "HTML page"),
        ("", "the file is empty"),
    ],
)
def test_bad_labels(text, message, tmp_path):
    (tmp_path / "a.xml").write_text(text)
    with pytest.raises(DataError, match=rf"a\.xml.*{message}"):
        read_labels(tmp_path / "a.xml")
