"""Do a job of the rule `findings`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.findings import findings

run(findings, snakemake)
