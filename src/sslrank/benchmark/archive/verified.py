"""The table of recomputed cells of the archive, and which of their differences are allowed.

Allowed differences are listed here; any other difference is an error (see also archive.md in the documentation):

- :data:`SAME`: no difference.
- :data:`CLOSE`: all rankings have the same order, and all scores agree within :data:`TOLERANCE`: sums were taken in
  another order.
- :data:`NEAR`: features whose importances differ by less than :data:`TOLERANCE` of the largest are swapped, and with
  the archived order all scores agree; or numbers of an experiment agree within :data:`LOOSE`. Allowed only with other
  code, versions, processor or instructions, because the same ones give the same bits.
- :data:`LATE`: as the first two for all finished fits; fits that timed out were not repeated.
- :data:`FORMER`: only scores differ, and the ledger says that they are by the former rule of ties. The cell does not
  count as reproduced.
- :data:`LACKING`: an optional package of the method is not installed here; nothing was compared.
"""

import hashlib
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark.archive.ledger import FORMER_TIES, LEDGER, read_ledger
from sslrank.benchmark.archive.record import EXPERIMENTS_FOLDER, commits
from sslrank.benchmark.environment import environment

#: Packages whose version can change a result.
COMPUTING = ("numpy", "scipy", "scikit-learn", "pandas")
COLUMNS = [
    *("study", "dataset", "method", "L", "folds", "experiment", "part", "verdict", "swapped", "difference"),
    *("rankings", "equal_bits", "equal_order", "scores", "equal_scores", "largest_difference"),
    *("sha256", "other_machine", "other_code", "archived_commit", "commit", "command", "digests"),
]
#: Columns that identify a row.
CELL = ["study", "dataset", "method", "L", "experiment", "part"]
#: Verdicts, the best first.
SAME, CLOSE, NEAR, LATE, DIFFERENT = "equal bits", "within 1e-9", "within 1e-6", "without timed-out fits", "different"
LACKING, FORMER = "not installed", "former rule"
#: Tolerance of scores (relative above 1), and largest gap, as a share of the largest importance, of near ties.
TOLERANCE = 1e-9
#: Tolerance of near ties and of numbers of experiments, on another machine or with other versions.
LOOSE = 1e-6


def stale_rows(table, archive):
    """Find rows of the table of recomputed cells whose records have changed since."""
    rows = read_verified(table)
    names = [_names(row) for row in rows.to_dict("records")]
    hashes = {each: archive.read(*each).sha256 for each in sorted({*names} & {*archive.record_keys})}
    return rows[rows["sha256"] != [hashes.get(each, "") for each in names]]


def read_verified(table):
    """Read the table of recomputed cells, as texts; empty without the file. Rows of older versions have no digests."""
    if not Path(table).is_file():
        return pd.DataFrame(columns=COLUMNS)
    return pd.read_csv(table, dtype=str, keep_default_na=False).reindex(columns=COLUMNS, fill_value="")


def _names(row):
    return (row["study"], row["dataset"] or EXPERIMENTS_FOLDER, row["method"] or row["experiment"])


def write_rows(rows, output):
    """Write rows to the table of all recomputed cells, replacing those of the same cells; return them as a table."""
    ledger = read_ledger(output.parent) if Path(output.parent, LEDGER).is_file() else {}
    table = pd.DataFrame([row | former_verdict(row, ledger) for row in rows], columns=COLUMNS)
    counts = ["folds", "swapped", "rankings", "equal_bits", "equal_order", "scores", "equal_scores"]
    table[counts] = table[counts].apply(pd.to_numeric).astype("Int64")
    text = {"dtype": str, "keep_default_na": False}
    all_rows = pd.read_csv(io.StringIO(table.to_csv(index=False)), **text)
    if output.exists():
        all_rows = pd.concat([read_verified(output), all_rows]).drop_duplicates(CELL, keep="last")
    output.parent.mkdir(parents=True, exist_ok=True)
    all_rows.sort_values(CELL, kind="stable").to_csv(output, index=False)
    return table


def former_verdict(row, ledger):
    """Return the verdict :data:`FORMER` for a row whose scores may differ, as the ledger says; otherwise nothing."""
    cell = ledger.get((row["study"], row.get("dataset"), row.get("method"), row.get("L")), {"reason": ""})
    may_differ = cell["reason"] == FORMER_TIES and "scores " in row["other_code"]
    return {"verdict": FORMER} if may_differ and row.get("difference") == "scores" else {}


def compare_values(first, second, in_both=True, tolerance=TOLERANCE):
    """Count equal and close numbers of two series; `in_both` masks the numbers that both have."""
    equal = in_both & ((first == second) | (first.isna() & second.isna()))
    gap = (first - second).abs()
    close = equal | (in_both & (gap <= tolerance * first.abs().clip(lower=1)))
    largest = gap.max()
    return {
        "scores": len(first),
        "equal_scores": int(equal.sum()),
        "close_scores": int(close.sum()),
        "largest_difference": None if np.isnan(largest) else float(largest),
    }


def _conditions(environment):
    """Return what can change a result: versions, instructions and processor."""
    machine, versions = environment["machine"], environment["versions"]
    conditions = {name: versions.get(name) for name in COMPUTING} | {"python": machine["python"]}
    return conditions | {"instructions": environment["instructions"], "processor": machine["processor"]}


def explain(record, names, code):
    """List the differences in environment and code from the jobs that made a cell."""
    here, differences, other = _conditions(environment()), [], []
    for group in record.provenance:
        jobs = [job for job in group["code"] if job in names]
        if not jobs:
            continue
        other += [job for job in jobs if code is not None and code.get(job, group["code"][job]) != group["code"][job]]
        old = _conditions(group)
        differences += [f"{name} {old[name]}, here {here[name]}" for name in old if old[name] != here[name]]
    return {
        "sha256": record.sha256,
        "other_machine": "; ".join(dict.fromkeys(differences)),
        "other_code": "; ".join(dict.fromkeys(other)),
        "archived_commit": " ".join(commits(record)),
        "digests": digests_hash(code, names),
    }


def digests_hash(code, names):
    """Hash the current digests of some jobs; a row of recomputed cells with the same hash is of today's behaviour."""
    digests = sorted({digest for job, digest in (code or {}).items() if job in names})
    return hashlib.sha256(json.dumps(digests).encode()).hexdigest()[:12] if digests else ""


def is_allowed(rows):
    """Check for each row of recomputed cells if it differs by no more than is allowed."""
    others = rows[["other_machine", "other_code"]].astype(object).fillna("").ne("").any(axis=1)
    return rows["verdict"].isin([SAME, CLOSE, LATE, LACKING, FORMER]) | (rows["verdict"].eq(NEAR) & others)


def problem_lines(rows):
    """Describe each row that differs by more than is allowed."""
    shown = [*CELL, "verdict", "difference", "largest_difference", "other_machine", "other_code"]
    for row in rows.loc[~is_allowed(rows), shown].astype(object).fillna("").to_dict("records"):
        yield ", ".join(f"{key} {value}" for key, value in row.items() if value != "")
