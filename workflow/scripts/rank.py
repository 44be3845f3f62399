"""Rank the features of one dataset by one method for some L."""

import os
from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake):
    from sslrank.benchmark.environment import environment
    from sslrank.benchmark.steps.supervised_ranking import supervised_ranking

    given, files = snakemake.params, snakemake.output
    folder, splits = Path(snakemake.input.table).parent, snakemake.input.splits
    # Fits of a job that was stopped are taken only if they would have the same origin.
    made_by = environment()
    supervised_ranking(
        folder,
        splits,
        given.spec,
        list(zip(given.budgets, files.rankings, files.status, strict=True)),
        modes=given.modes,
        seed=given.seed,
        n_jobs=snakemake.threads,
        limit=snakemake.resources.fit_limit,
        identity=repr((given.code, given.ranker, made_by["versions"], made_by["instructions"])),
        # Slurm's jobs are repeated with more memory, twice.
        may_retry="SLURM_JOB_ID" in os.environ and snakemake.resources.attempt < 3,
    )
