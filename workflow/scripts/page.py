"""Build the results page."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.report.page import page_job

    page_job(
        Path(snakemake.output[0]).parent,
        snakemake.output[0],
        config=snakemake.params.config,
    )
