"""Do a job of the rule `verify_cell`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.verify_cell import verify_cell

run(verify_cell, snakemake)
