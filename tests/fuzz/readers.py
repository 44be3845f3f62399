"""Mutated data files: a reader must give a right table or a DataError, within limits on time and memory.

    cd tests; python -m fuzz.readers --cases 10000 --seed 1            10,000 cases of every sample
    cd tests; python -m fuzz.readers --samples csv,mat --first 417 --cases 1 --keep FOLDER      one case again

A case is known by seed, sample and number alone.
"""

import contextlib
import gzip
import io
import random
import struct
import sys
import tempfile
import traceback
import warnings
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import rdata
import scipy.io
from scipy import sparse

import forked_parser
from fuzz.children import arguments, run_all
from sslrank.datasets.catalogue import ColumnMeanings
from sslrank.datasets.dataset import HEADER, TABLE, DataError, Dataset
from sslrank.datasets.prepare import assemble
from sslrank.datasets.readers import read
from sslrank.datasets.readers.kinds import BLANKS, NA_WORDS
from sslrank.datasets.readers.mulan import read_labels
from sslrank.datasets.readers.source import size_limit

#: What a reader may take up.
MAX_SIZE = 64 << 20


@dataclass
class Sample:
    """A small file to mutate.

    Attributes
    ----------
    file : str
        Its name; its folder is made for each child.
    content : bytes
        What is mutated.
    pack : callable
        From that to the bytes of the file: a mutation inside a compressed file passes its checksum.
    read : callable
        ``read(path)``, which may raise DataError.
    reference : callable
        ``reference(bytes, result)`` raises AssertionError if the result is not what the bytes say.
    tokens : tuple of bytes
        What may be written into the content.
    others : dict of str to bytes
        Files beside it.
    """

    file: str
    content: bytes
    pack: object = bytes
    read: object = None
    reference: object = lambda content, table: None
    tokens: tuple = ()
    others: dict = field(default_factory=dict)


def read_table(path):
    """The table of a file, which is also taken for a dataset if it can be one."""
    table = read(path, max_size=MAX_SIZE)
    frame = table.frame
    assert len(frame) > 0
    assert frame.shape[1] > 0
    assert frame.columns.is_unique
    for name, column in frame.items():
        assert isinstance(name, str)
        if column.dtype == np.float64:
            assert not np.isinf(column.to_numpy()).any()
        else:
            values = column.cat.categories if hasattr(column, "cat") else column.dropna()
            assert all(isinstance(value, str | int) for value in values)
    with contextlib.suppress(DataError):
        assemble("toy", "classification", [("full", table)], ColumnMeanings(target="last 1", missing_targets=True))
    return table


# ---- what the bytes say, by plain Python or another library


def same_numbers(found, texts, missing):
    wanted = [np.nan if text in missing else float(text) for text in texts]
    np.testing.assert_array_equal(found, np.array(wanted, dtype=float))


def check_cells(frame, rows, missing):
    """The columns of the frame are those of the rows of texts."""
    assert len(frame) == len(rows)
    for j in range(frame.shape[1]):
        texts = [row[j] for row in rows]
        column = frame.iloc[:, j]
        if column.dtype == np.float64:
            same_numbers(column, texts, missing)
        else:
            values = [None if value != value else value for value in column.astype(object)]
            assert values == [None if text in missing else text for text in texts]


def lines_of(content):
    text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    return [line for line in text.split("\n") if line.strip()]


def csv_reference(content, table):
    if b'"' in content or table.notes:
        return
    names, *rows = ([cell.strip(" \t") for cell in line.split(",")] for line in lines_of(content))
    assert list(table.frame.columns) == names
    check_cells(table.frame, rows, (*BLANKS, *NA_WORDS))


def arff_reference(content, table):
    lines = lines_of(content)
    at = [line.strip().split(None, 1)[0].lower() for line in lines].index("@data")
    rows = [line.strip() for line in lines[at + 1 :]]
    if any(mark in row for row in rows for mark in "'\"%\\{}"):
        return
    check_cells(table.frame, [[cell.strip() for cell in row.split(",")] for row in rows], ("?", ""))


