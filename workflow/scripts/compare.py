"""Compare a study's tables with the published ones."""

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.steps.compare_published import comparison_job

    comparison_job(
        snakemake.input.tables,
        snakemake.output[0],
        tables=snakemake.params.tables,
        names=snakemake.input.names,
        datasets=snakemake.params.datasets,
    )
