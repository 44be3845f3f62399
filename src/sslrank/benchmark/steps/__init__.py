"""The jobs of the workflow, one module for each rule: what ``workflow/scripts/step.py`` runs.

A module ``steps/rank.py`` has the function ``rank(job, tell)`` for the rule of that name: it takes files and parameters
from Snakemake's job and passes them on to a function that can be called, and tested, without Snakemake.
"""

import importlib
import os

from sslrank.benchmark.logs import log_to

#: Rules whose logs end with the job's parameters and environment, which the archive keeps.
RECORDED = ("splits", "rank", "import_rankings", "score", "experiment_part")


def run(job):
    """Do a job of the workflow; what it prints, and the traceback of an error, go to its log."""
    with log_to(job.log[0], job, record=job.rule in RECORDED) as tell:
        step = getattr(importlib.import_module(f"{__name__}.{job.rule}"), job.rule)
        step(job, tell)


def may_retry(job):
    """Tell if a kill from outside fails a job: Slurm's jobs are repeated with more memory, twice."""
    return "SLURM_JOB_ID" in os.environ and job.resources.attempt < 3
