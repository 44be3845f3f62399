"""Render the pages of findings."""

from sslrank.benchmark.report.findings import write_findings
from sslrank.benchmark.steps import Job


class FindingsJob(Job):
    """Render `pages` from `templates`, `protocols` of publications and `tables` of summaries."""

    templates: list
    protocols: list
    tables: list
    pages: list


def findings_job(job: FindingsJob):
    """Render the pages of findings; unchanged pages are not rewritten."""
    write_findings()
    for page in job.pages:
        page.touch()
