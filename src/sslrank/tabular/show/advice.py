"""Which ranking serves a table like one's own, and whether its unlabelled rows help: what the study ``arena`` tells.

The results page of the arena says the same by the same rules (`which.js` of :mod:`sslrank.benchmark.report`).
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from sslrank.stats.arena import FACTS, LEAST, LONG, OF_SEVERAL, PAIRS, SMALL, WIDE

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


@dataclass(frozen=True)
class Likeness:
    """The datasets of the arena that are like a table.

    `L`: the nearest number of labels; `points`: their rows of the table of points; `words`: what they have in common.
    """

    L: str
    points: pd.DataFrame
    words: str


def find_alike(task, n_labeled, n_rows, n_features):
    """Find datasets that are like a table: kind of target, columns, rows, nearest L; None without results.

    Where fewer than :data:`~sslrank.stats.arena.LEAST` have all in common, the number of rows does not count, then
    that of columns, then the kind of target.
    """
    table = arena_table()
    if table.empty:
        return None
    L = min(dict.fromkeys(table["L"]), key=lambda L: abs(np.log(int(L) / max(n_labeled, 1))))
    table = table[table["L"] == L]
    wide, long = n_features > WIDE, n_rows >= LONG
    conditions = {
        f"a target of kind {task}": table["task"] == task,
        f"{'more than' if wide else 'at most'} {WIDE} columns": (table["features"] > WIDE) == wide,
        f"{'at least' if long else 'fewer than'} {LONG} rows": (table["rows"] >= LONG) == long,
    }
    while conditions and np.logical_and.reduce(list(conditions.values())).sum() < LEAST:
        conditions.popitem()
    kept = np.logical_and.reduce(list(conditions.values())) if conditions else np.ones(len(table), dtype=bool)
    words = " and ".join([", ".join([*conditions][:-1]), [*conditions][-1]] if len(conditions) > 1 else conditions)
    return Likeness(L, table[kept], words)


def arena_leaderboard(points, seconds=None, at_most=None):
    """Rank the rankings on some datasets: average rank, points over random, and how far behind the first one.

    Only rankings that three quarters of the datasets have, and that are known to take `at_most` so many seconds; then
    only datasets that have them all, `n_datasets` in `attrs`. `reach` is half of the 95 % interval of `behind`
    (Student's t over the datasets), `first` tells if a ranking is the first or cannot be told from it.
    """
    matrix = points.drop(columns=FACTS)
    if at_most is not None:
        matrix = matrix[[name for name in matrix if (seconds or {}).get(name, np.inf) <= at_most]]
    matrix = matrix.dropna(axis=1, thresh=max(int(np.ceil(0.75 * len(matrix))), 1)).dropna()
    n = len(matrix)
    found = pd.DataFrame({"average_rank": matrix.rank(axis=1, ascending=False).mean(), "points": matrix.mean()})
    found = found.sort_values(["average_rank", "points"], ascending=[True, False], kind="stable")
    if len(found):
        gaps = matrix[[found.index[0]]].to_numpy() - matrix[found.index].to_numpy()
        found["behind"] = gaps.mean(axis=0)
        found["reach"] = stdtrit(n - 1, 0.975) * gaps.std(axis=0, ddof=1) / np.sqrt(n) if n > 1 else np.nan
        found["first"] = ~(found["behind"] - found["reach"] > 0)
    found["seconds"] = [(seconds or {}).get(name, np.nan) for name in found.index]
    found.attrs["n_datasets"] = n
    return found


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
    board = arena_leaderboard(alike.points, seconds_of(alike.L), at_most)
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
    found = []
    for ranking, (supervised, words) in PAIRS.items():
        if alike is None or ranking not in alike.points or supervised not in alike.points:
            continue
        gains = (alike.points[ranking] - alike.points[supervised]).dropna()
        if len(gains) > 1:
            reach = stdtrit(len(gains) - 1, 0.975) * gains.std(ddof=1) / np.sqrt(len(gains))
            found.append((gains.mean(), reach, (gains > 0).sum(), len(gains), words))
    if not found:
        return ""
    parts = [f"{words} {mean:+.1f} ± {reach:.1f} points (better on {n} of {of})" for mean, reach, n, of, words in found]
    tables = f"datasets with {alike.words}" if alike.words else "the datasets of the arena"
    return f"unlabelled rows {_verdict(*max(found)[:2])} in {tables}, says the arena: {'; '.join(parts)}"


def _verdict(gain, reach):
    """Words for the gain of the best method by unlabelled rows and half of its 95 % interval, in points."""
    if gain > OF_SEVERAL * reach:
        return "are likely to help"
    if gain + reach < 0:
        return "are likely to harm"
    return "hardly help" if gain + reach < SMALL else "may help or not (the interval is too wide to tell)"
