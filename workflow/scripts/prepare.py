"""Parse and check one dataset."""

import os
from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False) as tell:
    from sslrank.benchmark import paths
    from sslrank.benchmark.steps.prepare import prepare_job

    dataset = snakemake.wildcards.dataset
    problem = prepare_job(
        snakemake.params.catalogue,
        dataset,
        snakemake.input[0],
        Path(snakemake.output.table).parent,
        paths.FAILURES.format(dataset=dataset),
        own=snakemake.params.own,
        max_size=snakemake.resources.max_size or None,
        may_retry="SLURM_JOB_ID" in os.environ and snakemake.resources.attempt < 3,
    )
    if problem:
        tell(f"data set {dataset!r} {problem}\nThe rest is made without it; the next run tries again.")
