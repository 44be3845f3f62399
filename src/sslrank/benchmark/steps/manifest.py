"""Record the configuration, versions and machine of a study's run."""

from sslrank.benchmark.report.manifest import manifest_job

__all__ = ["manifest_job"]
