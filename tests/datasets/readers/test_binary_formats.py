"""MATLAB, RData and Parquet, and Mulan's list of labels."""

import gzip
import io
import lzma
import struct
import subprocess
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rdata
import scipy.io
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers import child, read
from sslrank.datasets.readers.mulan import read_labels


def test_integer_matrices_become_float64(tmp_path):
    X = np.array([[0, 255], [250, 7], [3, 0]], dtype=np.uint8)
    for matrix in (X, sparse.csc_array(X.astype(float))):
        scipy.io.savemat(tmp_path / "a.mat", {"fea": matrix, "gnd": np.array([[1], [2], [1]], dtype=np.int16)})
        frame = read(tmp_path / "a.mat", features="fea", target="gnd").frame
        assert list(frame.columns) == ["x1", "x2", "gnd"]
        assert (frame.dtypes == np.float64).all()
        assert frame.to_numpy().tolist() == [[0, 255, 1], [250, 7, 2], [3, 0, 1]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"X": np.ones((2, 2))}, "no variable 'Y', only X"),
        ({"X": np.ones((2, 2)), "Y": np.ones((3, 1))}, "'X' has 2 rows, 'Y' has 3 values"),
        ({"X": np.array([[1, np.nan], [1, 2]]), "Y": np.ones((2, 1))}, "column 2: 'X' has nan in row 1"),
        ({"X": np.array([["a", 1]], dtype=object), "Y": np.ones((1, 1))}, "'X' must be a matrix of numbers"),
        ({"X": np.ones((2, 2)), "Y": np.ones((2, 1)) * 1j}, "'Y' must be a matrix of numbers"),
        ({"X": np.ones((2, 2, 2)), "Y": np.ones((2, 1))}, r"found float64 of shape \(2, 2, 2\)"),
        ({"X": np.array([[2**53 + 1]]), "Y": np.ones((1, 1))}, "'X' has 9007199254740993 in row 1, which float64 cann"),
    ],
)
def test_invalid_mat_files_are_refused(content, message, tmp_path):
    scipy.io.savemat(tmp_path / "a.mat", content)
    with pytest.raises(DataError, match=rf"a\.mat.*{message}"):
        read(tmp_path / "a.mat")


def test_svmlight_files_have_a_target_and_zeros(tmp_path):
    X, y = sparse.random_array((9, 6), density=0.4, rng=3), np.arange(9) % 3
    for first in (True, False):
        dump_svmlight_file(X, y, str(tmp_path / "a.svm"), zero_based=first)
        table = read(tmp_path / "a.svm")
        np.testing.assert_allclose(table.frame.to_numpy(), np.column_stack([X.toarray(), y]))
        assert [*table.frame.columns[[0, -1]], *table.targets] == ["x0" if first else "x1", "target", "target"]
    (tmp_path / "b.libsvm").write_text("a 1:2\n")
    with pytest.raises(DataError, match=r"expected lines such as '1 3:0.5 7:2'.*could not convert string to float"):
        read(tmp_path / "b.libsvm")


def mat_bytes(content, **options):
    stream = io.BytesIO()
    scipy.io.savemat(stream, content, **options)
    return stream.getvalue()


def changed(content, start, value):
    """With an int32 written over some bytes."""
    return content[:start] + struct.pack("<i", value) + content[start + 4 :]


SPARSE = mat_bytes({"X": sparse.csc_array(np.eye(4)), "Y": np.ones((4, 1))})


@pytest.mark.parametrize(
    ("start", "value"),
    [
        (184, 9),  # a row beyond the last: SciPy alone loses the value in silence
        (184, 2**31 - 1),  # SIGSEGV in toarray()
        (176, 0),  # SIGSEGV in loadmat
        (208, 1),
        (224, 9),
        (160, 2_000_000_000),
    ],
)
def test_damaged_sparse_matrix_is_refused(start, value, tmp_path):
    (tmp_path / "a.mat").write_bytes(changed(SPARSE, start, value))
    with pytest.raises(DataError, match=r"a\.mat: (not a readable \.mat file|has arrays of more than 1 GB)"):
        read(tmp_path / "a.mat", max_size="1G")


