"""Check the rankings that a method in another language has written."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake):
    from sslrank.benchmark.steps.import_rankings import import_job

    import_job(
        snakemake.input.source,
        Path(snakemake.input.table).parent,
        snakemake.input.splits,
        snakemake.input.benchmark,
        snakemake.output.rankings,
        snakemake.output.status,
        modes=snakemake.params.modes,
    )
