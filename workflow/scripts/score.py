"""Score the rankings of one dataset and method, over all L, by one evaluator."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.score import score

run(score, snakemake, record=True)
