"""Read every record of the archive, which checks that it is whole, and print the root hash."""

from sslrank.benchmark import paths
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.steps.verify import stale_rows
from sslrank.core.messages import counted


def check_archive(job, log):
    """Run a job of the rule `check_archive`."""
    archive, verified = Archive(paths.ARCHIVE), job.params.verified
    root = archive.root_hash()
    for names in archive.subjects:
        archive.read(*names)
    stale = stale_rows(verified, archive)
    log(f"{paths.ARCHIVE}: {counted(len(archive.sums), 'file')}, {counted(len(archive.subjects), 'record')}, all whole")
    log(f"{counted(len(stale), 'row')} of {verified} are stale: their records have changed since")
    log(f"root hash: {root}")
