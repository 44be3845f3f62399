"""Estimate how far the clustering hypothesis holds in one dataset."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.clustering_hypothesis import clustering_hypothesis

run(clustering_hypothesis, snakemake)
