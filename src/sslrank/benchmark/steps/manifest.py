"""Write the manifest of a run."""

from pathlib import Path

from sslrank.benchmark.report.manifest import write_manifest
from sslrank.benchmark.steps import Job


class ManifestJob(Job):
    """Write the `manifest` of a study with the block `config`; `root` is the repository."""

    collected: list
    config: dict
    root: str
    manifest: Path


def manifest_job(job: ManifestJob):
    """Write the manifest."""
    write_manifest(job.collected[0].parent, job.manifest, config=job.config, root=job.root)
