"""What a run says: a line per job with the time that is left, and one message where a job fails."""

import logging
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_lines import Progress


def record(event=None, text="", **facts):
    return logging.makeLogRecord({"msg": text, "event": event, **facts})


def job(number, rule, **wildcards):
    return record(LogEvent.JOB_INFO, jobid=number, rule_name=rule, wildcards=wildcards)


@pytest.fixture
def clock():
    return SimpleNamespace(now=0.0)


@pytest.fixture
def progress(clock):
    progress = Progress(lambda: clock.now)
    assert progress.line(record(LogEvent.RUN_INFO, stats={"rank": 10, "page": 1, "total": 11})) is None
    return progress


def finish(progress, clock, number, seconds, rule="rank", **wildcards):
    progress.line(job(number, rule, **wildcards))
    clock.now += seconds
    return progress.line(record(LogEvent.JOB_FINISHED, job_id=number))


def test_finished_job_prints_one_line(progress, clock):
    line = finish(progress, clock, 7, 20, method="relief", L="50", dataset="digits")
    # Nine more of the same, and a page, of which nothing is known yet.
    assert " ".join(line.split()) == "[ 1/11] rank digits relief 50 20 s about 3 min left"


def test_remaining_time_uses_seconds_per_rule(progress, clock):
    finish(progress, clock, 1, 2, "page")
    finish(progress, clock, 2, 30)
    assert progress.left() == pytest.approx(9 * 30)


def test_parallel_jobs_divide_remaining_time(progress, clock):
    for number in (1, 2):
        progress.line(job(number, "rank"))
    clock.now = 40
    for number in (1, 2):
        progress.line(record(LogEvent.JOB_FINISHED, job_id=number))
    assert progress.left() == pytest.approx(9 * 40 / 2)


def test_last_job_prints_no_remaining_time(clock):
    progress = Progress(lambda: clock.now)
    progress.line(record(LogEvent.RUN_INFO, stats={"rank": 1, "total": 1}))
    assert finish(progress, clock, 1, 100).endswith("2 min")


@pytest.mark.parametrize(
    "said",
    [
        job(1, "rank"),
        record(LogEvent.PROGRESS, "1 of 11 steps (9%) done"),
        record(LogEvent.SHELLCMD, "Shell command: None"),
        record(text="Select jobs to execute..."),
    ],
)
def test_messages_between_jobs_are_left_out(progress, said):
    assert progress.line(said) == ""


def test_failed_job_line_names_its_log(progress):
    progress.line(job(1, "page", study="demo"))
    said = record(LogEvent.JOB_ERROR, jobid=1, rule_name="page", log=["results/demo/logs/page.log"])
    assert progress.line(said) == "failed: page demo; see results/demo/logs/page.log, or add --show-failed-logs"
    assert progress.line(said, whole_errors=True) is None


def test_ctrl_c_marks_job_interrupted(progress):
    progress.line(job(1, "rank", study="demo", method="relief"))
    said = progress.line(record(text="Terminating processes on user request, this might take some time."))
    assert said.startswith("Interrupted: ")
    ended = record(LogEvent.JOB_ERROR, jobid=1, rule_name="rank", log=["a.log"])
    assert progress.line(ended) == "interrupted: rank demo relief"
