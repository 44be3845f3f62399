"""Collect what is to be committed of a study."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.report.summary import summarize

    for file in summarize(Path(snakemake.input.manifest).parent, snakemake.output[0]):
        print(file)
