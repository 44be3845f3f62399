"""The jobs of the workflow, one module for each rule.

A rule names its script, such as ``workflow/scripts/rank.py``, and the script passes Snakemake's job to the function
``rank(job, tell)`` of the module ``steps/rank.py``. That function takes files and parameters from the job and passes
them on to one that can be called, and tested, without Snakemake.
"""

import os

from sslrank.benchmark.logs import log_to
from sslrank.core.errors import NoDataError

#: Rules whose logs end with the job's parameters and environment, which the archive keeps.
RECORDED = ("splits", "rank", "import_rankings", "score", "experiment_part")


def run(step, job):
    """Do a job of the workflow by the function of its step; what it prints, and an error's traceback, go to its log."""
    with log_to(job.log[0], job, record=job.rule in RECORDED) as tell:
        step(job, tell)


def leave_out(job, tell, problem):
    """Say that a dataset cannot be had, and that the rest is made without it; with `strict` the job fails."""
    if problem and job.resources.strict:
        raise NoDataError(problem)
    if problem:
        tell(f"{problem}\nThe rest is made without it. The next run tries failed downloads and readings again.")


def may_retry(job):
    """True if a kill from outside fails a job: Slurm's jobs are repeated with more memory, twice."""
    return "SLURM_JOB_ID" in os.environ and job.resources.attempt < 3
