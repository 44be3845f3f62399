"""Make the tables of a study."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.tables import tables

run(tables, snakemake)
