"""Fits that crash or time out become status rows; other fits are unchanged."""

import os
import signal
import sys
from pathlib import Path

import pandas as pd
import pytest

from prepared import save_toy
from sslrank.benchmark.steps import fork_server
from sslrank.benchmark.steps.child_process import JobError
from sslrank.benchmark.steps.rank import RankJob, rank_job

RANKER = '''
import os, signal, sys, time
from sslrank.rankers.graph.laplacian_score import LaplacianScore

class Dying(LaplacianScore):
    """Does what the file `how` says in its second fit."""

    def rank_coded(self, features, targets):
        counter = {counter!r}
        with open(counter, "a") as stream:
            stream.write("x")
        if os.path.getsize(counter) == 2:
            {how}
        return super().rank_coded(features, targets)
'''


def ranked(folder, spec, **options):
    """Rankings and status of the job of a ranker."""
    files = {name: folder / name for name in ("rankings", "status")} | {"splits": folder / "splits.json"}
    settings = {"spec": spec, "budgets": ["10"], "modes": ["ssl"], "seed": 0}
    rank_job(RankJob(header=folder / "data/header.json", **files, **(settings | options)))
    return pd.read_parquet(files["rankings"]), pd.read_csv(files["status"], keep_default_na=False)


@pytest.fixture
def job(tmp_path, monkeypatch):
    """Folder of a small dataset, its splits, and a function that writes a ranker and does its job."""
    save_toy(tmp_path, folds=3)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    def run(how, **options):
        module = f"dying_{len(list(tmp_path.glob('dying_*.py')))}"
        text = RANKER.replace("{counter!r}", repr(str(tmp_path / f"{module}.fits"))).replace("{how}", how)
        (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")
        spec = {"ranker": f"{module}:Dying", "params": {}, "name": "dying"}
        return ranked(tmp_path, spec, **options)

    return run


@pytest.mark.parametrize(
    ("how", "status", "message"),
    [
        ("os._exit(3)", "failed", "exit code 3; largest memory"),
        ("sys.exit(3)", "failed", "SystemExit: 3"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "failed", "signal 9 (SIGKILL); the system does that when memory runs"),
        ("time.sleep(600)", "timeout", "longer than the limit of 3 s"),
    ],
)
def test_crashed_fit_becomes_a_status_row(job, how, status, message):
    whole, _ = job("pass")
    rankings, rows = job(how, fit_limit=3)
    assert rows["status"].tolist() == ["ok", status, "ok"]
    assert message in rows["message"].iloc[1]
    pd.testing.assert_frame_equal(rankings, whole[whole["fold"] != 1].reset_index(drop=True), check_exact=True)


def test_stopped_job_resumes_its_fits(job, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole, _ = job("pass")
    (tmp_path / "stopping.py").write_text(
        RANKER.replace("{counter!r}", "'count'").replace("{how}", "os.kill(os.getpid(), signal.SIGKILL)")
    )
    spec = {"ranker": "stopping:Dying", "params": {}, "name": "dying"}
    partial = tmp_path / ".snakemake/fits/rankings.pickle"

    def run(**options):
        return ranked(Path(), spec, **options)[0], Path("count").stat().st_size

    with pytest.raises(JobError, match="SIGKILL"):
        run(may_retry=True)
    with partial.open("ab") as stream:  # as if it had been killed while it wrote
        stream.write(b"\x80\x05half of a fit")
    rankings, n_fits = run(may_retry=True)
    pd.testing.assert_frame_equal(rankings, whole, check_exact=True)
    assert n_fits == 2 + 2
    assert not partial.exists()
    Path("count").unlink()
    with pytest.raises(JobError, match="SIGKILL"):
        run(may_retry=True)
    _, n_fits = run(may_retry=True, code_key="other code")
    assert n_fits == 2 + 3


def test_errors_outside_fits_fail_the_job(job):
    with pytest.raises(JobError, match="SyntaxError"):
        job("this is no Python")


JOB = """
import os
print("to the terminal")
open("made", "w").write(f"{os.environ['MARK']} {os.getcwd()}")
"""


def test_fork_server_runs_jobs(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv(fork_server.SERVER, "")
    assert fork_server.run_in_fork(exec, JOB) is None
    monkeypatch.delenv(fork_server.SERVER)
    fork_server.start_server(())
    server, address = fork_server.start_server.process, os.environ[fork_server.SERVER]
    monkeypatch.setenv("MARK", "here")
    monkeypatch.chdir(tmp_path)
    assert fork_server.run_in_fork(exec, JOB) == 0
    assert Path("made").read_text(encoding="utf-8") == f"here {tmp_path}"
    assert "to the terminal" in capfd.readouterr().out
    assert fork_server.run_in_fork(sys.exit, 3) == 3
    assert fork_server.run_in_fork(signal.raise_signal, signal.SIGKILL) == -signal.SIGKILL
    assert fork_server.run_in_fork(exec, JOB, threads=2) is None
    monkeypatch.setenv("SLURM_JOB_ID", "1")
    assert fork_server.run_in_fork(exec, JOB) is None
    server.stdin.close()  # as when the run ends
    server.wait(20)
    assert not Path(address.partition(" ")[0]).exists()
