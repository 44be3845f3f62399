"""Estimate how far the clustering hypothesis holds in one dataset."""

from pathlib import Path

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.pipeline.jobs.hypothesis import hypothesis_job

    hypothesis_job(Path(snakemake.input.table).parent, snakemake.output[0])
