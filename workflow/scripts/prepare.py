"""Parse and check one dataset."""

from pathlib import Path

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.pipeline.jobs.preparing import prepare_job

    prepare_job(
        snakemake.params.catalogue,
        snakemake.wildcards.dataset,
        snakemake.input[0],
        Path(snakemake.output.table).parent,
    )
