"""Hours of jobs on so many cores, on cases that can be counted by hand."""

import pytest

from sslrank.benchmark.archive.hours import Job, critical_path, missing_hours, schedule

HOUR = 3600.0


def hours_of(found, cores):
    return schedule(found, cores)[0]


def jobs(*said):
    return [Job(name, (name[0], "m"), step == "r", hours * HOUR) for name, step, hours in said]


def test_one_core_does_one_job_after_the_other():
    found = jobs(("a1", "r", 1), ("a2", "r", 2), ("a", "s", 3), ("b", "r", 4))
    assert hours_of(found, 1) == 10
    assert hours_of(found, 2) == 5  # a2 and a1, then b after a1 and the scoring after a2
    assert hours_of(found, 1000) == critical_path(found) == 5


def test_scoring_waits_for_all_rankings_of_its_pair():
    found = jobs(("a1", "r", 1), ("a2", "r", 5), ("a", "s", 1), ("b", "s", 1))
    assert hours_of(found, 10) == 6


@pytest.mark.parametrize("cores", [1, 2, 3, 7])
def test_hours_are_between_their_bounds(cores):
    found = jobs(*[(f"{name}{n}", "r", n) for name in "abc" for n in (1, 2, 3)], *[(name, "s", 2) for name in "abc"])
    total = sum(job.seconds for job in found) / HOUR
    hours = hours_of(found, cores)
    assert max(total / cores, critical_path(found)) <= hours <= total / cores + critical_path(found)


def test_the_job_that_ends_last_is_named():
    found = jobs(("a1", "r", 1), ("a2", "r", 5), ("a", "s", 1), ("b", "s", 1))
    assert schedule(found, 10)[1].name == "a"
    assert schedule(found[:2], 1)[1].name == "a1"  # the longer one begins first


def test_threads_shorten_a_job_as_far_as_there_are_cores():
    wide = Job("wide", ("w", "m"), True, 8 * HOUR, threads=4)
    narrow = [Job(f"n{number}", (f"n{number}", "m"), True, 2 * HOUR) for number in range(4)]
    assert hours_of([wide], 8) == critical_path([wide]) == 2
    assert hours_of([wide], 2) == 4
    assert hours_of([wide, *narrow], 4) == 4  # all cores for the wide one, then one for each of the others
    assert hours_of([wide, *narrow], 8) == 2


def test_a_job_that_is_too_wide_for_the_free_cores_holds_up_no_other():
    long = Job("long", ("l", "m"), True, 9 * HOUR)
    wide = Job("wide", ("w", "m"), True, 16 * HOUR, threads=4)
    short = Job("short", ("s", "m"), True, 3 * HOUR)
    assert schedule([long, wide, short], 4)[0] == 13  # short runs beside long, wide after both


def test_hours_of_missing_datasets_are_those_of_another_study():
    def of(**hours):
        return [Job(name, ("study", name, "m"), True, each * HOUR) for name, each in hours.items()]

    table = missing_hours(of(a=1, b=3), of(a=1, b=1, c=4, d=5))
    assert table.to_dict("list") == {"dataset": ["d", "c"], "core_hours": [10, 8]}
