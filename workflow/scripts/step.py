"""Do the job of a rule: run the function of its name, in the module of its name in `sslrank.benchmark.steps`."""

from sslrank.benchmark.steps import run

run(snakemake)
