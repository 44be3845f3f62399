"""Draw published against reproduced values."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.published_figures import published_figures

run(published_figures, snakemake)
