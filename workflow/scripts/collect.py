"""Do a job of the rule `collect`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.collect import collect

run(collect, snakemake)
