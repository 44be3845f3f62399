"""Write the training rows of every fold for methods in other languages."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.export import export

run(export, snakemake)
