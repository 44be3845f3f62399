"""What a study takes on so many cores, from the processor seconds of its jobs in the archive.

A job is one process with one thread, so that its processor seconds are those of the clock on a free core. Seconds of
the clock were measured beside other work. Snakemake samples the processor seconds, twice a second at first and every
30 seconds later: a job has taken up to 30 more. Where there are none, those of the clock stand for them.
"""

import heapq
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from sslrank.benchmark.archive.experiments import JOB

#: A job that takes longer than this share of the whole is split by folds, where it can be.
LONG = 0.1
#: Seconds of starting Python, reading and writing: what one more job costs.
START = 2.0
COLUMNS = [
    *(
        "study",
        "datasets",
        "results",
        "cores",
        "core_hours",
        "clock_hours",
        "hours",
        "critical_path_hours",
        "longest_job",
        "longest_hours",
        "long_jobs",
    ),
    *("split_hours", "split_longest_hours"),
]


@dataclass(frozen=True)
class Job:
    """A job of the workflow.

    Attributes
    ----------
    name : str
    pair : tuple of str
        Dataset and method. Scoring begins when all rankings of a pair are there. A part of an experiment waits for
        nothing, and is a pair of its own.
    is_ranking : bool
    seconds : float
    folds : tuple of float
        Seconds of each fold of a ranking job, as a job of its own.
    clock : float
        Seconds of the clock, as measured.
    """

    name: str
    pair: tuple
    is_ranking: bool
    seconds: float
    folds: tuple = ()
    clock: float = 0.0


def jobs_of(records):
    """The jobs behind records of the archive.

    Parameters
    ----------
    records : iterable of sslrank.benchmark.archive.record.Record

    Returns
    -------
    list of Job
    """
    found = []
    for record in records:
        if record.is_experiment:
            name = record.what["experiment"]["name"]
            found += [
                Job(f"part {name} {row['part']}", (name, row["part"]), False, _seconds(row), clock=float(row["s"]))
                for row in record.parts[JOB].to_dict("records")
            ]
            continue
        dataset, method = record.what["dataset"]["name"], record.what["method"]["name"]
        fits = record.parts["fit"]
        for row in record.parts["job"].to_dict("records"):
            is_ranking = row["step"] == "ranking"
            part = row["L"] if is_ranking else row["evaluator"]
            part = None if pd.isna(part) else part
            seconds, folds = _seconds(row), ()
            if is_ranking:
                inside = fits if part is None else fits[fits["L"] == part]
                inside = inside.groupby(["L", "fold"], observed=True)["seconds"].sum()
                shares = inside / inside.sum() if inside.sum() > 0 else inside
                folds = tuple(float(share) * seconds + START for share in shares)
            name = " ".join(filter(None, ["ranking" if is_ranking else "scoring", dataset, method, part]))
            found.append(Job(name, (dataset, method), is_ranking, seconds, folds, float(row["s"])))
    return found


def _seconds(row):
    return float(row["cpu_time"] if row["cpu_time"] > 0 else row["s"])


def schedule(jobs, cores):
    """Hours until the last job ends, where a free core takes the job with the longest way to the end.

    Parameters
    ----------
    jobs : list of Job
    cores : int

    Returns
    -------
    float
    """
    after, waiting, scoring = {}, {}, {}
    for job in jobs:
        if job.is_ranking:
            waiting[job.pair] = waiting.get(job.pair, 0) + 1
        else:
            after[job.pair] = max(after.get(job.pair, 0.0), job.seconds)
            scoring.setdefault(job.pair, []).append(job)
    order, ready, running, now = 0, [], [], 0.0

    def add(job):
        nonlocal order
        way = job.seconds + (after.get(job.pair, 0.0) if job.is_ranking else 0.0)
        heapq.heappush(ready, (-way, order, job))
        order += 1

    for job in jobs:
        if job.is_ranking or not waiting.get(job.pair):
            add(job)
    while ready or running:
        while ready and len(running) < cores:
            _, number, job = heapq.heappop(ready)
            heapq.heappush(running, (now + job.seconds, number, job))
        now, _, job = heapq.heappop(running)
        if job.is_ranking:
            waiting[job.pair] -= 1
            if not waiting[job.pair]:
                for each in scoring.get(job.pair, []):
                    add(each)
    return now / 3600


def critical_path(jobs):
    """Hours of the longest chain of a ranking job and a scoring job of its pair: no number of cores takes fewer."""
    longest = {}
    for job in jobs:
        ends = longest.setdefault(job.pair, [0.0, 0.0])
        ends[job.is_ranking] = max(ends[job.is_ranking], job.seconds)
    return max((sum(ends) for ends in longest.values()), default=0.0) / 3600


def split(jobs, limit):
    """The jobs, with ranking jobs that take longer than `limit` seconds as one job for each fold."""
    found = []
    for job in jobs:
        if job.seconds > limit and len(job.folds) > 1:
            found += [replace(job, seconds=seconds, folds=()) for seconds in job.folds]
        else:
            found.append(job)
    return found


def hours_table(study, records, cores):
    """What a study takes on several numbers of cores.

    Parameters
    ----------
    study : str
    records : list of sslrank.benchmark.archive.record.Record
    cores : sequence of int

    Returns
    -------
    DataFrame
        One row for each number of cores: datasets and results (of a method on a dataset, and experiments), of which
        there may be more in the study than here, core_hours and clock_hours (of all jobs, by the processor and by the
        clock), hours (until the last job ends), critical_path_hours (what no number of cores gets below), longest_job
        and longest_hours, long_jobs (ranking jobs that take more than a tenth of `hours`), and what becomes of it when
        these are split by folds: split_hours and split_longest_hours.
    """
    jobs, rows = jobs_of(records), []
    total = sum(job.seconds for job in jobs) / 3600
    longest = max(jobs, key=lambda job: job.seconds)
    for number in cores:
        hours = schedule(jobs, number)
        parts = split(jobs, LONG * hours * 3600)
        rows.append(
            {
                "study": study,
                "datasets": len({record.what["dataset"]["name"] for record in records if not record.is_experiment}),
                "results": len(records),
                "cores": number,
                "core_hours": total,
                "clock_hours": sum(job.clock for job in jobs) / 3600,
                "hours": hours,
                "critical_path_hours": critical_path(jobs),
                "longest_job": longest.name,
                "longest_hours": longest.seconds / 3600,
                "long_jobs": sum(job.is_ranking and job.seconds > LONG * hours * 3600 for job in jobs),
                "split_hours": schedule(parts, number),
                "split_longest_hours": np.max([job.seconds for job in parts]) / 3600,
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)
