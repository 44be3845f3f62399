"""Do a job of the rule `share`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.share import share

run(share, snakemake)
