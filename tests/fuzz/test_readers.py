"""Damaged data files: a reader gives a table, or a DataError that names the file."""

import contextlib
import gzip
import io
import random
import struct
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pytest
import rdata
import scipy.io
from scipy import sparse

from fuzz import SEED, cases
from sslrank.datasets.catalogue import ColumnMeanings
from sslrank.datasets.dataset import DataError
from sslrank.datasets.prepare import assemble
from sslrank.datasets.readers import read
from sslrank.datasets.readers.mulan import read_labels

MAX_SIZE = 64 << 20
CSV = b'a,b,"c d",y\n1,x,2.5,u\n-3e2,"y, z",?,v\n4,x ,NA,u\n.5,"z""w",1,v\n'
ARFF = (
    b"% c\n@relation r\n@attribute a numeric\n@attribute 'b c' {x,'y z',w}\n@attribute s string\n"
    b"@attribute y {u,v}\n@data\n1,x,'t t',u % c\n?,'y z',?,v\n-2.5e1,w,o,u\n"
)
SPARSE_ARFF = (
    b"@relation r\n@attribute a numeric\n@attribute b {x,'y z'}\n@attribute c real\n@attribute y {u,v}\n@data\n"
    b"{0 1.5,3 v}\n{}\n{1 'y z', 2 -3}\n{0 ?,2 1e3,3 v}\n"
)
HIERARCHY = b"@relation r\n@attribute a numeric\n@attribute class hierarchical 1,1/2,2\n@data\n1,1@2\n2,1/2\n3,?\n"
KEEL = (
    b"@relation r\n@attribute a real [1.0,2.5]\n@attribute b{x, y}\n@attribute y integer[0,3]\n@inputs a, b\n"
    b"@outputs y\n@data\n1.5, x, 3\n<null>, y, ?\n2, y, 1\n"
)
TAB = b"g1\tg2\t\ts\ty\nc\tcontinuous\tu v\tstring\td\n\t\t\tmeta\tclass\n1\t-2\tu\ts1\tA\n?\t3\tv\ts2\tB\n"
LABELS = (
    b'<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n'
    b'<label name="a b"><label name="c"></label></label>\n<label name="d"/>\n</labels>'
)
#: What is written into a text, the XML of a sheet or of labels, and a binary file.
TEXT = (
    *b"? NA nan inf 1e999 -0 1_0 0x1 +.5 1. \xd9\xa1 , \" ' \\ % { } @ ; \0 \x1c \xff \xa0 \xef\xbb\xbf".split(b" "),
    *(b" ", b"\n", b"\r", b"\t", b"9" * 400, b"@data\n", b"@attribute z real\n", b"{0 1}\n", b"hierarchical "),
)
XML = (
    *b"<label/> <!DOCTYPE_l> &e; utf-16 idna cp037 \0 <!-- <c> </c> t='s' t='d' t='e' r='ZZZ9' <v> <row/>".split(),
    *TEXT[:8],
)
NUMBERS = tuple(
    struct.pack(order + kind, value)
    for order in "<>"
    for kind, values in (("h", (0, -1)), ("i", (0, 1, 9, -1, -(2**31), 2**31 - 1, 1 << 16)), ("d", (np.nan, 1e300)))
    for value in values
)


def mat(X):
    stream = io.BytesIO()
    scipy.io.savemat(stream, {"names": ["a", "b"], "X": X, "Y": np.array([[1], [2], [1], [2]])})
    return stream.getvalue()


def sheet():
    """Parts of a workbook but for the sheet, and the XML of the sheet."""
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in (("a", "b", "y"), (1, "x", "u"), (2.5, "y z", "v"), (None, "x", "u"), (-3e5, True, "v")):
        book.active.append(row)
    book.save(stream)
    with zipfile.ZipFile(stream) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return parts, parts.pop("xl/worksheets/sheet1.xml")


