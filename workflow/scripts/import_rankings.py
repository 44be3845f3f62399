"""Check the rankings that a method in another language wrote."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.import_rankings import import_rankings

run(import_rankings, snakemake, record=True)