def test_damaged_or_empty_files_are_refused(tmp_path):
    whole = mat_bytes({"X": np.random.default_rng(0).random((50, 50)), "Y": np.ones((50, 1))})
    for name, content, message in (
        ("a.mat", whole[: len(whole) // 2], r"not a readable \.mat file"),
        ("a.mat", whole[:128], r"a\.mat: there is no variable 'X'"),
        ("a.mat", b"MATLAB 7.3 MAT-file" + b" " * 105 + b"\x00\x02IM" + bytes(400), "HDF5"),
        ("a.rda", b"RDX3\nX\n and no more", "not a readable"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError, match=message):
            read(tmp_path / name)


def test_compressed_binary_files_are_read(tmp_path):
    """``read`` promises .gz for every format."""
    (tmp_path / "a.mat.gz").write_bytes(gzip.compress(SPARSE))
    assert read(tmp_path / "a.mat.gz").frame.shape == (4, 5)
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "a.parquet")
    (tmp_path / "a.parquet.xz").write_bytes(lzma.compress((tmp_path / "a.parquet").read_bytes()))
    assert read(tmp_path / "a.parquet.xz").frame["a"].tolist() == [1, 2]


def test_parsers_run_in_separate_processes(tmp_path, monkeypatch):
    """Elsewhere in the tests they are forks."""
    monkeypatch.setattr(child, "subprocess", subprocess)
    (tmp_path / "a.mat").write_bytes(SPARSE)
    assert read(tmp_path / "a.mat").frame.shape == (4, 5)
    (tmp_path / "a.mat").write_bytes(changed(SPARSE, 176, 0))  # SIGSEGV
    with pytest.raises(DataError, match=r"a\.mat: not a readable \.mat file"):
        read(tmp_path / "a.mat")
    write_rdata(tmp_path / "a.rda", {"x": np.ones((3, 2)), "y": ["a", "b", "a"]})
    assert read(tmp_path / "a.rda").frame["y"].tolist() == ["a", "b", "a"]


def write_rdata(path, value):
    rdata.write_rda(path, {"alon": value})


def test_rdata_files_are_read(tmp_path):
    X = np.arange(6.0).reshape(3, 2)
    write_rdata(tmp_path / "a.RData", {"x": X, "y": pd.Categorical(["t", "n", "t"])})
    frame = read(tmp_path / "a.RData").frame
    assert list(frame.columns) == ["x1", "x2", "y"]
    np.testing.assert_array_equal(frame[["x1", "x2"]], X)
    assert frame["y"].tolist() == ["t", "n", "t"]
    write_rdata(tmp_path / "b.rda", {"m": X, "cls": np.array([0.0, 1.0, 1.0])})
    assert read(tmp_path / "b.rda", features="m", target="cls").frame["cls"].tolist() == [0, 1, 1]


def test_r_data_frames_are_read(tmp_path):
    frame = pd.DataFrame({"size": [1.5, np.nan, 3], "soil": pd.Categorical(["clay", "silt", "sand"])})
    write_rdata(tmp_path / "a.rda", frame)
    rdata.write_rds(tmp_path / "a.rds", frame)
    for name in ("a.rda", "a.rds"):
        found = read(tmp_path / name).frame.astype(object)
        pd.testing.assert_frame_equal(found, frame.astype(object), check_dtype=False)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"z": np.ones(3)}, "expected one data frame, or a list with elements 'x' and 'y'.*holds alon"),
        ({"y": np.ones(2)}, "'x' has 3 rows, 'y' has 2 values"),
        ({"x": np.full((3, 2), np.nan), "y": np.ones(3)}, "column 1: 'x' has nan in row 1"),
        ({"y": None}, "'y' must be a vector"),
        ({"y": {"a": 1.0}}, "'y' must be a vector"),
        ({"y": [[1.0], [1.0, 2.0], [3.0]]}, "'y' must be a vector"),
        ({"y": np.ones((3, 2))}, "'y' must be a vector"),
        ({"y": np.array([1, np.inf, 2])}, "'y' is infinite in row 2"),
    ],
)
def test_invalid_rdata_files_are_refused(content, message, tmp_path):
    write_rdata(tmp_path / "a.rda", {"x": np.arange(6.0).reshape(3, 2), **content})
    with pytest.raises(DataError, match=rf"a\.rda.*{message}"):
        read(tmp_path / "a.rda")


