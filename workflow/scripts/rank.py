"""Rank the features of one dataset by one method for some L."""

from pathlib import Path

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.pipeline.jobs.ranking import ranking_job

    for budget, rankings, status in zip(
        snakemake.params.budgets, snakemake.output.rankings, snakemake.output.status, strict=True
    ):
        ranking_job(
            Path(snakemake.input.table).parent,
            snakemake.input.splits,
            budget,
            snakemake.params.spec,
            rankings,
            status,
            modes=snakemake.params.modes,
            seed=snakemake.params.seed,
            n_jobs=snakemake.threads,
        )
