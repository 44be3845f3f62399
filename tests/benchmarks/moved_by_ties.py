"""Compare the summaries of today with those of an earlier commit; write results/findings/moved_by_ties.csv.

Run in the repository: ``python tests/benchmarks/moved_by_ties.py 789744d8``, the last commit before rows at the same
distance shared their vote. A row is a value that moved, or one of a headline table that did not.
"""

import io
import subprocess
import sys
from pathlib import Path

import pandas as pd

STUDIES = ["ssl-ranking", "eca", "eca-forests", "arena"]
#: Key columns and value by table.
TABLES = {
    "contest_scores": (["task", "dataset", "entry", "method", "mode", "measure"], "score"),
    "ranking_ranks": (["variant", "task", "ranking"], "average_rank"),
    "room": (["variant", "task", "dataset", "L", "measure"], "room"),
    "friedman": (["variant", "task"], "p_value"),
    "eca": (["variant", "task", "dataset", "method"], "eca"),
}
LARGE = {"contest_scores", "room", "eca"}


def compare(study, table, commit):
    """Return a frame (study, table, what, before, after) of one table; empty if it is missing at either time."""
    path = Path("results/summaries", study, "tables", f"{table}.csv")
    shown = subprocess.run(["git", "show", f"{commit}:{path}"], capture_output=True, text=True, check=False)
    if shown.returncode or not path.is_file():
        return pd.DataFrame()
    keys, value = TABLES[table]
    before, after = pd.read_csv(io.StringIO(shown.stdout)), pd.read_csv(path)
    keys = [key for key in keys if key in before and key in after]
    both = before[[*keys, value]].merge(after[[*keys, value]], on=keys, suffixes=("_before", "_after"))
    both = both.rename(columns={f"{value}_before": "before", f"{value}_after": "after"})
    if table in LARGE:
        both = both[(both["after"] - both["before"]).abs() > 1e-6]
    if both.empty:
        return pd.DataFrame()
    dataset = both.get("dataset", "")
    what = both[[key for key in keys if key != "dataset"]].astype(str).agg(", ".join, axis=1)
    return both[["before", "after"]].assign(study=study, table=table, dataset=dataset, what=what)


if __name__ == "__main__":
    frames = [compare(study, table, sys.argv[1]) for study in STUDIES for table in TABLES]
    moved = pd.concat(frames)[["study", "table", "dataset", "what", "before", "after"]]
    moved.to_csv("results/findings/moved_by_ties.csv", index=False, float_format="%.6g")
