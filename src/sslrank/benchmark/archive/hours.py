"""Hours of a study on a number of cores, from the processor seconds of its jobs in the archive.

The processor seconds of a job with one thread are those of the clock on a free core. Seconds of the clock were measured
while other work ran. Snakemake samples the processor seconds, twice a second at first and every
30 seconds later: a job has taken up to 30 more. Where there are none, those of the clock stand for them.
"""

import heapq
from dataclasses import dataclass, replace
from math import isnan

import pandas as pd

from sslrank.benchmark.archive.durations import THREADS, threads_of
from sslrank.benchmark.archive.experiments import JOB

COLUMNS = [
    *("study", "datasets", "results", "cores", "core_hours", "clock_hours", "hours", "critical_path_hours"),
    *("hours_one_thread", "last_job", "bound", "longest_job", "longest_hours"),
]


PAIR = ("study", "dataset", "method")


@dataclass(frozen=True)
class Job:
    """A job of the workflow; `seconds` are the processor's, `clock` those of the clock.

    With several `threads` a job is taken to last so many times less; the docs say how far that was measured.

    `pair` is study, dataset and method: scoring begins when all rankings of a pair are there. A part of an experiment
    waits for nothing, and is a pair of its own.
    """

    name: str
    pair: tuple
    is_ranking: bool
    seconds: float
    clock: float = 0.0
    threads: int = 1

    def takes(self, cores):
        """Seconds on a machine with so many cores."""
        return self.seconds / min(self.threads, cores)


def jobs_of(records):
    """List the jobs behind records of the archive."""
    found = []
    for record in records:
        for row in record.parts[JOB].to_dict("records"):
            seconds = float(row["cpu_time"] if row["cpu_time"] > 0 else row["s"])
            if isnan(seconds):  # nobody has measured it
                continue
            threads = 1
            if record.is_experiment:
                name, step, part = record.what["experiment"]["name"], "part", row["part"]
                pair = (record.what["study"], name, part)
            else:
                pair = tuple(record.what[key] if key == "study" else record.what[key]["name"] for key in PAIR)
                name, step = " ".join(pair[1:]), "ranking" if row["step"] == "ranking" else "scoring"
                part = row["L"] if step == "ranking" else row["evaluator"]
                if step == "ranking":
                    threads = threads_of(record.what["method"]["spec"].get("ranker"), seconds)
            words = [step, name, *([] if pd.isna(part) else [part])]
            found.append(Job(" ".join(words), pair, step == "ranking", seconds, float(row["s"]), threads))
    return found


def schedule(jobs, cores):
    """Simulate a run on so many cores; return hours until the last job ends, and that job.

    Whenever cores are free, the ready job with the longest way to the end begins that they suffice for.
    """
    after, waiting, scoring = {}, {}, {}
    for job in jobs:
        if job.is_ranking:
            waiting[job.pair] = waiting.get(job.pair, 0) + 1
        else:
            after[job.pair] = max(after.get(job.pair, 0.0), job.takes(cores))
            scoring.setdefault(job.pair, []).append(job)
    order, free, ready, running, now, last = 0, cores, [], [], 0.0, None

    def add(job):
        nonlocal order
        way = job.takes(cores) + (after.get(job.pair, 0.0) if job.is_ranking else 0.0)
        heapq.heappush(ready, (-way, order, job))
        order += 1

    for job in jobs:
        if job.is_ranking or not waiting.get(job.pair):
            add(job)
    while ready or running:
        too_wide = []
        while ready and free:
            way, number, job = heapq.heappop(ready)
            if min(job.threads, cores) > free:
                too_wide.append((way, number, job))
                continue
            free -= min(job.threads, cores)
            heapq.heappush(running, (now + job.takes(cores), number, job))
        for item in too_wide:
            heapq.heappush(ready, item)
        now, _, last = heapq.heappop(running)
        free += min(last.threads, cores)
        if last.is_ranking:
            waiting[last.pair] -= 1
            if not waiting[last.pair]:
                for each in scoring.get(last.pair, []):
                    add(each)
    return now / 3600, last