def workbook(content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in (sheet()[0] | {"xl/worksheets/sheet1.xml": content}).items():
            archive.writestr(name, part)
    return stream.getvalue()


def parquet():
    stream = io.BytesIO()
    columns = {"a": [1, None, 3, 4], "c": [True, False, None, True], "y": pd.Categorical(["u", "v", "u", "v"])}
    pd.DataFrame(columns).to_parquet(stream)
    return stream.getvalue()


@pytest.fixture(scope="module")
def r_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("r") / "a.rda"
    rdata.write_rda(path, {"data": pd.DataFrame({"a": [1.0, 2], "y": pd.Categorical(["t", "n"])})})
    return gzip.decompress(path.read_bytes())


X = np.arange(8.0).reshape(4, 2)
#: Name of the file, what is mutated, what is written into it, and how it is packed, so that checksums hold.
SAMPLES = {
    "csv": ("a.csv", CSV, TEXT, bytes),
    "csv-gz": ("a.csv.gz", CSV, TEXT, gzip.compress),
    "arff": ("a.arff", ARFF, TEXT, bytes),
    "arff-sparse": ("a.arff", SPARSE_ARFF, TEXT, bytes),
    "arff-hierarchy": ("a.arff", HIERARCHY, TEXT, bytes),
    "keel": ("a.dat", KEEL, TEXT, bytes),
    "tab": ("a.tab", TAB, TEXT, bytes),
    "mat": ("a.mat", mat(X), NUMBERS, bytes),
    "mat-sparse": ("a.mat", mat(sparse.csc_array(X * (X % 2))), NUMBERS, bytes),
    "rdata": ("a.rda", None, NUMBERS, bytes),
    "parquet": ("a.parquet", parquet(), NUMBERS, bytes),
    "xlsx": ("a.xlsx", sheet()[1], XML, workbook),
    "labels": ("a.xml", LABELS, XML, bytes),
}


def mutate(rng, content, tokens):
    """Some bytes like the given ones: one to about five changes."""
    content = bytearray(content)
    for _ in range(1 + min(4, int(rng.expovariate(0.8)))):
        at = rng.randrange(len(content) + 1)
        size = min(int(rng.expovariate(0.1)) + 1, 200)
        piece = content[at : at + size]
        what = rng.randrange(9)
        if what == 0 and piece:
            content[at] ^= 1 << rng.randrange(8)
        elif what in (1, 2):
            token = rng.choice(tokens)
            content[at : at + len(token)] = token
        elif what in (3, 4):
            content[at:at] = rng.choice(tokens)
        elif what == 5:
            del content[at : at + size]
        elif what == 6:
            content[at:at] = piece * rng.choice((1, 2, 20, 500))
        elif what == 7:
            content[at:at] = rng.randbytes(size)
        elif what == 8 and rng.random() < 0.3:
            del content[at:]
    return bytes(content)


def read_table(path):
    """Read a table, which is also taken for a dataset if it can be one."""
    table = read(path, max_size=MAX_SIZE)
    assert min(table.frame.shape) > 0
    assert table.frame.columns.is_unique
    assert all(isinstance(name, str) for name in table.frame)
    assert not np.isinf(table.frame.select_dtypes("number").to_numpy(float)).any()
    with contextlib.suppress(DataError):
        assemble("toy", "classification", [("full", table)], ColumnMeanings(target="last 1", missing_targets=True))


def refusal(reading, path):
    """The message of the DataError, or nothing."""
    try:
        reading(path)
    except DataError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.filterwarnings("ignore")
def test_damaged_files_raise_data_errors(name, tmp_path, r_file):
    file, good, tokens, pack = SAMPLES[name]
    path = tmp_path / file
    path.write_bytes(pack(good or r_file))
    reading = read_labels if name == "labels" else read_table
    assert refusal(reading, path) == ""
    for number in cases(*range(10)):
        rng = random.Random(f"{SEED}/{name}/{number}")
        content = pack(mutate(rng, good or r_file, tokens))
        if pack is not bytes and rng.random() < 0.3:
            content = mutate(rng, content, NUMBERS)
        path.write_bytes(content)
        try:
            message = refusal(reading, path)
            assert not message or (tmp_path.name in message and "fit into the memory" not in message)
        except Exception as error:
            error.add_note(f"case {number}, the file is {path}")
            raise
