"""Do a job of the rule `experiment`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.experiment import experiment

run(experiment, snakemake)
