"""Gather the results of a study."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.steps.collect import collect_job

    collect_job(
        Path(snakemake.output[0]).parent,
        datasets=snakemake.params.datasets,
        pairs=snakemake.params.pairs,
        experiments=snakemake.params.experiments,
    )
