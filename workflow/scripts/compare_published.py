"""Compare a study's tables with the published ones."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.compare_published import compare_published

run(compare_published, snakemake)
