"""Build the results page."""

from pathlib import Path

from sslrank.benchmark.report.page import page_job


def page(job, log):
    """Run a job of the rule `page`."""
    page_job(Path(job.output[0]).parent, job.output[0], config=job.params.config)
