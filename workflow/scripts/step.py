"""Do a job by the step of its rule's name, in src/sslrank/benchmark/steps/."""

from sslrank.benchmark.steps import run

run(snakemake)
