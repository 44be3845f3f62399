"""Get the files of one dataset."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.download import download

run(download, snakemake)
