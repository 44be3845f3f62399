"""The job that a step takes, its log, its benchmark, which has what made its results, and the failures of a step."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from sslrank.benchmark.files import count_failures, note_failure
from sslrank.benchmark.steps import job_of, log_to, write_benchmark
from sslrank.benchmark.steps.rankings_csv import CsvJob, rankings_csv_job


def test_every_name_of_a_rule_is_a_field_of_the_job():
    files = {"input": {"rankings": "a.parquet"}, "output": {"exported": "b.csv"}, "config": {}}
    job = SimpleNamespace(**files, params={"function": "rankings_csv_job", "code": "c"}, threads=2, resources={})
    assert job_of(rankings_csv_job, job) == CsvJob(rankings=Path("a.parquet"), exported=Path("b.csv"), threads=2)
    job.params["header"] = True
    with pytest.raises(TypeError, match=r"CsvJob.*'header'"):
        job_of(rankings_csv_job, job)


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


def test_failures_are_counted(tmp_path):
    path = tmp_path / "failures.log"
    assert count_failures(path) == 0
    for problem in ("", "one\nof two lines", "another"):
        note_failure(path, problem)
    assert count_failures(path) == 2
    assert path.read_text(encoding="utf-8") == "one of two lines\nanother\n"
