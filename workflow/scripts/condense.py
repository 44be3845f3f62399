"""Condense all rankings of a study to two small tables."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.condense import condense

run(condense, snakemake)
