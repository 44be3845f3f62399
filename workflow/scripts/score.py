"""Do a job of the rule `score`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.score import score

run(score, snakemake)
