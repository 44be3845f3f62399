"""Draw a study's curves and critical-distance diagrams."""

from pathlib import Path

from sslrank.benchmark.report.figures import write_figures
from sslrank.benchmark.steps.tables import CollectedJob


class FiguresJob(CollectedJob):
    """Draw into the folder `figures`, curves only of some `datasets`."""

    datasets: list
    figures: Path


def figures_job(job: FiguresJob):
    """Draw the figures of a study."""
    write_figures(job.study_data, job.figures, job.datasets)
