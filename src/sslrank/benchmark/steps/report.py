"""Draw the figures of a study, write its manifest, results page and summary, and render the findings."""

from sslrank.benchmark.report.figures import write_figures
from sslrank.benchmark.report.findings import write_findings
from sslrank.benchmark.report.manifest import write_manifest
from sslrank.benchmark.report.page import write_page
from sslrank.benchmark.report.summary import write_summary
from sslrank.benchmark.steps.tables import read_study


def figures_job(*, config, collected, experiments, datasets, figures):
    """Draw the figures of a study, curves only of some `datasets`."""
    write_figures(read_study(config, collected, experiments), figures, datasets)


def manifest_job(*, collected, config, root, manifest):
    """Write the manifest of a study with the block `config`; `root` is the repository."""
    write_manifest(collected[0].parent, manifest, config=config, root=root)


def page_job(*, manifest, config, page):
    """Write the page of a study with the block `config`, from the other files in the folder of the manifest."""
    write_page(manifest.parent, page, config=config)


def study_summary_job(*, manifest, summary):
    """Write the folder `summary` of the finished study with this manifest, and list its files in the log."""
    print(*write_summary(manifest.parent, summary), sep="\n")


def findings_job(*, pages):
    """Render the pages of findings; unchanged pages are not rewritten."""
    write_findings()
    for page in pages:
        page.touch()
