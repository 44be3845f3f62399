"""Fits of a pair that is not finished are kept, and taken over on the same data and splits only."""

import json

import pandas as pd
import pytest
from test_record import made

from sslrank.pipeline.archive import unfinished
from sslrank.pipeline.archive.record import PARTS, write_record
from sslrank.pipeline.logs import content_hash

ROWS = {
    "mode": "ssl",
    "fold": [0, 0, 1, 1],
    "ranking": ["b", "a"] * 2,
    "feature": "x",
    "importance": [0.1 + 0.2, 1, 2, 3],
}


@pytest.fixture
def files(tmp_path):
    """A file of the archive with two fits, of which the second failed; splits and header that it was made on."""
    splits, header = tmp_path / "splits.json", tmp_path / "header.json"
    splits.write_text("{}")
    header.write_text(json.dumps({"provenance": {"fingerprint": "f"}}))
    rankings = tmp_path / "L50.parquet"
    pd.DataFrame(ROWS).to_parquet(rankings)
    record = made(splits_sha256=content_hash(splits))
    fit = {
        "L": "50",
        "mode": "ssl",
        "status": ["ok", "failed"],
        "seconds": 1.25,
        "message": ["", "no"],
        "details": "{}",
    }
    record.parts["fit"] = pd.DataFrame(fit | {"fold": [0, 1]})[PARTS["fit"]]
    record.parts["importance"], left = unfinished.importance_rows({"50": rankings})
    assert not left
    path = tmp_path / "s/d/m.parquet"
    path.parent.mkdir(parents=True)
    write_record(record, path)
    return path, splits, header


def test_fits_that_succeeded_are_known(files):
    known = unfinished.fits_of(*files)
    assert list(known) == [("50", 0, "ssl")]
    row, (first, second) = known["50", 0, "ssl"]
    assert row == {"mode": "ssl", "fold": 0, "status": "ok", "seconds": 1.25, "message": "", "details": {}}
    assert (first["ranking"].item(), first["importance"].item()) == ("b", 0.1 + 0.2)
    assert second["ranking"].item() == "a"


def test_fits_on_other_splits_or_data_are_made_again(files, capsys):
    path, splits, header = files
    splits.write_text("[]")
    assert unfinished.fits_of(path, splits, header) == {}
    splits.write_text("{}")
    header.write_text(json.dumps({"provenance": {"fingerprint": "another"}}))
    assert unfinished.fits_of(path, splits, header) == {}
    assert capsys.readouterr().out.count("has fits on other splits or another dataset; they are made again") == 2


def test_many_importances_are_not_kept(files, monkeypatch):
    path = files[1].with_name("L50.parquet")
    monkeypatch.setattr(unfinished, "MOST_IMPORTANCES", 6)
    rows, left = unfinished.importance_rows({"50": path, "100": path})
    assert left == ["100"]
    assert set(rows["L"]) == {"50"}
