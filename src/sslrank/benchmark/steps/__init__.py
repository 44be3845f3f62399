"""The jobs of the workflow, one module for each rule: what the scripts in ``workflow/scripts/`` run.

A module ``steps/rank.py`` has the function ``rank(job, tell)`` for the rule and the script of that name: it takes files
and parameters from Snakemake's job and passes them on to a function that can be called, and tested, without Snakemake.
"""

import os

from sslrank.benchmark.logs import log_to


def run(step, job, *, record=False):
    """Do a job of the workflow; what it prints, and the traceback of an error, go to its log.

    Parameters
    ----------
    step : callable
        ``step(job, tell)``; `tell` prints a line in the log and on the terminal.
    job : snakemake.script.Snakemake
    record : bool, default=False
        Whether the log ends with the job's parameters and environment, which the archive keeps.
    """
    with log_to(job.log[0], job, record=record) as tell:
        step(job, tell)


def may_retry(job):
    """Whether a kill from outside fails a job: Slurm's jobs are repeated with more memory, twice."""
    return "SLURM_JOB_ID" in os.environ and job.resources.attempt < 3
