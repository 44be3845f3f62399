"""Make the folds and label sets of one dataset."""

from pathlib import Path

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.pipeline.jobs.splitting import splits_job

    splits_job(
        Path(snakemake.input.table).parent,
        snakemake.output[0],
        protocol=snakemake.params.protocol,
        seed=snakemake.params.seed,
    )
