"""Do a job of the rule `page`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.page import page

run(page, snakemake)
