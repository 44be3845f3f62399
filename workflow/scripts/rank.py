"""Rank the features of one dataset by one method for one L."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.rank import rank

run(rank, snakemake, record=True)
