"""Read, and thereby check, every record of the archive; compare them with the ledger and git; print the root hash."""

from sslrank.benchmark import paths
from sslrank.benchmark.archive.ledger import check_ledger
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.steps.verify import stale_rows
from sslrank.core.messages import counted


def check_archive_job(*, verified, planned, unplanned):
    """Check every record of the archive and its ledger; return lines about it and stale rows of the table `verified`.

    `planned` are the cells that the configuration intends (:func:`sslrank.benchmark.plan.sources.intended`),
    `unplanned` are lines about records that it does not use.
    """
    archive = Archive(paths.ARCHIVE)
    root = archive.root_hash()
    for names in archive.record_keys:
        archive.read(*names)
    stale, n_records = stale_rows(verified, archive), len(archive.record_keys)
    return [
        *check_ledger(archive, {tuple(cell) for cell in planned}, unplanned),
        f"{paths.ARCHIVE}: {counted(len(archive.sums), 'file')}, {counted(n_records, 'record')}, all whole",
        f"{counted(len(stale), 'row')} of {verified} are stale: their records have changed since",
        f"root hash: {root}",
    ]
