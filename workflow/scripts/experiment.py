"""Join the parts of an experiment that needs no dataset."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.steps.experiment import experiment_job

    experiment_job(snakemake.params.parts, Path(snakemake.output[0]), name=snakemake.params.name)
