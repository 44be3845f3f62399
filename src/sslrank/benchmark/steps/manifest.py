"""Record the configuration, versions and machine of a study's run."""

from pathlib import Path

from sslrank.benchmark.report.manifest import manifest_job


def manifest(job, log):
    """Run a job of the rule `manifest`."""
    manifest_job(Path(job.input[0]).parent, job.output[0], config=job.params.config, root=job.params.root)
