"""Write the results page of a study."""

from pathlib import Path

from sslrank.benchmark.report.page import write_page
from sslrank.benchmark.steps import Job


class PageJob(Job):
    """Write the `page` of a study with the block `config`, from the other files of its folder."""

    collected: list
    ranked: list
    manifest: Path
    tables: Path
    figures: Path
    published: list
    config: dict
    page: Path


def page_job(job: PageJob):
    """Write the page."""
    write_page(job.manifest.parent, job.page, config=job.config)
