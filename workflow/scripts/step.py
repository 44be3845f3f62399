"""Do a job by the step that its rule names, in src/sslrank/benchmark/steps/."""

from sslrank.benchmark.steps import run

run(snakemake)
