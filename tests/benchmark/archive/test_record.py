"""A file of the archive: what is written is read, equal records give equal bytes, what is none is refused."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sslrank.benchmark.archive.record import (
    PARTS,
    ArchiveError,
    Record,
    deviation,
    key_of,
    read_head,
    read_record,
    write_record,
)


def made(study="s", dataset="d", method="m", **what):
    """A small record."""
    rng = np.random.default_rng(0)
    score = pd.DataFrame(
        {
            "ranking": "genie3",
            "mode": ["ssl", "sl"] * 2,
            "L": ["50", "50", "all", "all"],
            "fold": 0,
            "evaluator": "knn",
            "measure": "f1_macro",
            "k": pd.array([20, None, 20, 20], dtype="Int64"),
            "value": [0.1 + 0.2, np.nan, *rng.random(2)],
            "n_test": 7,
            "n_labeled": 50,
        }
    )
    fit = pd.DataFrame(
        {"L": ["50"], "mode": "ssl", "fold": 0, "status": "failed", "seconds": 1.5, "message": "é, \n", "details": "{}"}
    )
    ranking = pd.DataFrame(
        {"L": ["50"], "mode": "ssl", "fold": 0, "ranking": "genie3", "bits": 2**62 + 1, "order": -(2**63)}
    )
    parts = {part: pd.DataFrame(columns=columns) for part, columns in PARTS.items()}
    about = {
        "study": study,
        "dataset": {"name": dataset, "task": "classification", "fingerprint": "f"},
        "splits": {"scheme": "holdout", "L": ["50", "all"]},
        "splits_sha256": "a",
        "seed": 1,
        "modes": ["ssl", "sl"],
        "method": {"name": method, "spec": {"ranker": "genie3", "params": {"n_estimators": 5}}},
        "evaluators": {"knn": {"evaluator": "knn", "params": {}, "L": ["50", "all"]}},
        "L": ["50", "all"],
    }
    how = {"commit": "c", "committed": "2026-01-01T00:00:00+00:00", "date": "2026-01-02T00:00:00+00:00"}
    parts |= {"score": score, "fit": fit, "ranking": ranking}
    return Record(about | what, [how], {"examples": 3, "features": 2}, parts)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "s/d/m.parquet.zst"
    path.parent.mkdir(parents=True)
    write_record(made(), path)
    return path


def test_what_is_written_is_read(file):
    found, expected = read_record(file), made()
    assert (found.what, found.how, found.dataset) == (expected.what, expected.how, expected.dataset)
    for part, table in expected.parts.items():
        assert list(found.parts[part].columns) == PARTS[part]
        for column in PARTS[part]:
            before = [None if pd.isna(value) else value for value in table[column]]
            assert [None if pd.isna(value) else value for value in found.parts[part][column]] == before, column
    head = read_head(file)
    assert head.what == expected.what
    assert not any(map(len, head.parts.values()))


def test_equal_records_give_equal_bytes(file, tmp_path):
    write_record(made(), tmp_path / "again.parquet.zst")
    assert (tmp_path / "again.parquet.zst").read_bytes() == file.read_bytes()
    write_record(read_record(file), tmp_path / "read.parquet.zst")
    assert (tmp_path / "read.parquet.zst").read_bytes() == file.read_bytes()


def test_dates_are_no_part_of_the_key():
    how = made().how
    assert key_of(how) == key_of([how[0] | {"date": "another"}])
    assert key_of(how) != key_of([how[0] | {"commit": "another"}])


@pytest.mark.parametrize("size", [0, 10, 0.5, 0.99])
def test_a_truncated_file_is_refused(file, size):
    content = file.read_bytes()
    file.write_bytes(content[: size if isinstance(size, int) else int(size * len(content))])
    with pytest.raises(ArchiveError, match=r"m\.parquet\.zst: is not a Parquet file in zstd, or is cut off"):
        read_record(file)


def test_a_foreign_file_is_refused(file):
    write(file, pa.table({"part": ["score"]}), {})
    with pytest.raises(ArchiveError, match="is not a file of an archive: its metadata names no format"):
        read_record(file)
    file.write_bytes(b"\x80\x04K\x01.")  # a pickle
    with pytest.raises(ArchiveError, match="is not a Parquet file in zstd"):
        read_record(file)


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


def with_metadata(path, **changed):
    table, metadata = read(path)
    write(path, table, metadata | {f"sslrank.{key}": value for key, value in changed.items()})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": "2"}, "has the format 2; this version of sslrank reads up to 1"),
        ({"what": "{"}, "its metadata cannot be read"),
        ({"what": "{}"}, "its metadata cannot be read"),
        ({"what": json.dumps(made(method="other").what)}, "is about s, d, other, which its path does not name"),
    ],
)
def test_other_metadata_is_refused(file, changed, message):
    with_metadata(file, **changed)
    with pytest.raises(ArchiveError, match=message):
        read_record(file)


def test_other_columns_are_refused(file):
    table, metadata = read(file)
    write(file, table.drop_columns(["bits"]), metadata)
    with pytest.raises(ArchiveError, match="has other columns"):
        read_record(file)


def test_what_two_are_both_about_is_compared():
    what = made().what
    planned = {key: value for key, value in what.items() if key not in ("L", "splits_sha256")}
    assert deviation(what, planned) == ""
    assert deviation(what, planned | {"evaluators": {"eca": {}}}) == ""
    assert deviation(what, planned | {"seed": 2}) == "seed: 1 and 2"
    spec = {"name": "m", "spec": {"ranker": "genie3", "params": {"n_estimators": 6}}}
    assert deviation(what, planned | {"method": spec}) == "method.spec.params.n_estimators: 5 and 6"
    data = what["dataset"]
    assert deviation(what, planned | {"dataset": data | {"fingerprint": None}}) == ""
    assert deviation(what, planned | {"dataset": data | {"fingerprint": "g"}}) == 'dataset.fingerprint: "f" and "g"'
