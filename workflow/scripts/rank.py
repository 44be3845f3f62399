"""Rank the features of one dataset by one method for some L."""

import os
from pathlib import Path

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0], snakemake):
    from sslrank.pipeline.jobs.supervised_ranking import supervised_ranking

    given, files = snakemake.params, snakemake.output
    supervised_ranking(
        Path(snakemake.input.table).parent,
        snakemake.input.splits,
        given.spec,
        list(zip(given.budgets, files.rankings, files.status, strict=True)),
        modes=given.modes,
        seed=given.seed,
        n_jobs=snakemake.threads,
        limit=snakemake.resources.fit_limit,
        kept=snakemake.resources.kept,
        identity=f"{given.code} {given.ranker}",
        # Slurm's jobs are repeated with more memory, twice.
        may_retry="SLURM_JOB_ID" in os.environ and snakemake.resources.attempt < 3,
    )
