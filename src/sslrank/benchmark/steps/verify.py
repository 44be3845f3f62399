"""List the recomputed cells of the archive in a table; fail where one differs without an explanation."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark.archive.record import commits
from sslrank.benchmark.environment import environment, this_run

#: Packages whose version can change a result.
COMPUTING = ("numpy", "scipy", "scikit-learn", "pandas")
COLUMNS = [
    *("study", "dataset", "method", "L", "fold", "experiment", "part", "verdict", "swapped", "difference"),
    *("rankings", "equal_bits", "equal_order", "scores", "equal_scores", "largest_difference"),
    *("explained_by", "other_code", "archived_commit", "commit", "command"),
]
#: Verdicts, the best first; "different" is the only one that no other code explains.
SAME, CLOSE, SWAPPED, DIFFERENT = "equal bits", "within 1e-9", "near ties swapped", "different"
NOTHING = "nothing to compare"
#: Scores may differ by this, relative to those above 1; importances whose gap is this share of the largest nearly tie.
TOLERANCE = 1e-9


class VerifyError(Exception):
    """Recomputed results differ from the archive without an explanation, or there is nothing to verify."""


def verify(job, tell):
    """Do the job of the rule `verify`."""
    for line in verify_job(job.input, job.params.output):
        tell(line)


def verify_job(cells, output):
    """List the results of the steps `verify_cell` and `verify_part` in a table; return lines to be shown.

    A VerifyError says that there are no cells, or that there is a difference that nothing explains; the table is
    written before. Other versions, another processor and other instructions explain every difference, other code that
    near ties are swapped.
    """
    if not cells:
        raise VerifyError(
            "the archive has no cell of these studies, datasets and methods to verify (methods with a rule of their "
            "own are not verified)"
        )
    table = pd.DataFrame([json.loads(Path(path).read_text(encoding="utf-8")) for path in cells], columns=COLUMNS)
    table["swapped"] = table["swapped"].astype("Int64")
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(output, index=False)
    lines = [f"{verdict}: {count} of {len(table)} cells" for verdict, count in table["verdict"].value_counts().items()]
    different = table[table["verdict"].isin([SWAPPED, DIFFERENT])]
    explained = different["explained_by"].fillna("") != ""
    other_code = different["other_code"].fillna("") != ""
    for reasons, part in different[explained].groupby("explained_by"):
        code = f"; or, in {n} of them, from other code" if (n := other_code[part.index].sum()) else ""
        lines.append(f"{len(part)} cells differ, which may come from: {reasons}{code}")
    later = (different["verdict"] == SWAPPED) & other_code
    bad = different[~explained & ~later]
    if len(bad):
        cell = bad.iloc[0]
        code = f" (by other code: {cell['other_code']})" if cell["other_code"] else ""
        raise VerifyError(
            f"{len(bad)} of {len(table)} cells differ from the archive, and neither versions nor machine explain it; "
            f"the first: {_called(cell)}: {cell['verdict']}{_difference(cell)}{code}. All are in {output}"
        )
    return [*lines, f"the table is {output}"]


def _difference(cell):
    return f" {cell['difference']}" if isinstance(cell["difference"], str) and cell["difference"] else ""


def _called(cell):
    if isinstance(cell["experiment"], str) and cell["experiment"]:
        return f"{cell['study']}, experiment {cell['experiment']}, part {cell['part']}"
    return f"{cell['study']}, {cell['dataset']}, {cell['method']}, L {cell['L']}, fold {cell['fold']}"


def compare_values(first, second, there=True):
    """Count equal and close numbers of two series; `there` masks those that both have."""
    equal = there & ((first == second) | (first.isna() & second.isna()))
    gap = (first - second).abs()
    close = equal | (there & (gap <= TOLERANCE * first.abs().clip(lower=1)))
    largest = gap.max()
    return {
        "scores": len(first),
        "equal_scores": int(equal.sum()),
        "close_scores": int(close.sum()),
        "largest_difference": None if np.isnan(largest) else float(largest),
    }


def explain(record, names, code):
    """List what differs here from the environment and the code of the jobs that made a cell."""
    now, found, other = environment(), [], []
    for group in record.how:
        jobs = [job for job in group["code"] if job in names]
        if not jobs:
            continue
        other += [job for job in jobs if code is not None and code.get(job, group["code"][job]) != group["code"][job]]
        then = {name: group["versions"].get(name) for name in COMPUTING} | {"python": group["machine"]["python"]}
        here = {name: now["versions"].get(name) for name in COMPUTING} | {"python": now["machine"]["python"]}
        found += [f"{name} {then[name]}, here {here[name]}" for name in then if then[name] != here[name]]
        for name, old, new in (
            ("instructions", group["instructions"], now["instructions"]),
            ("processor", group["machine"]["processor"], now["machine"]["processor"]),
        ):
            if old != new:
                found.append(f"{name} {old}, here {new}")
    return {
        "explained_by": "; ".join(dict.fromkeys(found)),
        "other_code": "; ".join(dict.fromkeys(other)),
        "archived_commit": " ".join(commits(record)),
        "commit": now["commit"],
        "command": this_run()["command"] or "",
    }
