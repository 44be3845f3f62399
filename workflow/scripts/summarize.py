"""Collect what is to be committed of a study."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.summarize import summarize

run(summarize, snakemake)
