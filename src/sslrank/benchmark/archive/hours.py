"""Hours of a study on a number of cores, from the processor seconds of its jobs in the archive.

A job is one process with one thread, so that its processor seconds are those of the clock on a free core. Seconds of
the clock were measured while other work ran. Snakemake samples the processor seconds, twice a second at first and every
30 seconds later: a job has taken up to 30 more. Where there are none, those of the clock stand for them.
"""

import heapq
from dataclasses import dataclass

import pandas as pd

from sslrank.benchmark.archive.experiments import JOB

COLUMNS = [
    *("study", "datasets", "results", "cores", "core_hours", "clock_hours", "hours", "critical_path_hours"),
    *("longest_job", "longest_hours"),
]


@dataclass(frozen=True)
class Job:
    """A job of the workflow; `seconds` are the processor's, `clock` those of the clock.

    `pair` is dataset and method: scoring begins when all rankings of a pair are there. A part of an experiment waits
    for nothing, and is a pair of its own.
    """

    name: str
    pair: tuple
    is_ranking: bool
    seconds: float
    clock: float = 0.0


def jobs_of(records):
    """List the jobs behind records of the archive."""
    found = []
    for record in records:
        for row in record.parts[JOB].to_dict("records"):
            seconds = float(row["cpu_time"] if row["cpu_time"] > 0 else row["s"])
            if record.is_experiment:
                name, step, part = record.what["experiment"]["name"], "part", row["part"]
                pair = (name, part)
            else:
                pair = record.what["dataset"]["name"], record.what["method"]["name"]
                name, step = " ".join(pair), "ranking" if row["step"] == "ranking" else "scoring"
                part = row["L"] if step == "ranking" else row["evaluator"]
            words = [step, name, *([] if pd.isna(part) else [part])]
            found.append(Job(" ".join(words), pair, step == "ranking", seconds, float(row["s"])))
    return found


def schedule(jobs, cores):
    """Hours until the last job ends, where a free core takes the job with the longest way to the end."""
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


def hours_table(study, records, cores):
    """Compute the hours of a study on several numbers of cores, one row each.

    `datasets` and `results` (of a method on a dataset, and experiments) count what is in the archive; the study may
    have more. `core_hours` and `clock_hours` are those of all jobs, `hours` those until the last job ends, and
    `critical_path_hours` is a lower bound for any number of cores.
    """
    jobs = jobs_of(records)
    longest = max(jobs, key=lambda job: job.seconds)
    about = {
        "study": study,
        "datasets": len({record.what["dataset"]["name"] for record in records if not record.is_experiment}),
        "results": len(records),
        "core_hours": sum(job.seconds for job in jobs) / 3600,
        "clock_hours": sum(job.clock for job in jobs) / 3600,
        "critical_path_hours": critical_path(jobs),
        "longest_job": longest.name,
        "longest_hours": longest.seconds / 3600,
    }
    return pd.DataFrame([about | {"cores": number, "hours": schedule(jobs, number)} for number in cores])[COLUMNS]
