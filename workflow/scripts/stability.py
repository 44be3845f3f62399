"""Do a job of the rule `stability`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.stability import stability

run(stability, snakemake)
