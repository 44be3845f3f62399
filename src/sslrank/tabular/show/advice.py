"""Advice from the study ``arena``: which rankings do well on similar datasets, and whether unlabelled rows help there.

The results page of the arena shows the results of the same functions (:mod:`sslrank.stats.similar_datasets`).
"""

from functools import cache
from importlib import resources

import numpy as np
import pandas as pd

from sslrank.core.messages import counted
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
#: The arena's names of what ``sslrank rank`` returns, and of the mean rank of its methods, and what to call them.
DEFAULTS = {"sslrank": "what `sslrank rank` returns", "trees_l1": "the mean rank of the methods of `sslrank rank`"}
SHOWN = 8


@cache
def arena_table(name=POINTS):
    """A table of the arena that comes with the package; empty if there is none."""
    path = resources.files("sslrank.tabular.show") / name
    if not path.is_file():
        return pd.DataFrame()
    with path.open(encoding="utf-8") as stream:
        return pd.read_csv(stream, dtype={"L": str})


def find_similar(task, n_labeled, n_rows, n_features):
    """Find datasets similar to a table in kind of target, columns, rows and nearest L; None without results."""
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
    """Describe in lines how rankings compare on similar datasets of the arena.

    Rankings that took longer than `at_most` seconds there are left out.
    """
    similar = find_similar(task, n_labeled, n_rows, n_features)
    if similar is None:
        return ["the arena has no results yet"]
    board = arena_board(similar.points, seconds_of(similar.L), at_most)
    count = board.attrs["n_datasets"]
    have = f" with {similar.words}" if similar.words else ""
    lines = [f"{counted(count, 'dataset')} of the arena{have}; about {similar.L} labels"]
    if f"kind {task}" not in similar.words:
        lines[0] += f"; all kinds of target, as too few are of kind {task}"
    if count < len(similar.points):
        lacking = counted(len(similar.points) - count, "dataset lacks", "datasets lack")
        lines.append(f"left out: {lacking} one of the rankings below")
    if board.empty:
        if at_most is not None and not seconds_of(similar.L):
            return [*lines, "the arena has no times yet: leave out --seconds"]
        return [*lines, f"no ranking took at most {at_most:g} s" if at_most is not None else "no results"]
    width = max(len("ranking"), *map(len, board.index[:SHOWN]))
    lines.append(f"  {'ranking':{width}}  {'average rank':>12}  {'points over random':>18}  behind the first (95 %)")
    for row in board.head(SHOWN).itertuples():
        behind = "" if row.Index == board.index[0] else f"{row.behind:.1f} ± {row.reach:.1f}"
        took = "" if np.isnan(row.seconds) else f"  {row.seconds:.2g} s"
        lines.append(f"  {row.Index:{width}}  {row.average_rank:>12.1f}  {row.points:>18.1f}  {behind:>23}{took}")
    tied = int(board["first"].sum())
    lines.append(
        f"not significantly worse than the first: {counted(tied - 1, 'other')}"
        if tied > 1
        else "the first is significantly better than all others"
    )
    if name := next((name for name in DEFAULTS if name in board.index), None):
        rank = board.index.get_loc(name) + 1
        lines.append(f"{name}, {DEFAULTS[name]}, is number {rank}; it was chosen on some of these datasets")
    lines += [said] if (said := unlabeled_sentence(similar)) else []
    return lines


def unlabeled_sentence(similar):
    """Say in one sentence whether unlabelled rows helped on similar datasets; empty if that is not known."""
    gains = unlabeled_gains(similar.points) if similar is not None else []
    if not gains:
        return ""
    parts = [
        f"{gain.words} {gain.mean:+.1f} ± {gain.reach:.1f} points (better on {gain.better} of {gain.of})"
        for gain in gains
    ]
    tables = f"datasets with {similar.words}" if similar.words else "the datasets of the arena"
    verdict, _ = VERDICTS[gain_verdict(gains)]
    return f"arena: unlabelled rows {verdict} in {tables}: {'; '.join(parts)}"
