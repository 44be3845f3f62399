"""Add finished results to the archive; check it."""

from itertools import islice
from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.finished_jobs import experiment_record
from sslrank.benchmark.archive.ledger import LEDGER, NOT_RUN, append_rows, archived_cells, check_ledger, read_ledger
from sslrank.benchmark.archive.record import EXPERIMENTS_FOLDER, deviation, read_records
from sslrank.benchmark.archive.store import Archive, check_consistent
from sslrank.benchmark.archive.verified import stale_rows
from sslrank.benchmark.environment import git_state
from sslrank.benchmark.paths import ARCHIVE
from sslrank.benchmark.steps import Job
from sslrank.core.messages import counted

COLUMNS = ["study", "dataset", "method", "outcome", "reason"]


class ArchiveJob(Job):
    """Add the records of `gathered`, outputs of the step `gather`, and experiments to the archive.

    `experiments` has what each experiment computes; `part_tables` and `part_benchmarks` are files of all their parts,
    in order.
    """

    gathered: list
    part_tables: list
    part_benchmarks: list
    experiments: list
    outcome: Path


def archive_job(job: ArchiveJob):
    """Add results to the archive; return lines.

    The file `outcome` gets a CSV with the columns study, dataset, method, outcome ("new", "changed", "as
    before" or "left out") and reason. For an experiment, dataset is "experiments" and method its name.

    If the spec of a result disagrees with others of the study, or a file of the archive is damaged, an ArchiveError is
    raised and nothing is written. An archive with a ledger gets the states of the results there, and takes none that
    was made by changed files.
    """
    store, rows, records, lines, specs = Archive(ARCHIVE), [], [], [], []
    has_ledger = Path(ARCHIVE, LEDGER).is_file()
    old_files = dict(store.sums)
    files, new = iter(zip(job.part_tables, job.part_benchmarks, strict=True)), []
    for spec in job.experiments:
        new.append(experiment_record(spec, *zip(*islice(files, len(spec["parts"])), strict=True)))
    for record in [*(record for path in job.gathered for record in read_records(path)), *new]:
        row = dict(zip(COLUMNS, record.key, strict=False)) | {"outcome": "", "reason": ""}
        head = store.head(*record.key)
        problem = record.dataset.get("problem", "")
        if not problem and has_ledger and any(str(group["commit"]).endswith("-dirty") for group in record.provenance):
            problem = "it was made by changed files; commit them, and run it again"
        specs.append(record.spec)
        if problem:
            row |= {"outcome": "left out", "reason": problem}
        else:
            records.append(record)
            if head and (different := deviation(head.spec, record.spec)):
                row["reason"] = f"in place of a result with other settings: {different}"
        if row["reason"]:
            lines.append(f"{'/'.join(record.key)}: {'left out: ' if row['outcome'] else ''}{row['reason']}")
        rows.append(row)
    _check_studies(store, records)
    outcomes = store.update(records)
    for row in rows:
        row["outcome"] = row["outcome"] or outcomes[row["study"], row["dataset"], row["method"]]
    if has_ledger:
        append_rows(ARCHIVE, _states(store, rows, specs), str(git_state("."))[:12])
    deleted = sorted(set(old_files) - set(store.sums))
    lines += [f"{ARCHIVE}/{file}: was deleted; it is no longer listed" for file in deleted]
    table = pd.DataFrame(rows, columns=COLUMNS)
    table.to_csv(job.outcome, index=False)
    counts = ", ".join(f"{count} {name}" for name, count in table["outcome"].value_counts().items())
    size = sum((store.folder / file).stat().st_size for file in store.sums)
    total = f"{ARCHIVE}: {len(store.sums)} files, {size / 1e6:.2f} MB"
    return [*lines, f"{counts or 'nothing to add'}; {total}; the table is {job.outcome}"]


def _states(store, rows, specs):
    """Return the state of each planned cell for the ledger: archived, or not run and why.

    A result that is left out does not change what the ledger says about its cells.
    """
    cells, states, ledger = archived_cells(store), {}, read_ledger(store.folder)
    for row, spec in zip(rows, specs, strict=True):
        for budget in spec["splits"]["L"] if "splits" in spec else [""]:
            cell = row["study"], row["dataset"], row["method"], budget
            if row["outcome"] != "left out" or cell not in ledger:
                states[cell] = cells.get(cell, (NOT_RUN, row["reason"]))
    return states


def _check_studies(store, records):
    """Check that new records agree with each other and with the remaining records of their studies."""
    new_keys = {record.key for record in records}
    for study in {record.spec["study"] for record in records}:
        old_keys = [names for names in store.record_keys if names[0] == study and names not in new_keys]
        heads = [store.head(*names) for names in old_keys if names[1] != EXPERIMENTS_FOLDER]
        new = [record for record in records if record.spec["study"] == study and not record.is_experiment]
        check_consistent([*heads, *new])


class CheckJob(Job):
    """Check the archive, its ledger and the table `verified` of recomputed cells.

    `planned` are the cells that the configuration intends (:func:`sslrank.benchmark.plan.sources.intended`),
    `unplanned` are lines about records that it does not use.
    """

    verified: str
    planned: list
    unplanned: list


def check_archive_job(job: CheckJob):
    """Check every record of the archive and its ledger; return lines about it and stale rows of the table."""
    archive = Archive(ARCHIVE)
    root = archive.root_hash()
    for names in archive.record_keys:
        archive.read(*names)
    stale, n_records = stale_rows(job.verified, archive), len(archive.record_keys)
    return [
        *check_ledger(archive, {tuple(cell) for cell in job.planned}, job.unplanned),
        f"{ARCHIVE}: {counted(len(archive.sums), 'file')}, {counted(n_records, 'record')}, all whole",
        f"{counted(len(stale), 'row')} of {job.verified} are stale: their records have changed since",
        f"root hash: {root}",
    ]
