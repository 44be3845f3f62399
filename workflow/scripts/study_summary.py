"""Do a job of the rule `study_summary`."""

from sslrank.benchmark.steps import run
from sslrank.benchmark.steps.study_summary import study_summary

run(study_summary, snakemake)
