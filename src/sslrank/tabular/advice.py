"""Which ranking serves a table with so many labels: the leaderboard of the study ``arena`` for tables like it."""

from functools import cache
from importlib import resources

import numpy as np
import pandas as pd

#: The table `arena` of the study of that name, from results/summaries/arena/tables.
LEADERBOARD = "arena.csv"
SHOWN = 6
#: Fewer datasets than this tell hardly any two rankings apart.
FEW = 20
WIDE = 250


@cache
def leaderboard():
    """The table of the arena that comes with the package; empty if there is none."""
    path = resources.files("sslrank.tabular") / LEADERBOARD
    return pd.read_csv(path.open(encoding="utf-8"), dtype={"L": str}) if path.is_file() else pd.DataFrame()


def advise(task, n_labeled, n_features):
    """What the arena says about tables like one's own.

    Parameters
    ----------
    task : str
        Kind of target.
    n_labeled, n_features : int

    Returns
    -------
    list of str
        Lines: on what the leaderboard stands, its first rankings for the nearest number of labels, and what is known
        of this kind of target and shape.
    """
    table = leaderboard()
    if table.empty:
        return ["the arena has no results yet"]
    budgets = [budget for budget in dict.fromkeys(table["L"]) if budget.isdigit()]
    nearest = min(budgets, key=lambda budget: abs(np.log(int(budget) / max(n_labeled, 1))))
    shape = "wide" if n_features > WIDE else "tall"
    lines = []
    for words, where in (
        (f"with {nearest} labels", {"L": nearest}),
        (f"with a target of kind {task}", {"task": task}),
        (f"with {'more than' if shape == 'wide' else 'at most'} {WIDE} features", {"shape": shape}),
    ):
        found = table
        for column, value in ({"part": "all", "L": "all", "task": "all", "shape": "all"} | where).items():
            found = found[found[column] == value]
        if found.empty:
            lines.append(f"{words}: not in the arena yet")
            continue
        count = found["n_datasets"].iloc[0]
        doubt = ", too few to rely on" if count < FEW else ""
        lines += ["", f"{words}, over {count} datasets{doubt}:"]
        lines.append(f"  {'ranking':22} {'average rank':>20}   points over {found['reference'].iloc[0]}")
        for row in found.sort_values("average_rank", kind="stable").head(SHOWN).itertuples():
            rank = f"{row.average_rank:.1f} ({row.lower:.1f} to {row.upper:.1f})"
            gain = "" if np.isnan(row.difference) else f"{row.difference:+.2f} (Holm's p {row.p_holm:.2g})"
            lines.append(f"  {row.ranking:22} {rank:>20}   {gain}")
    return lines
