"""Compute a part of an experiment that needs no dataset."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake):
    from sslrank.benchmark.steps.experiment_part import experiment_part_job

    experiment_part_job(
        Path(snakemake.output[0]),
        name=snakemake.params.name,
        part=snakemake.params.part,
        seed=snakemake.params.seed,
        n_jobs=snakemake.threads,
    )