def test_missing_rdata_classes_are_read(tmp_path):
    """They were read as the class 'None', and as -2147483648."""
    X = np.arange(3.0).reshape(3, 1)
    write_rdata(tmp_path / "a.rda", {"x": X, "y": np.array(["a", None, "b"], dtype=object)})
    assert read(tmp_path / "a.rda").frame["y"].isna().tolist() == [False, True, False]
    write_rdata(tmp_path / "a.rda", {"x": X, "y": np.ma.array(np.array([1, 2, 3], "i4"), mask=[False, True, False])})
    np.testing.assert_array_equal(read(tmp_path / "a.rda").frame["y"], [1, np.nan, 3])
    write_rdata(tmp_path / "a.rda", {"x": X, "y": np.ones((3, 1))})
    assert read(tmp_path / "a.rda").frame["y"].tolist() == [1, 1, 1]


def test_parquet_files_are_read(tmp_path):
    table = pa.table(
        {
            "a": pa.array([1, None, 3]),
            "b": pa.array([True, False, None]),
            "c": pa.array(["u", "v", None]),
            "d": pa.array(["u", "v", "u"]).dictionary_encode(),
            "e": pa.array([Decimal("1.25"), None, Decimal("3")]),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    frame = read(tmp_path / "a.parquet").frame
    np.testing.assert_array_equal(frame["a"], [1, np.nan, 3])
    np.testing.assert_array_equal(frame["b"], [1, 0, np.nan])
    assert frame["c"].isna().tolist() == [False, False, True]
    assert frame["d"].tolist() == ["u", "v", "u"]
    np.testing.assert_array_equal(frame["e"], [1.25, np.nan, 3])


def test_invalid_parquet_files_are_refused(tmp_path):
    path, not_utf8 = tmp_path / "a.parquet", pa.py_buffer(b"a\xff")
    for table, message in (
        (pa.table({"a": [1.0, float("inf")]}), r"column 1 \('a'\): row 2 has inf"),
        (pa.table({"a": [[1.0], [2.0]]}), "neither numbers nor text"),
        (pa.table([[1.0], [2.0]], names=["a", "a"]), "declared twice"),
        (pa.table({}), r"a\.parquet: the table has .*0 columns"),
        (pa.table({"a": pa.array([], pa.float64())}), r"a\.parquet: the table has .*0 rows"),
        (
            pa.table({"a": pa.StringArray.from_buffers(2, pa.py_buffer(struct.pack("<iii", 0, 1, 2)), not_utf8)}),
            "not a readable Parquet file: .*UTF8",
        ),
        (pa.table({"a": [2**53 + 1, 2]}), r"column 1 \('a'\): float64 cannot hold every value: .*9007199254740993"),
    ):
        pq.write_table(table, path)
        with pytest.raises(DataError, match=message):
            read(path)
    assert read(path, drop=["a"]).frame["a"].isna().all()
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DataError, match="not a readable Parquet file"):
        read(path)


def test_label_lists_are_read(tmp_path):
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
        ("<labels></labels>", "expected <labels>"),
        ("<?xml version='1.0' encoding='utf8x'?><labels><label name='a'/></labels>", "line 1: .*Convert it to UTF-8"),
        ("<labels><label/></labels>", "has no name"),
        ("<labels><label name='a'/><label name='a'/></labels>", "'a' is listed twice"),
        ("<!DOCTYPE l [<!ENTITY e 'x'>]><labels><label name='&e;'/></labels>", "entities are not accepted"),
        ("<html><body>404</body></html>", "HTML page"),
    ],
)
def test_invalid_label_lists_are_refused(text, message, tmp_path):
    (tmp_path / "a.xml").write_text(text)
    with pytest.raises(DataError, match=rf"a\.xml.*{message}"):
        read_labels(tmp_path / "a.xml")
