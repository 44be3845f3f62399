"""Do a job of the rule `rank`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.rank import rank

run(rank, snakemake)