def critical_path(jobs):
    """Hours of the longest chain of a ranking job and a scoring job of its pair: no number of cores takes fewer."""
    longest = {}
    for job in jobs:
        ends = longest.setdefault(job.pair, [0.0, 0.0])
        ends[job.is_ranking] = max(ends[job.is_ranking], job.takes(job.threads))
    return max((sum(ends) for ends in longest.values()), default=0.0) / 3600


def hours_table(study, records, cores):
    """Compute the hours of a study on several numbers of cores, one row each.

    `datasets` and `results` (of a method on a dataset, and experiments) count what is in the archive; the study may
    have more. `core_hours` and `clock_hours` are those of all jobs, `hours` those until `last_job` ends,
    `hours_one_thread` the same if every job had one thread, and `critical_path_hours` is a lower bound for any number
    of cores. `bound` is what keeps more cores from being used well: "cores" if nothing does, or "longest job".
    """
    jobs = jobs_of(records)
    single = [replace(job, threads=1) for job in jobs]
    longest = max(jobs, key=lambda job: job.takes(job.threads))
    about = {
        "study": study,
        "datasets": len({record.what["dataset"]["name"] for record in records if not record.is_experiment}),
        "results": len(records),
        "core_hours": sum(job.seconds for job in jobs) / 3600,
        "clock_hours": sum(job.clock for job in jobs) / 3600,
        "critical_path_hours": critical_path(jobs),
        "longest_job": longest.name,
        "longest_hours": longest.takes(longest.threads) / 3600,
    }
    rows = []
    for number in cores:
        hours, last = schedule(jobs, number)
        row = {"cores": number, "hours": hours, "last_job": last.name, "hours_one_thread": schedule(single, number)[0]}
        row["bound"] = "cores" if about["core_hours"] / number > about["critical_path_hours"] else "longest job"
        rows.append(about | row)
    return pd.DataFrame(rows)[COLUMNS]


def missing_hours(done, like):
    """Estimate the processor hours of the datasets that a study lacks and another one has, the most first.

    They are the other study's hours, times the ratio of the two studies on the datasets of both.

    Parameters
    ----------
    done, like : list of Job
        The jobs of the study and of the other one.

    Returns
    -------
    DataFrame
        dataset, core_hours.
    """
    done, like = (
        pd.Series([job.seconds / 3600 for job in jobs]).groupby([job.pair[1] for job in jobs]).sum()
        for jobs in (done, like)
    )
    both = done.index.intersection(like.index)
    hours = like.drop(both) * (done[both].sum() / like[both].sum())
    return hours.sort_values(ascending=False).rename_axis("dataset").reset_index(name="core_hours")


def draw_hours(records, path):
    """Draw the hours of studies on 1 to 4096 cores into an SVG file, with and without threads, and their bounds."""
    from sslrank.plotting.style import look, new_axes, save_figure

    table = hours_table("", records, [2**power for power in range(13)])
    with look():
        figure, ax = new_axes(None, 6.4, 3.6)
        ax.plot(table["cores"], table["hours_one_thread"], "o--", ms=3, label="one thread for every job")
        ax.plot(table["cores"], table["hours"], "o-", ms=3, label=f"{THREADS} threads for the longest jobs")
        ideal = table["core_hours"] / table["cores"]
        ax.plot(table["cores"], ideal, ":", color="0.4", label="no core ever idle")
        ax.axhline(table["critical_path_hours"][0], color="0.4", lw=0.8, label="longest ranking, then its scores")
        ax.set(xscale="log", yscale="log", xlabel="cores", ylabel="hours", title="Hours until the last job ends")
        ax.set_ylim(bottom=table["critical_path_hours"][0] / 2)
        ax.legend(frameon=False)
        save_figure(figure, path, formats=["svg"])
