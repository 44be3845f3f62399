"""Do a job of the rule `clustering_hypothesis`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.clustering_hypothesis import clustering_hypothesis

run(clustering_hypothesis, snakemake)
