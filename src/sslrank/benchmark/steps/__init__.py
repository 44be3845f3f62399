"""The jobs of the workflow, one module for each rule.

The rules' script, ``workflow/scripts/step.py``, passes Snakemake's job to the function of the rule's name, such as
``rank(job, log)`` of the module ``steps/rank.py``. That function takes files and parameters from the job and passes
them on to one that can be called, and tested, without Snakemake.
"""

import os
import resource
import sys
import time
from importlib import import_module
from pathlib import Path

from sslrank.benchmark.steps.fork_server import run_in_fork
from sslrank.core.durations import parse_duration

#: Rules whose logs end with the job's parameters and environment, which the archive keeps.
RECORDED = ("splits", "rank", "import_rankings", "score", "experiment_part")


def run(job):
    """Do a job of the workflow, in a process that the run's server forks where it can; after Ctrl-C say nothing."""
    try:
        code = run_in_fork(do, job, threads=job.threads)
        if code is None:
            do(job)
    except KeyboardInterrupt:
        code = 130
    if code:
        sys.exit(code if code > 0 else 128 - code)


def do(job):
    """Do a job in this process; what it prints, and an error's traceback, go to its log."""
    from sslrank.benchmark.logs import log_to

    started = time.perf_counter()
    with log_to(job.log[0], job, record=job.rule in RECORDED) as log:
        step = getattr(import_module(f"{__name__}.{job.rule}"), job.rule)
        step(job, log)
        if path := job.output.get("benchmark"):
            write_benchmark(path, time.perf_counter() - started)


def write_benchmark(path, seconds):
    """Write seconds, memory and processor seconds of this process and its children, under Snakemake's names."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    megabytes = max(each.ru_maxrss for each in used) / (1e6 if sys.platform == "darwin" else 1e3)
    processor = sum(each.ru_utime + each.ru_stime for each in used)
    text = f"s\tmax_rss\tcpu_time\n{seconds:.4f}\t{megabytes:.2f}\t{processor:.2f}\n"
    Path(path).write_text(text, encoding="utf-8")


def leave_out(log, problem):
    """Log that a dataset is unavailable, and that the rest is made without it."""
    if problem:
        log(f"{problem}\nThe rest is made without it. The next run tries failed downloads and readings again.")


def fit_limit(job):
    """Seconds that one fit may take, 0 for no limit; not among the params, as another limit changes no ranking."""
    limit = (job.config.get("limits") or {}).get("fit")
    return parse_duration(limit) if limit else 0


def may_retry(job):
    """True if a kill from outside fails a job: Slurm's jobs are repeated with more memory, twice."""
    return "SLURM_JOB_ID" in os.environ and job.resources.attempt < 3
