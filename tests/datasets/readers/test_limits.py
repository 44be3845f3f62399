"""What unpacks to more than the limit, or declares a table that does, is refused before it is allocated."""

import bz2
import gzip
import io
import lzma
import tracemalloc
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.io
from scipy import sparse

from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers import read
from sslrank.datasets.readers.source import limit, memory, parse_size, readable_size, size_limit

ZEROS = b"a,b\n" + b"1,2\n" * 600_000


def zipped():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", ZEROS)
    return stream.getvalue()


def mat(X, **options):
    stream = io.BytesIO()
    scipy.io.savemat(stream, {"X": X, "Y": np.ones((1000, 1))}, **options)
    return stream.getvalue()


def parquet():
    stream = io.BytesIO()
    pq.write_table(pa.table({"a": np.zeros(400_000)}), stream)
    return stream.getvalue()


def sparse_arff():
    n = 600
    names = "".join(f"@attribute x{j} real\n" for j in range(n))
    return ("@relation r\n" + names + "@data\n" + "{0 1}\n" * n).encode()


BOMBS = {
    "a.csv.gz": lambda: gzip.compress(ZEROS, 1),
    "a.csv.bz2": lambda: bz2.compress(ZEROS, 1),
    "a.csv.xz": lambda: lzma.compress(ZEROS, preset=0),
    "a.csv.zip": zipped,
    "a.rda": lambda: gzip.compress(b"RDX3\nX\n" + bytes(3_000_000), 1),
    "a.mat": lambda: mat(np.zeros((1000, 400), "u1")),
    "packed.mat": lambda: mat(np.zeros((1000, 400), "u1"), do_compression=True),
    "sparse.mat": lambda: mat(sparse.csc_array((2_000_000_000, 3))),
    "a.parquet": parquet,
    "a.arff": sparse_arff,
}


@pytest.mark.parametrize("name", BOMBS)
def test_too_large_files_are_refused_before_allocation(name, tmp_path):
    (tmp_path / name).write_bytes(BOMBS[name]())
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=rf"{name}: .*, and the limit is 2 MB. .*--max-size"):
            read(tmp_path / name, max_size="2M")
        assert tracemalloc.get_traced_memory()[1] < 12e6
    finally:
        tracemalloc.stop()


def test_understated_zip_size_is_refused(tmp_path):
    content = bytearray(zipped())
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = content.index(signature) + offset
        content[start : start + 4] = (100).to_bytes(4, "little")
    (tmp_path / "a.csv.zip").write_bytes(content)
    with pytest.raises(DataError, match="cannot be unpacked: Bad CRC"):
        read(tmp_path / "a.csv.zip", max_size="2M")


def test_endless_file_is_refused(tmp_path):
    with pytest.raises(DataError, match="/dev/zero: has more than"):
        read("/dev/zero", format="csv", max_size="2M")


def test_default_limit_is_half_of_memory():
    assert limit() == memory() // 2
    with size_limit("4k"):
        assert limit() == 4096
        with size_limit(None):
            assert limit() == 4096
    assert limit() == memory() // 2


def test_sizes_are_parsed():
    for text, size in {"500M": 500 << 20, "1.5 kB": 1536, "12": 12, 7: 7, "2GiB": 2 << 30}.items():
        assert parse_size(text) == size
    for text in ("", "G", "-1", "0", "1e3", "4 Gb", "9" * 400):
        with pytest.raises(DataError, match=r"is not a size\. Write bytes, or for example 500M or 4G"):
            parse_size(text)
    assert [readable_size(size) for size in (5, 1536, 3 << 40)] == ["5 bytes", "1.5 kB", "3 TB"]
