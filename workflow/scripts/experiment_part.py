"""Compute a part of an experiment that needs no dataset."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.experiment_part import experiment_part

run(experiment_part, snakemake, record=True)
