"""Compute what an evaluator needs once for all rankings of a dataset."""

import os
from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False) as tell:
    from sslrank.benchmark.steps.share import sharing_job

    problem = sharing_job(
        Path(snakemake.input.table).parent,
        snakemake.input.splits,
        snakemake.params.budgets,
        snakemake.params.evaluator,
        snakemake.output[0],
        seed=snakemake.params.seed,
        may_retry="SLURM_JOB_ID" in os.environ and snakemake.resources.attempt < 3,
    )
    if problem:
        tell(f"{snakemake.wildcards.dataset}: {problem}")
