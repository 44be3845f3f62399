"""Draw a study's curves and critical-distance diagrams."""

from sslrank.benchmark.report.figures import figures_job

__all__ = ["figures_job"]
