"""Do a job of the rule `published_figures`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.published_figures import published_figures

run(published_figures, snakemake)
