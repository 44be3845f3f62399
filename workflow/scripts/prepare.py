"""Do a job of the rule `prepare`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.prepare import prepare

run(prepare, snakemake)
