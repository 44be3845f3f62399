"""Read, and thereby check, every record of the archive; print the root hash."""

from sslrank.benchmark import paths
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.steps.verify import stale_rows
from sslrank.core.messages import counted


def check_archive_job(verified):
    """Check every record of the archive; return lines about it and about stale rows of the table `verified`."""
    archive = Archive(paths.ARCHIVE)
    root = archive.root_hash()
    for names in archive.record_keys:
        archive.read(*names)
    stale, n_records = stale_rows(verified, archive), len(archive.record_keys)
    return [
        f"{paths.ARCHIVE}: {counted(len(archive.sums), 'file')}, {counted(n_records, 'record')}, all whole",
        f"{counted(len(stale), 'row')} of {verified} are stale: their records have changed since",
        f"root hash: {root}",
    ]
