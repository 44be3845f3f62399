"""Rank the features of one dataset by one method for one L."""

from pathlib import Path

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.pipeline.ranking import ranking_job

    ranking_job(
        Path(snakemake.input.table).parent,
        snakemake.input.splits,
        snakemake.wildcards.L,
        snakemake.params.spec,
        snakemake.output.rankings,
        snakemake.output.status,
        modes=snakemake.params.modes,
        seed=snakemake.params.seed,
        n_jobs=snakemake.threads,
    )
