"""Do a job of the rule `verify`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.verify import verify

run(verify, snakemake)
