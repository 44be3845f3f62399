"""Record what a study was run with."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.manifest import manifest

run(manifest, snakemake)
