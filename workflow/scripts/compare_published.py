"""Do a job of the rule `compare_published`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.compare_published import compare_published

run(compare_published, snakemake)
