"""Render the pages of findings."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.benchmark.report.findings import write_findings

    write_findings("results")
    for page in snakemake.output:  # those that did not change are up to date, too
        Path(page).touch()
