"""Saved fits of a stopped job are reused only by a job with the same settings, data and code."""

from pathlib import Path

import pytest

from sslrank.benchmark import environment
from sslrank.benchmark.partial_results import (
    FOLDER,
    partial_results_path,
    read_partial_results,
    save_result,
    write_partial_results,
)
from sslrank.benchmark.rerun import delete_fits
from sslrank.benchmark.steps import child_process, code_key
from sslrank.benchmark.steps import rank as step

KEY = ("12", 0, "ssl")
FIT = ({"mode": "ssl", "fold": 0, "status": "ok", "message": "", "details": {}, "seconds": 1.0}, ["a table"])
SPEC = {"ranker": "genie3", "params": {"n_estimators": 4}}


class Stopped(Exception):
    """What stops a job in the middle."""


@pytest.fixture
def job(tmp_path, monkeypatch):
    """A function that begins a job and gives the saved fits that it has; with `stop` it does one, and is stopped."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/header.json").write_text("{}")
    (tmp_path / "splits.json").write_text("[]")

    def run(*, stop=False, spec=SPEC, rankings="results/m.parquet", **options):
        found = {}

        def supervise(work, *, partial, made_from, **given):
            found.update(read_partial_results(partial, made_from))
            if stop:
                save_result(partial, KEY, made_from, FIT)
                raise Stopped

        monkeypatch.setattr(child_process, "supervise", supervise)
        options = {"modes": ["ssl"], "seed": 1, "code_key": "code 1", "spec": spec, "budgets": ["12"]} | options
        files = {"splits": Path("splits.json"), "rankings": Path(rankings), "status": Path("m.status.csv")}
        try:
            step.rank_job(step.RankJob(header=Path("data/header.json"), **files, **options))
        except Stopped:
            assert stop
        return found

    return run


def test_same_job_resumes(job):
    assert job(stop=True) == {}
    assert job(stop=True) == {KEY: FIT}
    assert job() == {KEY: FIT}
    assert job() == {}  # the job is finished


@pytest.mark.parametrize(
    "change",
    [
        {"code_key": "code 2"},
        {"spec": SPEC | {"params": {"n_estimators": 5}}},
        {"modes": ["ssl", "sl"]},
        {"seed": 2},
        {"rankings": "results/n.parquet"},
    ],
    ids=str,
)
def test_changed_settings_restart_the_job(job, change):
    job(stop=True)
    assert job(**change) == {}


@pytest.mark.parametrize("file", ["data/header.json", "splits.json"])
def test_changed_data_or_splits_restart_the_job(job, tmp_path, file):
    job(stop=True)
    (tmp_path / file).write_text('{"other": 1}')
    assert job() == {}


def test_threads_and_limits_keep_saved_fits(job):
    job(stop=True)
    assert job(threads=2, fit_limit=5, may_retry=True) == {KEY: FIT}


def test_only_successful_fits_are_reused(job, monkeypatch):
    failed = (FIT[0] | {"status": "failed"}, [])
    monkeypatch.setitem(globals(), "FIT", failed)
    job(stop=True)
    assert job() == {}


def test_rerun_deletes_saved_fits(tmp_path):
    (tmp_path / "results/s").mkdir(parents=True)
    path = partial_results_path("results/s/rankings/d/m.parquet", tmp_path / FOLDER)
    write_partial_results(path, "key", {(L, 0, "ssl"): FIT for L in ("10", "20", "all")})
    assert delete_fits(tmp_path / "results/s", {"method": "m", "L": "20"}) == 1
    assert read_partial_results(path, "key") == {("10", 0, "ssl"): FIT, ("all", 0, "ssl"): FIT}
    assert delete_fits(tmp_path / "results/s", {"dataset": "d"}) == 2
    assert not path.exists()


def test_identity_includes_code_versions_and_instructions(monkeypatch):
    facts = dict.fromkeys(("code", "used", "versions", "instructions", "commit"), "a")

    def key(**changes):
        monkeypatch.setattr(environment, "environment", lambda: facts | changes)
        return code_key(facts | changes)

    counts = {name: key(**{name: "b"}) != key() for name in facts}
    assert counts == dict.fromkeys(facts, True) | {"commit": False}
