"""Add finished results to the archive."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.finished_jobs import experiment_record, pair_record
from sslrank.benchmark.archive.ledger import LEDGER, NOT_RUN, append_rows, archived_cells
from sslrank.benchmark.archive.record import EXPERIMENTS_FOLDER, deviation, key_of
from sslrank.benchmark.archive.store import Archive, check_consistent
from sslrank.benchmark.environment import git_state
from sslrank.benchmark.paths import ARCHIVE
from sslrank.core.errors import DataError

COLUMNS = ["study", "dataset", "method", "outcome", "reason"]


def archive_job(output, *, pairs, experiments=(), archive=ARCHIVE):
    """Add results to the archive in the folder `archive`; return lines to be shown.

    `output` gets a CSV with the columns study, dataset, method, outcome ("new", "changed", "as before" or "left out")
    and reason. For an experiment, dataset is "experiments" and method its name. For `pairs` and `experiments` see
    :mod:`sslrank.benchmark.archive.finished_jobs`.

    If the spec of a result disagrees with others of the study, or a file of the archive is damaged, an ArchiveError is
    raised and nothing is written. An archive with a ledger gets the states of the results there, and takes none that
    was made by changed files.
    """
    store, rows, records, lines = Archive(archive), [], [], []
    has_ledger = Path(archive, LEDGER).is_file()
    before = dict(store.sums)

    def add(spec, make):
        names = key_of(spec)
        rows.append(dict(zip(COLUMNS, names, strict=False)) | {"outcome": "", "reason": ""})
        try:
            record = make()
            if has_ledger and any(str(group["commit"]).endswith("-dirty") for group in record.provenance):
                raise DataError("it was made by changed files; commit them, and run it again")
            records.append(record)
        except DataError as error:
            rows[-1] |= {"outcome": "left out", "reason": str(error)}
        head = store.head(*names)
        if not rows[-1]["outcome"] and head and (different := deviation(head.spec, spec)):
            rows[-1]["reason"] = f"in place of a result with other settings: {different}"
        if reason := rows[-1]["reason"]:
            lines.append(f"{'/'.join(names)}: {'left out: ' if rows[-1]['outcome'] else ''}{reason}")

    for pair in pairs:
        add(pair["spec"], lambda pair=pair: pair_record(pair))
    for experiment in experiments:
        add(experiment["spec"], lambda each=experiment: experiment_record(each))
    _check_studies(store, records)
    outcome = store.update(records)
    for row in rows:
        row["outcome"] = row["outcome"] or outcome[row["study"], row["dataset"], row["method"]]
    if has_ledger:
        append_rows(archive, _states(store, rows, [*pairs, *experiments]), str(git_state("."))[:12])
    gone = sorted(set(before) - set(store.sums))
    lines += [f"{archive}/{file}: was deleted; it is no longer listed" for file in gone]
    table = pd.DataFrame(rows, columns=COLUMNS)
    table.to_csv(output, index=False)
    counts = ", ".join(f"{count} {outcome}" for outcome, count in table["outcome"].value_counts().items())
    size = sum((store.folder / file).stat().st_size for file in store.sums)
    total = f"{archive}: {len(store.sums)} files, {size / 1e6:.2f} MB"
    return [*lines, f"{counts or 'nothing to add'}; {total}; the table is {output}"]


def _states(store, rows, planned):
    """Return the state of each planned cell for the ledger: archived, or not run and why."""
    found, states = archived_cells(store), {}
    for row, item in zip(rows, planned, strict=True):
        for budget in item["spec"]["splits"]["L"] if "splits" in item["spec"] else [""]:
            cell = row["study"], row["dataset"], row["method"], budget
            states[cell] = found.get(cell, (NOT_RUN, row["reason"]))
    return states


def _check_studies(store, records):
    """Check that new records agree with each other and with the remaining records of their studies."""
    replaced = {record.key for record in records}
    for study in {record.spec["study"] for record in records}:
        stay = [names for names in store.record_keys if names[0] == study and names[1] != EXPERIMENTS_FOLDER]
        heads = [store.head(*names) for names in stay if names not in replaced]
        check_consistent(
            [
                *filter(None, heads),
                *(each for each in records if each.spec["study"] == study and not each.is_experiment),
            ]
        )
