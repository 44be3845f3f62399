"""Which ranking serves a table like one's own, and whether its unlabelled rows help: what the study ``arena`` tells.

The results page of the arena shows what the same functions find (:mod:`sslrank.stats.similar_datasets`).
"""

from functools import cache
from importlib import resources

import numpy as np
import pandas as pd

from sslrank.stats.arena import LONG, WIDE
from sslrank.stats.similar_datasets import (
    VERDICTS,
    arena_board,
    gain_verdict,
    nearest_budget,
    similar_datasets,
    unlabeled_gains,
)

#: Tables of the study ``arena``, from results/summaries/arena/tables.
POINTS, SECONDS = "arena_points.csv", "arena_seconds.csv"
#: The arena's name of :data:`sslrank.tabular.fits.methods.AUTO`.
DEFAULT = "trees_l1"
SHOWN = 8


@cache
def arena_table(name=POINTS):
    """A table of the arena that comes with the package; empty if there is none."""
    path = resources.files("sslrank.tabular.show") / name
    return pd.read_csv(path.open(encoding="utf-8"), dtype={"L": str}) if path.is_file() else pd.DataFrame()


def find_alike(task, n_labeled, n_rows, n_features):
    """Find datasets that are like a table by kind of target, columns, rows and nearest L; None without results."""
    table = arena_table()
    if table.empty:
        return None
    L = nearest_budget(table, n_labeled)
    return similar_datasets(table, L, task=task, wide=n_features > WIDE, long=n_rows >= LONG)


def seconds_of(L):
    """Median seconds of each ranking in the arena at L."""
    table = arena_table(SECONDS)
    return {} if table.empty else table[table["L"] == L].set_index("ranking")["seconds"].to_dict()


def advise(task, n_labeled, n_rows, n_features, at_most=None):
    """Say in lines what the arena knows about tables like one's own.

    Rankings that took longer than `at_most` seconds there are left out.
    """
    alike = find_alike(task, n_labeled, n_rows, n_features)
    if alike is None:
        return ["the arena has no results yet"]
    board = arena_board(alike.points, seconds_of(alike.L), at_most)
    count = board.attrs["n_datasets"]
    have = f" with {alike.words}" if alike.words else ""
    lines = [f"{count} datasets of the arena{have}; about {alike.L} labels"]
    if f"kind {task}" not in alike.words:
        lines[0] += f"; too few have a target of kind {task}, so all kinds count"
    if count < len(alike.points):
        lines.append(f"{len(alike.points) - count} more lack a ranking of this list, and do not count")
    if board.empty:
        if at_most is not None and not seconds_of(alike.L):
            return [*lines, "the arena has no seconds yet: leave out --seconds"]
        return [*lines, f"no ranking is known to take at most {at_most:g} s" if at_most is not None else "no results"]
    width = max(len("ranking"), *map(len, board.index[:SHOWN]))
    lines.append(f"  {'ranking':{width}}  {'average rank':>12}  {'points over random':>18}  behind the first (95 %)")
    for row in board.head(SHOWN).itertuples():
        behind = "" if row.Index == board.index[0] else f"{row.behind:.1f} ± {row.reach:.1f}"
        took = "" if np.isnan(row.seconds) else f"  {row.seconds:.2g} s"
        lines.append(f"  {row.Index:{width}}  {row.average_rank:>12.1f}  {row.points:>18.1f}  {behind:>23}{took}")
    tied = int(board["first"].sum())
    lines.append(
        f"the first cannot be told from {tied - 1} others here" if tied > 1 else "the first is ahead of all others"
    )
    if DEFAULT in board.index:
        place = board.index.get_loc(DEFAULT) + 1
        lines.append(
            f"{DEFAULT}, the default of `sslrank rank`, is in place {place}; it was chosen on some of these datasets"
        )
    lines += [said] if (said := unlabeled_sentence(alike)) else []
    return lines


def unlabeled_sentence(alike):
    """Say in one sentence whether unlabelled rows helped on datasets that are alike; empty if that is not known."""
    gains = unlabeled_gains(alike.points) if alike is not None else []
    if not gains:
        return ""
    parts = [
        f"{gain.words} {gain.mean:+.1f} ± {gain.reach:.1f} points (better on {gain.better} of {gain.of})"
        for gain in gains
    ]
    tables = f"datasets with {alike.words}" if alike.words else "the datasets of the arena"
    verdict, _ = VERDICTS[gain_verdict(gains)]
    return f"unlabelled rows {verdict} in {tables}, says the arena: {'; '.join(parts)}"
