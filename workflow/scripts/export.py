"""Do a job of the rule `export`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.export import export

run(export, snakemake)
