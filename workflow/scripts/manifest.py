"""Do a job of the rule `manifest`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.manifest import manifest

run(manifest, snakemake)
