"""Make the folds and label sets of one dataset."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.splits import splits

run(splits, snakemake, record=True)
