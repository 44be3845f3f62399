"""Pairs that are not finished: the archive keeps all of their importances, a run goes on with them, and pieces join.

Once a pair is finished its scores say all that tables need, and only digests of its rankings are kept.
"""

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.record import PARTS, grouped
from sslrank.benchmark.archive.store import read_listed
from sslrank.benchmark.logs import content_hash

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
        The part "importance": see :data:`sslrank.benchmark.archive.record.PARTS`.
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


def take_over(path, splits, header, budgets):
    """Fits of an unfinished pair, for a job that is about to make them.

    Parameters
    ----------
    path : path-like
        The archive's file.
    splits, header : path-like
        The splits and the header of the prepared dataset that the job reads.
    budgets : sequence of str
        The L of the job.

    Returns
    -------
    fits : dict
        By (L, fold, mode) what :func:`sslrank.benchmark.steps.rank.rank_dataset` takes as known. An L is taken as a
        whole: where a fit of it failed, it is not. None are if these are other splits, or another dataset, than those
        of the file.
    origins : dict
        By L what the job that made them ran on, the hash of its code, its date, and its row of the part "job", which is
        that of a job of all L where there is no other.

    Raises
    ------
    ArchiveError
        If the file is not the one that the manifest lists.
    """
    record, header = read_listed(path), json.loads(Path(header).read_text(encoding="utf-8"))
    if "problem" in header:
        return {}, {}
    if (header["provenance"]["fingerprint"], content_hash(splits)) != (
        record.what["dataset"]["fingerprint"],
        record.what["splits_sha256"],
    ):
        print(f"{path} has fits on other splits or another dataset; they are made again")
        return {}, {}
    importances = record.parts["importance"].astype({"feature": object, "mode": object, "ranking": object})
    tables = {
        key: [
            part.drop(columns="L").rename(columns={"value": "importance"})
            for _, part in fit.groupby("ranking", sort=False)
        ]
        for key, fit in importances.groupby(["L", "fold", "mode"], sort=False, observed=True)
    }
    fits, origins, jobs = {}, {}, jobs_of(record)
    status = record.parts["fit"].astype({"message": object}).fillna({"message": ""})
    for budget in budgets:
        rows = [row for row in status.to_dict("records") if row["L"] == budget and row["status"] != "unsupported"]
        known = {
            (row.pop("L"), row["fold"], row["mode"]): row | {"details": json.loads(row["details"])} for row in rows
        }
        if not known or any(row["status"] != "ok" or key not in tables for key, row in known.items()):
            continue
        fits |= {key: (row, tables[key]) for key, row in known.items()}
        how, code, date = jobs[f"ranking {budget}"]
        made = _job_rows(record, "L", budget)[["s", "max_rss", "cpu_time"]].astype(float)
        job = made.iloc[0].to_dict() if len(made) else None
        origins[budget] = {"how": how, "code": code, "date": date, "job": job}
    if fits:
        print(f"{path} has {len(fits)} fits, of L {', '.join(origins)}, that are not done again", flush=True)
    return fits, origins


def joined(there, here, pair):
    """What two records have of a pair that is finished in neither, or None if they do not fit together.

    Parameters
    ----------
    there, here : Record
        What the archive has, and what has finished here, which is taken where both have it. Both share what was
        computed.
    pair : dict
        See :mod:`sslrank.benchmark.archive.parts`.

    Returns
    -------
    Record or None
        None if the rankings of an L differ that both have: scores of these would not be those of the others.
    """
    both = set(there.what["L"]) & set(here.what["L"])
    if _rankings(there, both) != _rankings(here, both):
        return None
    chosen = {"L": {}, "evaluator": {}}
    for column, key, planned in (("L", "L", pair["rankings"]), ("evaluator", "evaluators", pair["scores"])):
        for name in planned:
            has = [record for record in (here, there) if name in record.what[key]]
            chosen[column] |= {name: has[0]} if has else {}
    parts = {}
    for part, columns in PARTS.items():
        by = "evaluator" if part in ("score", "scoring") else "L"
        rows = [record.parts[part].query(f"{by} == @name") for name, record in chosen[by].items()]
        if part == "job":
            rows = [_job_rows(record, column, name) for column in chosen for name, record in chosen[column].items()]
        rows = [table for table in rows if len(table)] or [pd.DataFrame(columns=columns)]
        parts[part] = pd.concat(rows, ignore_index=True)
    parts["job"] = parts["job"].drop_duplicates(ignore_index=True)  # one may have done all
    if set(chosen["L"]) == set(pair["rankings"]) and set(chosen["evaluator"]) == set(pair["scores"]):
        parts["importance"] = parts["importance"].iloc[:0]
    jobs = {"splits": jobs_of(here)["splits"]}
    jobs |= {f"ranking {name}": jobs_of(record)[f"ranking {name}"] for name, record in chosen["L"].items()}
    jobs |= {f"scores {name}": jobs_of(record)[f"scores {name}"] for name, record in chosen["evaluator"].items()}
    evaluators = {name: record.what["evaluators"][name] for name, record in chosen["evaluator"].items()}
    what = here.what | {"L": list(chosen["L"]), "evaluators": evaluators}
    return replace(here, what=what, how=grouped(jobs), parts=parts)


def jobs_of(record):
    """What each job of a record ran on, the hash of its code, and a date; see :func:`grouped`."""
    return {
        job: ({key: value for key, value in group.items() if key not in ("code", "date")}, code, group["date"])
        for group in record.how
        for job, code in group["code"].items()
    }


def _job_rows(record, column, name):
    """Rows of the job of an L or an evaluator, or of the one that did all."""
    table = record.parts["job"]
    step = "ranking" if column == "L" else "scores"
    return table[(table["step"] == step) & ((table[column] == name) | table[column].isna())]


def _rankings(record, budgets):
    table = record.parts["ranking"]
    return sorted(table.loc[table["L"].isin(budgets), PARTS["ranking"]].astype(str).to_numpy().tolist())
