"""Estimate how far the clustering hypothesis holds in one dataset."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.steps.clustering_hypothesis import hypothesis_job

    hypothesis_job(Path(snakemake.input.table).parent, snakemake.output[0])
