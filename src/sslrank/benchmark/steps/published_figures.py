"""Draw published against reproduced values."""

from pathlib import Path

from sslrank.benchmark.report.figures import published_figures_job


def published_figures(job, log):
    """Run a job of the rule `published_figures`."""
    published_figures_job(Path(job.input[0]), job.output[0], titles=job.params.titles)
