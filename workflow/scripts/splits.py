"""Do a job of the rule `splits`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.splits import splits

run(splits, snakemake)
