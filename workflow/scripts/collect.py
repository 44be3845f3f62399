"""Collect the results of a study as tidy tables."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.collect import collect

run(collect, snakemake)
