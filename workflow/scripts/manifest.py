"""Record what a study was run with."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.report.manifest import manifest_job

    manifest_job(
        Path(snakemake.input[0]).parent,
        snakemake.output[0],
        config=snakemake.params.config,
        root=snakemake.params.root,
    )
