"""Do a job of the rule `experiment_part`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.experiment_part import experiment_part

run(experiment_part, snakemake)
