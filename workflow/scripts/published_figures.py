"""Draw published against reproduced values."""

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.report.published_figures import published_figures_job

    published_figures_job(snakemake.input[0], snakemake.output[0], titles=snakemake.params.titles)
