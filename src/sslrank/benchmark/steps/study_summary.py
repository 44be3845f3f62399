"""Write the summary of a study, the part of its results to commit."""

from pathlib import Path

from sslrank.benchmark.report.summary import write_summary
from sslrank.benchmark.steps import Job


class SummaryJob(Job):
    """Write the folder `summary` of the finished study with this `manifest` and `page`."""

    manifest: Path
    page: Path
    summary: Path


def study_summary_job(job: SummaryJob):
    """Write the summary, and list its files in the log."""
    print(*write_summary(job.manifest.parent, job.summary), sep="\n")
