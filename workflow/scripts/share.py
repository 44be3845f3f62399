"""Compute what an evaluator needs once for all rankings of a dataset."""

from pathlib import Path

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.pipeline.jobs.sharing import sharing_job

    sharing_job(
        Path(snakemake.input.table).parent,
        snakemake.input.splits,
        snakemake.params.budgets,
        snakemake.params.evaluator,
        snakemake.output[0],
        seed=snakemake.params.seed,
    )
