"""Write the training rows of every fold for methods in other languages."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.steps.export import export_job

    export_job(
        Path(snakemake.input.table).parent,
        snakemake.input.splits,
        snakemake.wildcards.L,
        snakemake.output[0],
        form=snakemake.wildcards.form,
    )
