"""Fits of a pair that is not finished are kept, and taken over on the same data and splits only; pieces join."""

import json
import sys
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_record import made

from sslrank.benchmark.archive import unfinished
from sslrank.benchmark.archive.record import PARTS, ArchiveError, Record, grouped
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.logs import content_hash
from sslrank.benchmark.steps.archive import _with_older

ROWS = {
    "mode": "ssl",
    "fold": [0, 0, 1, 1],
    "ranking": ["b", "a"] * 2,
    "feature": "x",
    "importance": [0.1 + 0.2, 1, 2, 3],
}


@pytest.fixture
def files(tmp_path):
    """A file of an archive with fits of two L, of which one failed; splits and header that they were made on."""
    splits, header = tmp_path / "splits.json", tmp_path / "header.json"
    splits.write_text("{}")
    header.write_text(json.dumps({"provenance": {"fingerprint": "f"}}))
    Archive(tmp_path / "archive").update([piece(splits, tmp_path, "50", "all")])
    return tmp_path / "archive/s/d/m.parquet", splits, header


def piece(splits, folder, *budgets, how="c", status="ok"):
    """A record of some L without scores; in the last of them a fit failed."""
    rankings = folder / "L.parquet"
    pd.DataFrame(ROWS).to_parquet(rankings)
    record = made(splits_sha256=content_hash(splits), L=list(budgets), evaluators={})
    fits = [(L, fold, "failed" if (L, fold) == ("all", 1) else "ok") for L in budgets for fold in (0, 1)]
    fit = pd.DataFrame(fits, columns=["L", "fold", "status"])
    fit = fit.assign(mode="ssl", seconds=1.25, message=None, details="{}")[PARTS["fit"]]
    bits = fit[["L", "mode", "fold"]].assign(ranking="a", bits=7, order=8)
    job = pd.DataFrame(
        {"step": "ranking", "L": budgets, "evaluator": None, "s": 3600.5, "max_rss": 1.0, "cpu_time": 2.0}
    )
    importance, left = unfinished.importance_rows(dict.fromkeys(budgets, rankings))
    assert not left
    empty = {part: pd.DataFrame(columns=columns) for part, columns in PARTS.items()}
    parts = empty | {"fit": fit, "ranking": bits, "job": job, "importance": importance}
    machine = {"commit": how, "committed": "2026-01-01T00:00:00+00:00", "versions": {}}
    jobs = {"splits": (machine, "x", "2026-01-02")} | {f"ranking {L}": (machine, "x", "2026-01-02") for L in budgets}
    return Record(record.what, grouped(jobs), record.dataset, parts)


def test_an_l_whose_fits_succeeded_is_taken_over(files):
    fits, origins = unfinished.take_over(*files, ["50", "all", "100"])
    assert list(fits) == [("50", 0, "ssl"), ("50", 1, "ssl")]
    row, (first, second) = fits["50", 0, "ssl"]
    assert row == {"mode": "ssl", "fold": 0, "status": "ok", "seconds": 1.25, "message": "", "details": {}}
    assert (first["ranking"].item(), first["importance"].item()) == ("b", 0.1 + 0.2)
    assert second["ranking"].item() == "a"
    assert list(origins) == ["50"]
    assert origins["50"]["how"]["commit"] == "c"
    assert origins["50"]["job"] == {"s": 3600.5, "max_rss": 1.0, "cpu_time": 2.0}


def test_fits_on_other_splits_or_data_are_made_again(files, capsys):
    path, splits, header = files
    splits.write_text("[]")
    assert unfinished.take_over(path, splits, header, ["50"]) == ({}, {})
    splits.write_text("{}")
    header.write_text(json.dumps({"provenance": {"fingerprint": "another"}}))
    assert unfinished.take_over(path, splits, header, ["50"]) == ({}, {})
    assert capsys.readouterr().out.count("has fits on other splits or another dataset; they are made again") == 2
    header.write_text(json.dumps({"problem": "it cannot be read"}))
    assert unfinished.take_over(path, splits, header, ["50"]) == ({}, {})


def test_a_damaged_file_is_not_taken_over(files):
    files[0].write_bytes(files[0].read_bytes()[:-1])
    with pytest.raises(ArchiveError, match="is not the one that manifest"):
        unfinished.take_over(*files, ["50"])


def test_many_importances_are_not_kept(files, tmp_path, monkeypatch):
    path = tmp_path / "L.parquet"
    monkeypatch.setattr(unfinished, "MOST_IMPORTANCES", 6)
    rows, left = unfinished.importance_rows({"50": path, "100": path})
    assert left == ["100"]
    assert set(rows["L"]) == {"50"}


def test_pieces_join_where_the_rankings_of_both_are_equal(files, tmp_path):
    pair = {"rankings": dict.fromkeys(["50", "100", "all"]), "scores": {"knn": None}}
    there = Archive(tmp_path / "archive").read("s/d/m.parquet")
    here = piece(files[1], tmp_path, "50", "100", how="newer")
    whole = unfinished.joined(there, here, pair)
    assert whole.what["L"] == ["50", "100", "all"]
    for part in ("fit", "ranking", "job", "importance"):
        assert list(dict.fromkeys(whole.parts[part]["L"])) == ["50", "100", "all"]
    made_by = {job: group["commit"] for group in whole.how for job in group["code"]}
    assert made_by == {"splits": "newer", "ranking 50": "newer", "ranking 100": "newer", "ranking all": "c"}
    here.parts["ranking"]["bits"] += 1
    assert unfinished.joined(there, here, pair) is None


def test_importances_alone_are_a_piece_of_what_is_not_finished(files, tmp_path):
    archive = Archive(tmp_path / "archive")
    there, here = archive.read("s/d/m.parquet"), piece(files[1], tmp_path, "50", how="newer")
    there.parts["importance"] = there.parts["importance"].query("L == 'all'")
    archive.update([there])
    whole, problem = _with_older(here, archive, {"rankings": dict.fromkeys(["50", "all"]), "scores": {"knn": None}})
    assert not problem
    assert set(whole.parts["importance"]["L"]) == {"50", "all"}
    _, problem = _with_older(here, archive, {"rankings": dict.fromkeys(["50", "all"]), "scores": {}})
    assert problem == "the archive has more of it than has finished here"
