"""Make the tables of a study."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.steps.tables import tables_job

    tables_job(
        Path(snakemake.input[0]).parent,
        snakemake.output[0],
        study=snakemake.wildcards.study,
        config=snakemake.params.config,
        experiments={Path(folder).name: folder for folder in snakemake.input.experiments},
        tables=snakemake.params.tables,
    )
