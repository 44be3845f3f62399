"""Do a job of the rule `summarize`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.summarize import summarize

run(summarize, snakemake)
