"""Do a job of the rule `condense`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.condense import condense

run(condense, snakemake)
