"""Fits of a pair that is not finished: the archive keeps all of their importances, and a run goes on with them.

Once a pair is finished its scores say all that tables need, and only digests of its rankings are kept.
"""

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd

from sslrank.pipeline.archive.record import PARTS, grouped, read_record
from sslrank.pipeline.logs import content_hash

#: Importances of more fits than make so many numbers are not kept: a file has at most about 1 MB.
MOST_IMPORTANCES = 100_000


def importance_rows(files):
    """All importances of some rankings, as long as they are not too many.

    Parameters
    ----------
    files : dict of str to path-like
        Tables of rankings by L, as a ranking job writes them.

    Returns
    -------
    rows : DataFrame
        The part "importance": see :data:`sslrank.pipeline.archive.record.PARTS`.
    left : list of str
        Those L whose importances are not among them.
    """
    tables, left, count = [pd.DataFrame(columns=PARTS["importance"])], [], 0
    for budget, path in files.items():
        table = pd.read_parquet(path)
        if count + len(table) > MOST_IMPORTANCES:
            left.append(budget)
            continue
        count += len(table)
        tables.append(table.rename(columns={"importance": "value"}).assign(L=budget)[PARTS["importance"]])
    return pd.concat([table for table in tables if len(table)] or tables, ignore_index=True), left


def fits_of(path, splits, header):
    """The fits whose importances a file of the archive has, for a job that is about to make them.

    Parameters
    ----------
    path : path-like
        The archive's file.
    splits, header : path-like
        The splits and the header of the prepared dataset that the job reads.

    Returns
    -------
    dict
        By (L, fold, mode) what :func:`sslrank.pipeline.jobs.ranking.rank_dataset` takes as known; fits that failed are
        not among them, and none are if these are other splits, or another dataset, than those of the file.
    """
    record = read_record(path)
    header = json.loads(Path(header).read_text(encoding="utf-8"))
    found = header["provenance"]["fingerprint"], content_hash(splits)
    if found != (record.what["dataset"]["fingerprint"], record.what["splits_sha256"]):
        print(f"{path} has fits on other splits or another dataset; they are made again")
        return {}
    importances = record.parts["importance"].astype({"feature": object, "mode": object, "ranking": object})
    tables = {
        key: [
            table.drop(columns="L").rename(columns={"value": "importance"})
            for _, table in fit.groupby("ranking", sort=False)
        ]
        for key, fit in importances.groupby(["L", "fold", "mode"], sort=False, observed=True)
    }
    fits = record.parts["fit"]
    fits = fits[fits["status"] == "ok"].astype({"message": object}).fillna({"message": ""})
    known = {}
    for row in fits.to_dict("records"):
        key = row.pop("L"), row["fold"], row["mode"]
        if key in tables:
            known[key] = row | {"details": json.loads(row["details"])}, tables[key]
    return known


def with_origins(record, there):
    """A record that says of fits that come from the archive which job made them.

    Parameters
    ----------
    record : Record
        Of a pair, to be put into the archive.
    there : Record
        What the archive has of the pair.

    Returns
    -------
    Record
        `record`; where all fits of an L are those of `there`, to the seconds that they took, with the job of `there`.
    """
    jobs, origin = _jobs(record), _jobs(there)
    table = record.parts["job"].copy()
    for budget in record.what["L"]:
        job = f"ranking {budget}"
        if job not in origin or any(
            _rows(record, part, budget) != _rows(there, part, budget) for part in ("fit", "ranking")
        ):
            continue
        jobs[job] = origin[job]
        here, old = (
            frame[(frame["step"] == "ranking") & (frame["L"] == budget)] for frame in (table, there.parts["job"])
        )
        if len(here) == len(old) == 1:  # no job of all L
            table.loc[here.index, PARTS["job"]] = old[PARTS["job"]].to_numpy(object)
    return replace(record, how=grouped(jobs), parts=record.parts | {"job": table})


def _jobs(record):
    """What each job of a record ran on, the hash of its code, and a date."""
    return {
        job: ({key: value for key, value in group.items() if key not in ("code", "date")}, code, group["date"])
        for group in record.how
        for job, code in group["code"].items()
    }


def _rows(record, part, budget):
    table = record.parts[part]
    return table[table["L"] == budget].astype(object).fillna("").to_numpy().tolist()
