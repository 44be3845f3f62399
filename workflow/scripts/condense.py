"""Make two small tables of all rankings of a study."""

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.steps.condense import condense_job

    condense_job(snakemake.output.stability, snakemake.output.features, pairs=snakemake.params.pairs)