def mat_reference(content, table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = scipy.io.loadmat(io.BytesIO(content), variable_names=["X", "Y"])
    X, y = (value.toarray() if hasattr(value, "toarray") else value for value in (found["X"], found["Y"]))
    np.testing.assert_array_equal(table.frame, np.column_stack([X, y.ravel()]).astype(float))


# ---- the samples

CSV = b'a,b,"c d",y\n1,x,2.5,u\n-3e2,"y, z",?,v\n4,x ,NA,u\n.5,"z""w",1,v\n'
PLAIN_CSV = b"a,b,y\n1,x,u\n-3e2,y z,v\nNA,x ,u\n0.25,?,v\n17,x,u\n"
ARFF = (
    b"% c\n@relation r\n@attribute a numeric\n@attribute 'b c' {x,'y z',w}\n@attribute s string\n"
    b"@attribute y {u,v}\n@data\n1,x,'t t',u % c\n?,'y z',?,v\n-2.5e1,w,o,u\n"
)
PLAIN_ARFF = (
    b"@relation r\n@attribute a numeric\n@attribute b integer\n@attribute y {u,v}\n@data\n1,2,u\n?,3.5,v\n.5,?,u\n"
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
WORDS = (b"?", b"NA", b"nan", b"inf", b"1e999", b"-0", b"1_0", b"0x1", b"+.5", b"1.", b"9" * 400, b"\xd9\xa1", b" ")
MARKS = (b",", b"\n", b"\r", b"\t", b'"', b"'", b"\\", b"%", b"{", b"}", b"@", b";", b"\0", b"\x1c", b"\xff", b"\xa0")
MORE = (b"\xef\xbb\xbf", "§".encode(), b"\xc2\xa0", b"@data\n", b"@attribute z real\n", b"{0 1}\n", b"hierarchical ")
TEXT = WORDS + MARKS + MORE
XML = (b"<label name='q'/>", b"<!DOCTYPE l [<!ENTITY e 'x'>]>", b"&e;", b"utf-16", b"idna", b"cp037", b"\0", b"<!--")
CELLS = (*b'<c> </c> t="s" t="n" t="d" t="e" r="ZZZ9" <v> <row/> <f>1/0</f>'.split(), *XML, *WORDS)
JSON = tuple(b'null [ { ] } [[]] -1 1e999 "multilabel" "hierarchical" "matrix" true , :'.split())
NUMBERS = tuple(
    struct.pack(order + kind, value)
    for order in "<>"
    for kind, values in (
        ("h", (0, -1, 2**15 - 1)),
        ("i", (0, 1, 2, 9, -1, -(2**31), 2**31 - 1, 1 << 16, 2_000_000_000)),
        ("q", (0, -1, 2**63 - 1, 2**53 + 1)),
        ("d", (float("nan"), float("inf"), 1e300, 0.5)),
    )
    for value in values
)


def zipped(names):
    def pack(content):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                archive.writestr(name, content)
        return stream.getvalue()

    return pack


def mat(X):
    stream = io.BytesIO()
    scipy.io.savemat(stream, {"names": ["a", "b"], "X": X, "Y": np.array([[1], [2], [1], [2]])})
    return stream.getvalue()


def workbook():
    """Parts of a workbook but for the sheet, and the XML of the sheet."""
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in (("a", "b", "y"), (1, "x", "u"), (2.5, "y z", "v"), (None, "x", "u"), (-3e5, True, "v")):
        book.active.append(row)
    book.save(stream)
    with zipfile.ZipFile(stream) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return parts, parts.pop("xl/worksheets/sheet1.xml")


def pack_workbook(sheet):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (workbook()[0] | {"xl/worksheets/sheet1.xml": sheet}).items():
            archive.writestr(name, content)
    return stream.getvalue()


def r_file(value):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.rda"
        rdata.write_rda(path, {"data": value})
        return gzip.decompress(path.read_bytes())


def parquet():
    columns = {
        "a": pa.array([1, None, 3, 4]),
        "b": pa.array([0.5, 1.5, None, 2]),
        "c": pa.array([True, False, None, True]),
        "d": pa.array(["x", "y z", None, "x"]),
        "y": pa.array(["u", "v", "u", "v"]).dictionary_encode(),
    }
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def saved(task):
    """The two files of a dataset."""
    X = pd.DataFrame({"a": [1.0, np.nan, 3], "b": pd.Categorical(["u", "v", None])})
    y = np.array(["p", "q", None], dtype=object) if task == "classification" else np.array([[1.0, 1], [0, 0], [1, 0]])
    names, hierarchy = (["y"], None) if task == "classification" else (["y", "z"], [[], [0]])
    parts = {"train": np.array([0, 1]), "test": np.array([2])}
    with tempfile.TemporaryDirectory() as folder:
        Dataset("toy", task, X, y, names, hierarchy, parts, {"note": "é"}).save(folder)
        return {name: (Path(folder) / name).read_bytes() for name in (TABLE, HEADER)}


def load(path):
    """The dataset of which the file at a path is one."""
    return Dataset.load(path.parent)


def labels(path):
    """Labels of an XML file."""
    with size_limit(MAX_SIZE):
        found = read_labels(path)
    assert found
    assert all(isinstance(name, str) and name for name in found)


def samples():
    """Name -> sample."""
    X, y = np.arange(8.0).reshape(4, 2), pd.Categorical(["t", "n", "t", "n"])
    one, many = saved("classification"), saved("hierarchical")
    text = {"read": read_table, "tokens": TEXT}
    binary = {"read": read_table, "tokens": NUMBERS}
    found = {
        "csv": Sample("a.csv", CSV, **text),
        "csv-plain": Sample("a.csv", PLAIN_CSV, reference=csv_reference, **text),
        "csv-gz": Sample("a.csv.gz", PLAIN_CSV, gzip.compress, **text),
        "csv-zip": Sample("a.csv.zip", PLAIN_CSV, zipped(["a.csv"]), **text),
        "arff": Sample("a.arff", ARFF, **text),
        "arff-plain": Sample("a.arff", PLAIN_ARFF, reference=arff_reference, **text),
        "arff-sparse": Sample("a.arff", SPARSE_ARFF, **text),
        "arff-hierarchy": Sample("a.arff", HIERARCHY, **text),
        "keel": Sample("a.dat", KEEL, **text),
        "tab": Sample("a.tab", TAB, **text),
        "mat": Sample("a.mat", mat(X), reference=mat_reference, **binary),
        "mat-sparse": Sample("a.mat", mat(sparse.csc_array(X * (X % 2))), reference=mat_reference, **binary),
        "rdata-frame": Sample("a.rda", r_file({"x": pd.DataFrame(X, columns=["a", "b"]), "y": y}), **binary),
        "parquet": Sample("a.parquet", parquet(), **binary),
        "xlsx": Sample("a.xlsx", workbook()[1], pack_workbook, read=read_table, tokens=(*CELLS, *XML, *WORDS)),
        "labels": Sample("a.xml", LABELS, read=labels, tokens=XML),
        "header": Sample(HEADER, one[HEADER], read=load, tokens=JSON, others=one),
        "header-hierarchical": Sample(HEADER, many[HEADER], read=load, tokens=JSON, others=many),
        "table": Sample(TABLE, one[TABLE], read=load, tokens=NUMBERS, others=one),
    }
    for name, sample in found.items():
        with tempfile.TemporaryDirectory(prefix="fuzz") as folder:  # the file itself must be good
            for file, content in sample.others.items():
                (Path(folder) / file).write_bytes(content)
            outcome = run(sample, Path(folder), sample.pack(sample.content))
            assert outcome == "table", f"{name}: {outcome}"
    return found


# ---- mutations


def mutate(rng, content, tokens):
    """Some bytes like the given ones: one to about five changes."""
    content = bytearray(content)
    for _ in range(1 + min(4, int(rng.expovariate(0.8)))):
        at = rng.randrange(len(content) + 1)
        size = min(int(rng.expovariate(0.1)) + 1, 200)
        piece = content[at : at + size]
        what = rng.randrange(11)
        if what == 0 and piece:
            content[at] ^= 1 << rng.randrange(8)
        elif what == 1 and piece:
            content[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        elif what in (2, 3):
            token = rng.choice(tokens)
            content[at : at + len(token)] = token
        elif what in (4, 5):
            content[at:at] = rng.choice(tokens)
        elif what == 6:
            del content[at : at + size]
        elif what == 7:
            content[at:at] = piece * rng.choice((1, 2, 20, 500))
        elif what == 8:
            content[at:at] = rng.randbytes(size)
        elif what == 9 and piece:
            other = rng.randrange(len(content))
            content[at : at + size], content[other : other + size] = content[other : other + size], piece
        elif what == 10 and rng.random() < 0.3:
            del content[at:]
    return bytes(content)


def make_case(sample, name, seed, case):
    """The bytes of the file of a case."""
    rng = random.Random(f"{seed}/{name}/{case}")
    packed = sample.pack is not bytes
    content = sample.content
    if not packed or rng.random() < 0.8:
        content = mutate(rng, content, sample.tokens)
    content = sample.pack(content)
    if packed and rng.random() < 0.3:
        content = mutate(rng, content, NUMBERS)
    return content


# ---- running


def run(sample, folder, content):
    """What a reader makes of a file: "table", "refused", or a finding."""
    path = folder / sample.file
    path.write_bytes(content)
    try:
        result = sample.read(path)
    except DataError as error:
        message = str(error)
        if folder.name not in message:
            return f"a message without the file: {message}"
        return f"too much memory: {message}" if "fit into the memory" in message else "refused"
    except Exception:
        return traceback.format_exc()
    try:
        sample.reference(content, result)
    except Exception:
        return "not what the bytes say: " + traceback.format_exc()
    return "table"


def run_case(sample, name, seed, case, folder):
    """The outcome of a case."""
    for file, content in sample.others.items():
        (folder / file).write_bytes(content)
    outcome = run(sample, folder, make_case(sample, name, seed, case))
    return Counter([outcome]) if outcome in ("table", "refused") else outcome


def main():
    """Run a campaign and print its counts and findings."""
    parser = arguments(__doc__, "sample")
    parser.add_argument("--keep", type=Path, help="folder for the files of the findings")
    given, known = parser.parse_args(), samples()
    forked_parser.install()

    def keep(name, case):
        given.keep.mkdir(parents=True, exist_ok=True)
        content = make_case(known[name], name, given.seed, case)
        (given.keep / f"{name}-{case}-{known[name].file}").write_bytes(content)

    def one(name, case, folder):
        return run_case(known[name], name, given.seed, case, folder)

    return run_all(known, one, given, keep if given.keep else None)


if __name__ == "__main__":
    sys.exit(main())
