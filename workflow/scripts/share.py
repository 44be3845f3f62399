"""Compute what an evaluator needs once for all rankings of a dataset."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.share import share

run(share, snakemake)
