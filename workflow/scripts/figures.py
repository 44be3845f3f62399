"""Draw a study's curves and critical-distance diagrams."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.figures import figures

run(figures, snakemake)
