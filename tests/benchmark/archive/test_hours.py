"""Hours of jobs on so many cores, on cases that can be counted by hand."""

import pytest

from sslrank.benchmark.archive.hours import Job, critical_path, schedule

HOUR = 3600.0


def jobs(*said):
    return [Job(name, (name[0], "m"), step == "r", hours * HOUR) for name, step, hours in said]


def test_one_core_does_one_job_after_the_other():
    found = jobs(("a1", "r", 1), ("a2", "r", 2), ("a", "s", 3), ("b", "r", 4))
    assert schedule(found, 1) == 10
    assert schedule(found, 2) == 5  # a2 and a1, then b after a1 and the scoring after a2
    assert schedule(found, 1000) == critical_path(found) == 5


def test_scoring_waits_for_all_rankings_of_its_pair():
    found = jobs(("a1", "r", 1), ("a2", "r", 5), ("a", "s", 1), ("b", "s", 1))
    assert schedule(found, 10) == 6


@pytest.mark.parametrize("cores", [1, 2, 3, 7])
def test_hours_are_between_their_bounds(cores):
    found = jobs(*[(f"{name}{n}", "r", n) for name in "abc" for n in (1, 2, 3)], *[(name, "s", 2) for name in "abc"])
    total = sum(job.seconds for job in found) / HOUR
    hours = schedule(found, cores)
    assert max(total / cores, critical_path(found)) <= hours <= total / cores + critical_path(found)
