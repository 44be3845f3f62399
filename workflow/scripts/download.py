"""Do a job of the rule `download`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.download import download

run(download, snakemake)
