"""Do a job of the rule `verify_part`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.verify_part import verify_part

run(verify_part, snakemake)
