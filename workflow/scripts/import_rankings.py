"""Do a job of the rule `import_rankings`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.import_rankings import import_rankings

run(import_rankings, snakemake)
