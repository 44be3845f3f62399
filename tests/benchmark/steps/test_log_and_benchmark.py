"""The log of a job, and its benchmark, which has what made its results."""

import json
from types import SimpleNamespace

import pytest

from sslrank.benchmark.steps import log_to, write_benchmark


def test_finished_job_writes_what_made_its_results(tmp_path):
    write_benchmark(tmp_path / "a.json", SimpleNamespace(params={"seed": 1}), 2.5)
    made = json.loads((tmp_path / "a.json").read_text())
    assert (made["s"], made["params"]) == (2.5, {"seed": 1})
    assert made["max_rss"] > 1
    assert made["environment"]["versions"]["numpy"]


def test_lines_are_in_the_log_and_on_the_terminal(tmp_path, capsys):
    log = tmp_path / "logs/a.log"
    with log_to(log) as write_line:
        print("in the log")
        write_line("in both")
    assert log.read_text() == "in the log\nin both\n"
    assert capsys.readouterr().err == "in both\n"


def test_failed_job_prints_one_line(tmp_path, capsys):
    with pytest.raises(SystemExit), log_to(tmp_path / "a.log"):
        raise ValueError("no such thing")
    assert capsys.readouterr().err == f"ValueError: no such thing (more in {tmp_path / 'a.log'})\n"
    assert "Traceback" in (tmp_path / "a.log").read_text()
