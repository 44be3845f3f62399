"""An archive file: round trip, reproducible bytes, and invalid files that are refused."""

import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sample_records import make_record
from sslrank.benchmark.archive.record import PARTS, ArchiveError, deviation, read_metadata, read_records, write_records


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "s/d.parquet.zst"
    path.parent.mkdir(parents=True)
    write_records([make_record(), make_record(method="n", seed=2)], path)
    return path


def test_written_files_are_read_back(file):
    (found, other), expected = read_records(file), make_record()
    assert other.spec["seed"] == 2
    assert (found.spec, found.provenance, found.dataset) == (expected.spec, expected.provenance, expected.dataset)
    assert found.sha256 == expected.sha256 != other.sha256
    for part, table in expected.parts.items():
        assert list(found.parts[part].columns) == PARTS[part]
        assert found.parts[part].shape == table.shape
    assert found.parts["score"]["value"].tolist() == expected.parts["score"]["value"].tolist()
    head, _ = read_metadata(file)
    assert (head.spec, head.parts) == (expected.spec, {})


def test_equal_records_give_equal_bytes(file, tmp_path):
    write_records([make_record(), make_record(method="n", seed=2)], tmp_path / "again.parquet.zst")
    assert (tmp_path / "again.parquet.zst").read_bytes() == file.read_bytes()
    write_records(read_records(file), tmp_path / "read.parquet.zst")
    assert (tmp_path / "read.parquet.zst").read_bytes() == file.read_bytes()


def test_missing_values_and_special_texts_are_kept(tmp_path):
    record, path = make_record(), tmp_path / "s/d.parquet.zst"
    path.parent.mkdir()
    record.parts["score"].loc[0, ["k", "value"]] = pd.NA, float("nan")
    record.parts["fit"].loc[0, "message"] = "é, \n"
    record.parts["ranking"].loc[[0, 1], "bits"] = 2**62 + 1, -(2**63)
    write_records([record], path)
    (found,) = read_records(path)
    assert found.parts["score"].loc[0, ["k", "value"]].isna().all()
    assert found.parts["fit"].loc[0, "message"] == "é, \n"
    assert found.parts["ranking"].loc[[0, 1], "bits"].tolist() == [2**62 + 1, -(2**63)]


@pytest.mark.parametrize("size", [0, 10, 0.5, 0.99])
def test_truncated_file_is_refused(file, size):
    content = file.read_bytes()
    file.write_bytes(content[: size if isinstance(size, int) else int(size * len(content))])
    with pytest.raises(ArchiveError, match=r"d\.parquet\.zst: is not a Parquet file in zstd, or is cut off"):
        read_records(file)


def test_foreign_file_is_refused(file):
    write(file, pa.table({"part": ["score"]}), {})
    with pytest.raises(ArchiveError, match="is not a file of an archive: its metadata names no format"):
        read_records(file)
    file.write_bytes(b"\x80\x04K\x01.")  # a pickle
    with pytest.raises(ArchiveError, match="is not a Parquet file in zstd"):
        read_records(file)


def read(path):
    """The table of a file, and its metadata."""
    with pa.input_stream(path, compression="zstd") as stream:
        found = pq.ParquetFile(pa.BufferReader(stream.read()))
    return found.read(), {key.decode(): value.decode() for key, value in found.metadata.metadata.items()}


def write(path, table, metadata):
    with (
        pa.output_stream(path, compression="zstd") as stream,
        pq.ParquetWriter(stream, table.schema, store_schema=False) as writer,
    ):
        writer.write_table(table)
        writer.add_key_value_metadata(metadata)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": "3"}, "has the format 3; this version of sslrank reads 2. Install a newer one"),
        ({"format": "1"}, "has the format 1; .* Delete it and run: snakemake"),
        ({"records": "{"}, "its metadata cannot be read"),
        ({"records": "[{}]"}, "its metadata cannot be read"),
        (
            {"records": json.dumps([{"spec": make_record(dataset="e").spec, "provenance": [], "dataset": {}}])},
            "not this path",
        ),
    ],
)
def test_invalid_metadata_is_refused(file, changed, message):
    table, metadata = read(file)
    write(file, table, metadata | {f"sslrank.{key}": value for key, value in changed.items()})
    with pytest.raises(ArchiveError, match=message):
        read_records(file)


def test_too_large_file_is_refused(file, monkeypatch):
    monkeypatch.setattr("sslrank.benchmark.archive.record.LARGEST", 1000)
    with pytest.raises(ArchiveError, match="has more than 0 MB decompressed"):
        read_records(file)


def test_unexpected_columns_are_refused(file):
    table, metadata = read(file)
    write(file, table.drop_columns(["bits"]), metadata)
    with pytest.raises(ArchiveError, match="has other columns"):
        read_records(file)


def test_specs_are_compared_by_their_common_keys():
    spec = make_record().spec
    planned = {key: value for key, value in spec.items() if key not in ("L", "splits_sha256")}
    assert deviation(spec, planned) == ""
    assert deviation(spec, planned | {"evaluators": {"eca": {}}}) == ""
    assert deviation(spec, planned | {"seed": 2}) == "seed: 1 and 2"
    method = {"name": "m", "spec": spec["method"]["spec"] | {"params": {"n_estimators": 6}}}
    assert "method.spec.params.n_estimators: 3 and 6" in deviation(spec, planned | {"method": method})
    data = spec["dataset"]
    assert deviation(spec, planned | {"dataset": data | {"fingerprint": None}}) == ""
    assert deviation(spec, planned | {"dataset": data | {"fingerprint": "g"}}).startswith("dataset.fingerprint: ")
