"""Durations that are estimated from jobs, where the jobs follow the formula, and where they do not."""

import csv
from pathlib import Path

import numpy as np
import pytest

from sslrank.benchmark.archive.durations import COLUMNS, LONG, START, THREADS, Durations, Work, fit, threads_of

COMMITTED = Path(__file__).parents[3] / "workflow/durations.csv"


def done(factor, exponent, name="mine"):
    """Jobs of a method that take ``3 + factor * rows**exponent`` seconds and twice so many megabytes above the start."""
    for rows in (50, 100, 400, 1000, 5000, 20000):
        for features in (5, 50, 500):
            above = factor * rows**exponent
            yield "ranking", name, Work(rows, features, 2, 20, 50), START["seconds"] + above, START["megabytes"] + above * 2


def written(path, rows):
    with open(path, "w", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return Durations(path)


def test_jobs_that_follow_the_formula_are_estimated_by_it(tmp_path):
    known = written(tmp_path / "durations.csv", fit([*done(0.02, 0.9), *done(0.5, 0.9, "other")]))
    for step, name, work, seconds, megabytes in [*done(0.02, 0.9), *done(0.5, 0.9, "other")]:
        assert known.estimate("seconds", step, name, work) == pytest.approx(seconds, rel=0.25)
        assert known.estimate("megabytes", step, name, work) == pytest.approx(megabytes, rel=0.25)


def test_more_rows_take_longer_than_any_job_before(tmp_path):
    known = written(tmp_path / "durations.csv", fit(done(0.02, 0.9)))
    expected = START["seconds"] + 0.02 * 200_000**0.9
    found = known.estimate("seconds", "ranking", "mine", Work(200_000, 50, 2, 20, 50))
    assert found == pytest.approx(expected, rel=0.4)


def test_a_method_with_few_jobs_takes_the_exponents_of_all(tmp_path):
    few = [job for job in done(0.2, 0.9, "new") if job[2].rows == 400]
    known = written(tmp_path / "durations.csv", fit([*done(0.02, 0.9), *few]))
    found = known.estimate("seconds", "ranking", "new", Work(20000, 50, 2, 20, 50))
    assert 0.5 < found / (START["seconds"] + 0.2 * 20000**0.9) < 2


def test_what_the_archive_does_not_know_has_no_estimate(tmp_path):
    known = written(tmp_path / "durations.csv", fit(done(0.02, 0.9)))
    assert known.estimate("seconds", "ranking", "unheard_of", Work(100, 10, 2, 20, 50)) is None
    assert known.estimate("seconds", "scores", "mine", Work(100, 10, 2, 20)) is None
    assert Durations(tmp_path / "no file").estimate("seconds", "ranking", "mine") is None


def test_the_worst_ratio_is_that_of_the_worst_job():
    jobs = [*done(0.02, 0.9), ("ranking", "mine", Work(100, 50, 2, 20, 50), 400.0, 300.0)]
    (row,) = (row for row in fit(jobs) if row["quantity"] == "seconds")
    assert row["jobs"] == 19
    assert row["worst"] > 10


def test_only_long_jobs_that_gain_by_threads_get_them():
    assert threads_of("genie3", LONG) == THREADS
    assert threads_of("genie3", LONG - 1) == threads_of("genie3", None) == 1
    assert threads_of("relief", 10 * LONG) == threads_of(None, 10 * LONG) == 1


def test_the_committed_table_has_every_step_and_the_longest_jobs():
    known = Durations(COMMITTED)
    with open(COMMITTED, newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert known.estimate("seconds", "ranking", "forest_bagging", Work(14000, 128, 6, 20, 500)) > LONG
    assert {row["step"] for row in rows} == {"part", "ranking", "scores"}
    assert np.isfinite([[float(row[fact]) for fact in ("factor", "rows", "L", "worst")] for row in rows]).all()
