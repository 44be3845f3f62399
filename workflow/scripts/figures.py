"""Do a job of the rule `figures`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.figures import figures

run(figures, snakemake)
