"""The log of a job, and the record at its end."""

from types import SimpleNamespace

import pytest

from sslrank.benchmark.logs import log_to, read_job_record


def test_finished_job_writes_a_record(tmp_path, capsys):
    log, job = tmp_path / "logs/a.log", SimpleNamespace(rule="made", params={"seed": 1})
    with log_to(log, job) as write_line:
        print("in the log")
        write_line("in both")
    record = read_job_record(log)
    assert (record["rule"], record["params"]) == ("made", {"seed": 1})
    assert record["environment"]["versions"]["numpy"]
    assert log.read_text().startswith("in the log\nin both\n")
    assert capsys.readouterr().err == "in both\n"
    log.write_bytes(log.read_bytes().rstrip()[:-9])  # the disk got full
    assert read_job_record(log) is None
    with log_to(log, job, record=False):
        pass
    assert read_job_record(log) is None
    assert read_job_record(tmp_path / "other.log") is None


def test_failed_job_prints_one_line(tmp_path, capsys):
    with pytest.raises(SystemExit), log_to(tmp_path / "a.log", SimpleNamespace(rule="made", params={})):
        raise ValueError("no such thing")
    assert capsys.readouterr().err == f"ValueError: no such thing (more in {tmp_path / 'a.log'})\n"
    assert "Traceback" in (tmp_path / "a.log").read_text()
    assert read_job_record(tmp_path / "a.log") is None
