"""Collect what is to be committed of a study."""

from pathlib import Path

from sslrank.benchmark.report import summary


def summarize(job, tell):
    """Do the job of the rule `summarize`."""
    for file in summary.summarize(Path(job.input.manifest).parent, job.output[0]):
        print(file)
