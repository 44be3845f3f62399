"""What a ranking or scoring job asks a cluster for, by the archive's durations: walltime, memory, threads."""

import math
from functools import cache

from sslrank.benchmark.archive.durations import TABLE, Durations, ranking_work, scoring_work, threads_of

#: What is asked for, in multiples of the estimate, and above it: minutes, and megabytes for two processes of Snakemake.
TIMES, MORE_MINUTES, MORE_MEGABYTES = 3, 1, 600
#: Walltime of an attempt, in multiples of the one before.
GROWTH = 4
#: Minutes of a job that the archive has nothing alike of.
UNKNOWN = 240
#: Jobs that are expected to take fewer seconds wait in one queue of a cluster as a group.
SHORT = 60


class Resources:
    """Estimates for the jobs of a :class:`sslrank.benchmark.plan.plan.Plan`.

    A job is a step, "ranking", "scores" or "part", and a mapping of its wildcards: study, dataset, method and L, or
    evaluator; study and experiment.
    """

    def __init__(self, plan):
        self._plan, self._durations = plan, Durations(plan.root / TABLE)
        self._estimate = cache(self._estimate)

    def minutes(self, step, job, attempt=1):
        """Walltime of an attempt, up to the configuration's ``limits.job``."""
        seconds = self._expect("seconds", step, job)
        asked = UNKNOWN if seconds is None else MORE_MINUTES + TIMES * seconds / 60
        asked = math.ceil(asked * GROWTH ** (attempt - 1))
        limit = self._plan.limits.job_seconds // 60
        return min(asked, limit) if limit else asked

    def megabytes(self, step, job, attempt=1):
        """Memory of an attempt."""
        expected = self._expect("megabytes", step, job)
        if expected is None:
            size = self._plan.size(job["dataset"]) if step != "part" else 0
            return attempt * (1500 + size // 10_000)
        return attempt * math.ceil(MORE_MEGABYTES + TIMES * expected)

    def threads(self, job):
        """Threads of a ranking job; they change no result."""
        return threads_of(self._plan.ranker(job["study"], job["method"]), self.seconds("ranking", job))

    def is_short(self, step, job):
        """True if a job, of an evaluator also every ranking that it judges, is expected to take less than a minute."""
        jobs = [(step, job)]
        if step == "scores":
            budgets = self._plan.scored_budgets(job["study"], job["evaluator"])
            jobs += [("ranking", {**job, "L": budget}) for budget in budgets]
        found = [self.seconds(*each) for each in jobs]
        return None not in found and max(found) < SHORT

    def seconds(self, step, job):
        """Expected seconds of a job with one thread; None if the archive has nothing alike."""
        return self._expect("seconds", step, job)

    def _expect(self, quantity, step, job):
        if step == "part":
            return self._estimate(quantity, step, job["study"], job["experiment"], "", "")
        last = job["L"] if step == "ranking" else job["evaluator"]
        return self._estimate(quantity, step, job["study"], job["dataset"], job.get("method", ""), last)

    def _estimate(self, quantity, step, study, first, method, last):
        plan = self._plan
        block = plan.studies[study]
        if step == "part":
            return self._durations.estimate(quantity, step, block.experiments[first].experiment)
        shape, protocol = plan.catalogue[first].shape, block.splits.model_dump()
        if shape.rows is None or shape.features is None:
            return None
        table = protocol, len(block.modes), shape.rows, shape.features, shape.targets or 1
        if step == "ranking":
            return self._durations.estimate(quantity, step, method, ranking_work(*table, [last]))
        return self._durations.estimate(
            quantity, step, last, scoring_work(*table, plan.scored_budgets(study, last))
        )
