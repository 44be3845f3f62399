"""Do a job of the rule `archive`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.archive import archive

run(archive, snakemake)
