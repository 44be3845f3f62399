"""Which ranking was the best on datasets similar to a given one, and whether unlabelled rows helped there.

All of it is read from a table of points of the study ``arena``: one row for each dataset and number of labels L, with
the columns :data:`~sslrank.stats.arena.FACTS` and one for each ranking. ``sslrank methods --for`` prints what these
functions find, and the results page of the arena shows it.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from sslrank.stats.arena import FACTS, LEAST, LONG, OF_SEVERAL, PAIRS, SMALL, WIDE

#: Words of each verdict on unlabelled rows: in a sentence about them, and as an answer.
VERDICTS = {
    "help": ("are likely to help", "They are likely to help"),
    "harm": ("are likely to harm", "They are likely to harm"),
    "hardly": ("hardly help", "Hardly"),
    "unknown": ("may help or not (the interval is too wide)", "Not known: the interval is too wide"),
}


@dataclass(frozen=True)
class SimilarDatasets:
    """Datasets of the arena that are similar to a table.

    Attributes
    ----------
    L : str
        Number of labels.
    points : DataFrame
        Their rows of the table of points.
    kept, dropped : list of str
        What they have in common with the table, and what too few have in common, which therefore does not count.
    """

    L: str
    points: pd.DataFrame
    kept: list
    dropped: list

    @property
    def words(self):
        """What the datasets have in common, as words."""
        return " and ".join([", ".join(self.kept[:-1]), self.kept[-1]] if len(self.kept) > 1 else self.kept)


def nearest_budget(table, n_labeled):
    """Name the L of a table of points that is nearest to a number of labels, by their ratio."""
    return min(dict.fromkeys(table["L"]), key=lambda L: abs(np.log(int(L) / max(n_labeled, 1))))


def similar_datasets(table, L, *, task=None, wide=None, long=None):
    """Find datasets with the same kind of target, many or few columns, and many or few rows; None is any.

    Where fewer than :data:`~sslrank.stats.arena.LEAST` have all in common, the number of rows does not count, then that
    of columns, then the kind of target.
    """
    table = table[table["L"] == L]
    conditions = {}
    if task is not None:
        conditions[f"a target of kind {task}"] = table["task"] == task
    if wide is not None:
        conditions[f"{'more than' if wide else 'at most'} {WIDE} columns"] = (table["features"] > WIDE) == wide
    if long is not None:
        conditions[f"{'at least' if long else 'fewer than'} {LONG} rows"] = (table["rows"] >= LONG) == long
    dropped = []
    while conditions and np.logical_and.reduce(list(conditions.values())).sum() < LEAST:
        dropped.insert(0, conditions.popitem()[0])
    kept = np.logical_and.reduce(list(conditions.values())) if conditions else np.ones(len(table), dtype=bool)
    return SimilarDatasets(L, table[kept], list(conditions), dropped)


def arena_board(points, seconds=None, at_most=None):
    """Rank the rankings on some datasets: average rank, points over random, and how far behind the first one.

    Only rankings that three quarters of the datasets have, and that are known to take `at_most` seconds; then
    only datasets that have them all, `n_datasets` in `attrs`. `reach` is half of the 95 % interval of `behind`
    (Student's t over the datasets), `first` says whether a ranking is the first or not significantly behind it, and
    `front` if no other one has both more points and fewer seconds.
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
        found["reach"] = _reach(gaps) if n > 1 else np.nan
        found["first"] = ~(found["behind"] - found["reach"] > 0)
    found["seconds"] = [(seconds or {}).get(name, np.nan) for name in found.index]
    found["front"] = _front(found["points"].to_numpy(), found["seconds"].to_numpy())
    found.attrs["n_datasets"] = n
    return found


def _reach(values):
    """Half of the 95 % interval of the mean of some rows."""
    n = len(values)
    return stdtrit(n - 1, 0.975) * values.std(axis=0, ddof=1) / np.sqrt(n)


def _front(points, seconds):
    """True if no other ranking is as good in points and seconds, and better in one of them."""
    at_least = (points[:, None] >= points) & (seconds[:, None] <= seconds)  # False for seconds that are not known
    better = (points[:, None] > points) | (seconds[:, None] < seconds)
    return ~np.isnan(seconds) & ~(at_least & better).any(axis=0)


@dataclass(frozen=True)
class Gain:
    """Gain of one semi-supervised ranking from unlabelled rows, in points.

    Attributes
    ----------
    words : str
        What to call the ranking.
    mean, reach : float
        Mean gain over the datasets and half of its 95 % interval.
    better, of : int
        On how many datasets it gained, and their number.
    """

    words: str
    mean: float
    reach: float
    better: int
    of: int


def unlabeled_gains(points):
    """List the :class:`Gain` of each pair of rankings with and without unlabelled rows that two datasets have."""
    found = []
    for ranking, (supervised, words) in PAIRS.items():
        if ranking not in points or supervised not in points:
            continue
        gains = (points[ranking] - points[supervised]).dropna()
        if len(gains) > 1:
            values = gains.to_numpy()
            found.append(Gain(words, gains.mean(), _reach(values), int((gains > 0).sum()), len(gains)))
    return found


def gain_verdict(gains):
    """Judge whether unlabelled rows help, by the best of several gains: a key of :data:`VERDICTS`."""
    best = max(gains, key=lambda gain: (gain.mean, gain.reach))
    if best.mean > OF_SEVERAL * best.reach:
        return "help"
    if best.mean + best.reach < 0:
        return "harm"
    return "hardly" if best.mean + best.reach < SMALL else "unknown"
