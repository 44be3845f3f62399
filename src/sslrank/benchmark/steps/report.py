"""Draw the figures of a study, write its manifest, results page and summary, and render the findings."""

from pathlib import Path

from sslrank.benchmark.report.figures import write_figures
from sslrank.benchmark.report.findings import write_findings
from sslrank.benchmark.report.manifest import write_manifest
from sslrank.benchmark.report.page import write_page
from sslrank.benchmark.report.summary import write_summary
from sslrank.benchmark.steps import Job
from sslrank.benchmark.steps.tables import StudyJob, read_study


class FiguresJob(StudyJob):
    """Draw the `figures` of a study, curves only of some `datasets`."""

    datasets: list
    figures: Path


def figures_job(job: FiguresJob):
    """Draw the figures of a study."""
    write_figures(read_study(job), job.figures, job.datasets)


class ManifestJob(Job):
    """Write the `manifest` of a study with the block `config`; `root` is the repository."""

    collected: list
    config: dict
    root: str
    manifest: Path


def manifest_job(job: ManifestJob):
    """Write the manifest of a study."""
    write_manifest(job.collected[0].parent, job.manifest, config=job.config, root=job.root)


class PageJob(Job):
    """Write the `page` of a study with the block `config`, from the other files in the folder of the manifest."""

    manifest: Path
    config: dict
    page: Path


def page_job(job: PageJob):
    """Write the page of a study."""
    write_page(job.manifest.parent, job.page, config=job.config)


class SummaryJob(Job):
    """Write the folder `summary` of the finished study with this manifest."""

    manifest: Path
    summary: Path


def study_summary_job(job: SummaryJob):
    """Write the summary of a study, and list its files in the log."""
    print(*write_summary(job.manifest.parent, job.summary), sep="\n")


class FindingsJob(Job):
    """Render the `pages` of findings."""

    pages: list


def findings_job(job: FindingsJob):
    """Render the pages of findings; unchanged pages are not rewritten."""
    write_findings()
    for page in job.pages:
        page.touch()
