"""Do a job of the rule `tables`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.tables import tables

run(tables, snakemake)
