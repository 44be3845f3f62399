"""Build the results page."""

from sslrank.benchmark.report.page import page_job

__all__ = ["page_job"]
