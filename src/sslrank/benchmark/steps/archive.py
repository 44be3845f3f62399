"""Put finished results into the archive."""

import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.archive.finished_jobs import experiment_record, pair_record
from sslrank.benchmark.archive.record import EXPERIMENTS, deviation, file_name, subject
from sslrank.benchmark.archive.store import Archive, check_alike
from sslrank.core.errors import DataError

COLUMNS = ["study", "dataset", "method", "file", "outcome", "reason"]


def archive(job, tell):
    """Do the job of the rule `archive`."""
    for line in archive_job(paths.ARCHIVE, job.output[0], **job.params):
        tell(line)


def archive_job(folder, output, *, pairs, experiments=()):
    """Put results into the archive in `folder`; return lines to be shown.

    `output` gets a CSV with the columns study, dataset, method, file, outcome ("new", "changed", "as before" or "left
    out") and reason. Of an experiment the dataset is "experiments", the method its name. `pairs` are those of
    :mod:`sslrank.benchmark.archive.finished_jobs`; `experiments` those of its
    :func:`~sslrank.benchmark.archive.finished_jobs.experiment_record`, where "here" names the parts that were computed
    here. Parts that the archive has with the same settings stay.

    If results do not share what was computed with others of the same study, or a file of the archive is damaged, an
    ArchiveError says so and nothing is written.
    """
    store, rows, records, lines = Archive(folder), [], [], []
    before = dict(store.rows)

    def add(what, make):
        names, file = dict(zip(COLUMNS, subject(what), strict=False)), file_name(*subject(what))
        rows.append(names | {"file": file, "outcome": "", "reason": ""})
        try:
            records.append(make())
        except DataError as error:
            rows[-1] |= {"outcome": "left out", "reason": str(error)}
            lines.append(f"{file}: left out: {error}")
            return
        if file in store and (different := deviation(store.head(file).what, what)):
            rows[-1]["reason"] = f"in place of a result with other settings: {different}"
            lines.append(f"{file}: {rows[-1]['reason']}")

    for pair in pairs:
        add(pair["what"], lambda pair=pair: pair_record(pair))
    for experiment in experiments:
        add(experiment["what"], lambda each=experiment: experiment_record(each, _places(store, each)))
    _check_studies(store, records)
    store.update(records)
    for row in rows:
        old, new = before.get(row["file"]), store.rows.get(row["file"])
        row["outcome"] = row["outcome"] or ("new" if old is None else "as before" if old == new else "changed")
    gone = sorted(set(before) - set(store.rows))
    lines += [f"{folder}/{file}: was deleted; the manifest no longer lists it" for file in gone]
    table = pd.DataFrame(rows, columns=COLUMNS)
    table.to_csv(output, index=False)
    counts = ", ".join(f"{count} {outcome}" for outcome, count in table["outcome"].value_counts().items())
    size = sum(int(row["bytes"]) for row in store.rows.values())
    total = f"{folder}: {len(store.rows)} files, {size / 1e6:.2f} MB"
    return [*lines, f"{counts or 'nothing to add'}; {total}; the table is {output}"]


def _places(store, experiment):
    """Locate the parts of an experiment's new record: folders of this run, or the old record."""
    here = {name: experiment["parts"][name]["tables"] for name in experiment["here"]}
    file = file_name(*subject(experiment["what"]))
    if file not in store or deviation(store.head(file).what, experiment["what"]):
        return here
    there = store.read(file)
    return dict.fromkeys(there.what["parts"], there) | here


def _check_studies(store, records):
    """Check that new records agree with each other and with what stays of their studies."""
    replaced = {record.file for record in records}
    for study in {record.what["study"] for record in records}:
        kept = [
            store.head(file)
            for file, (of, dataset, _) in store.names().items()
            if of == study and dataset != EXPERIMENTS and file not in replaced and file in store
        ]
        check_alike([*kept, *(each for each in records if each.what["study"] == study and not each.is_experiment)])
