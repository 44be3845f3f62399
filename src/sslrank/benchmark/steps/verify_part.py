"""Recompute a part of an experiment in the archive, and compare it."""

import json

import pandas as pd

from sslrank.benchmark.archive.record import job_name, part_tables
from sslrank.benchmark.archive.store import read_listed
from sslrank.benchmark.steps.experiment_part import compute_part
from sslrank.benchmark.steps.verify import CLOSE, DIFFERENT, LOOSE, NEAR, SAME, compare_values, explain


def verify_part_job(*, part, archived, job_code, row, threads=1):
    """Recompute a part of the experiment in a file of the archive; write the row of :func:`recompute_part` as JSON.

    `job_code` has the hash of the current code by job.
    """
    recomputed = recompute_part(read_listed(archived), part, n_jobs=threads, code=job_code)
    row.write_text(json.dumps(recomputed) + "\n", encoding="utf-8")


def recompute_part(record, part, *, n_jobs=1, code=None):
    """Recompute a part of an experiment's record, and compare it.

    `scores` counts the floating-point numbers. The `difference` is "values", or "rows" if texts or integers differ.
    """
    spec = record.spec
    row = {"study": spec["study"], "experiment": spec["experiment"]["name"], "part": part}
    row |= explain(record, {job_name(part)}, code)
    recomputed = compute_part(spec["experiment"]["module"], spec["parts"][part], seed=spec["seed"], n_jobs=n_jobs)
    keys, values = zip(*(_keys_and_values(tables) for tables in (part_tables(record)[part], recomputed)), strict=True)
    if keys[0] != keys[1]:
        return row | {"verdict": DIFFERENT, "difference": "rows"}
    archived, recomputed = map(pd.Series, values)
    row |= compare_values(archived, recomputed)
    if row["close_scores"] == row["scores"]:
        return row | {"verdict": SAME if row["equal_scores"] == row["scores"] else CLOSE}
    if row["other_machine"] and compare_values(archived, recomputed, tolerance=LOOSE)["close_scores"] == row["scores"]:
        return row | {"verdict": NEAR}
    return row | {"verdict": DIFFERENT, "difference": "values"}


def _keys_and_values(tables):
    """Split tables into names, texts and integers by table, and all other numbers in their order."""
    keys, values = {}, []
    for name, table in sorted(tables.items()):
        floats = table.select_dtypes("float")
        keys[name] = {column: None if column in floats else table[column].tolist() for column in table}
        values += floats.to_numpy().ravel().tolist()
    return keys | {"numbers": len(values)}, values
