"""Join the parts of an experiment that needs no dataset."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.experiment import experiment

run(experiment, snakemake)
