"""Parse and check one dataset."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.prepare import prepare

run(prepare, snakemake)
