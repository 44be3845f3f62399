"""Walltime, memory and threads that jobs request from a cluster.

:data:`TABLE` has a line for each method, evaluator and experiment in the archive: the upper quartile of the seconds of
its jobs, per square root of a million values (rows times features times fits), and the largest memory. A job that gets
too little is submitted again with more (`retries` of the Slurm profile).
"""

import csv
import math

#: Renewed by ``make durations``. Wall-clock seconds, on machines that also did other work.
TABLE = "workflow/durations.csv"
#: Seconds of each job to start Python.
START = 3
#: Requests: a multiple of the estimate, plus minutes, and megabytes for two processes of Snakemake.
WALLTIME_FACTOR, MORE_MINUTES, MORE_MEGABYTES = 3, 1, 600
#: Factor of the walltime from one attempt to the next.
GROWTH = 4
#: Minutes of a job whose method, evaluator or experiment is not in the archive.
UNKNOWN = 240
#: Jobs expected to take fewer seconds are submitted in groups.
SHORT = 300
#: Minimum seconds and number of threads of jobs whose ranker gains by threads: two threads are 1.7 to 2.1 times as fast
#: as one (measured at commit 255f773).
MIN_SECONDS_FOR_THREADS, THREADS, THREADED_RANKERS = 900, 4, ("genie3",)


def million_values(shape, protocol, fits):
    """Compute the millions of values of a job: rows (at most those of the protocol) times features times fits."""
    rows = min(shape.rows or 100, *(protocol.get(key) or math.inf for key in ("rows", "max_rows")))
    return rows * (shape.features or 10) * fits * protocol.get("folds", 10) * protocol.get("repetitions", 1) / 1e6


class Resources:
    """Estimates for the jobs of a :class:`sslrank.benchmark.plan.plan.Plan`.

    A job is a step, "ranking", "scores" or "part", and its wildcards: study, dataset and method, or experiment.
    """

    def __init__(self, plan):
        self._plan, path = plan, plan.root / TABLE
        lines = csv.DictReader(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else []
        self._table = {(row["step"], row["name"]): (float(row["seconds"]), int(row["megabytes"])) for row in lines}

    def _names(self, step, job):
        """Return the names of the method, the evaluators or the experiment of a job."""
        if step == "part":
            return [self._plan.studies[job["study"]].experiments[job["experiment"]].experiment]
        return self._plan.study(job["study"]).evaluators(job["method"]) if step == "scores" else [job["method"]]

    def _measured(self, step, job):
        """Look up (seconds per root of a million values, megabytes) of each name; None if one is not in the archive."""
        needs = {name: self._table.get((step, name)) for name in self._names(step, job)}
        return None if None in needs.values() else needs

    def seconds(self, step, job):
        """Return the expected seconds of a job with one thread; None if one of its names is not in the archive."""
        needs, plan = self._measured(step, job), self._plan
        if needs is None or step == "part":
            return needs and sum(factor for factor, _ in needs.values())
        block, shape = plan.studies[job["study"]], plan.catalogue[job["dataset"]].shape
        expected, protocol = START, block.splits.model_dump()
        for name, (factor, _) in needs.items():
            n_budgets = len(protocol["L"] if step == "ranking" else plan.study(job["study"]).scored_budgets(name))
            expected += factor * math.sqrt(million_values(shape, protocol, len(block.modes) * n_budgets))
        return expected

    def minutes(self, step, job, attempt=1):
        """Return the walltime of an attempt in minutes, up to the configuration's ``limits.job``."""
        seconds = self.seconds(step, job)
        requested = UNKNOWN if seconds is None else MORE_MINUTES + WALLTIME_FACTOR * seconds / 60
        requested = math.ceil(requested * GROWTH ** (attempt - 1))
        return min(requested, (self._plan.limits.job or 0) // 60 or requested)

    def megabytes(self, step, job, attempt=1):
        """Return the memory of an attempt, in MB."""
        needs = self._measured(step, job)
        size = self._plan.size(job["dataset"]) // 10_000 if step != "part" else 0
        return attempt * (1500 + size if needs is None else MORE_MEGABYTES + max(most for _, most in needs.values()))

    def threads(self, job):
        """Return the threads of a ranking job; they change no result."""
        is_parallel = self._plan.study(job["study"]).ranker(job["method"]) in THREADED_RANKERS
        return THREADS if is_parallel and (self.seconds("ranking", job) or 0) >= MIN_SECONDS_FOR_THREADS else 1

    def is_short(self, step, job):
        """Check if a job (for scores, also its ranking job) is expected to take less than :data:`SHORT`."""
        expected = [self.seconds(each, job) for each in {step, "ranking"}]
        return None not in expected and max(expected) < SHORT
