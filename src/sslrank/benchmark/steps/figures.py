"""Draw a study's curves and critical-distance diagrams."""

from pathlib import Path

from sslrank.benchmark.report.figures import figures_job


def figures(job, log):
    """Run a job of the rule `figures`."""
    figures_job(
        Path(job.input[0]).parent,
        job.output.folder,
        study=job.wildcards.study,
        config=job.params.config,
        experiments={Path(folder).name: folder for folder in job.input.experiments},
        datasets=job.params.datasets,
        panels=job.params.panels,
    )
