"""Which ranking was the best on datasets similar to a given one, and whether unlabelled rows helped there.

All of it is read from a table of points of the study ``arena``: one row for each dataset and number of labels L, with
the columns :data:`~sslrank.stats.arena.FACTS` and one for each ranking. ``sslrank methods --for`` prints what these
functions find, and the results page of the arena shows it.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import stdtrit
from scipy.stats import rankdata

from sslrank.stats.arena import DEFAULT, FACTS, LEAST, LONG, OF_SEVERAL, ORACLE, PAIRS, SMALL, WIDE, YARDSTICKS

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


def arena_board(points, seconds=None, at_most=None, of=None):
    """Rank the rankings on some datasets: average rank, points over random, and how far behind the first one.

    Only rankings that three quarters of the datasets have, and that are known to take `at_most` seconds; then only
    datasets that have them all. With the name of a ranking as `of`, only its datasets, and the rankings that have them
    all. `n_datasets` and `datasets` are in `attrs`; `absent` there has the other rankings and their numbers of
    datasets.

    Columns: `average_rank`, `points`; `share_of_oracle`, the points divided by the oracle's; `behind` and `gain`, the
    mean differences to the first and to the default; `wins` and `losses`, the datasets where a ranking is better and
    worse than the default; `first`, whether it is the first or not significantly behind it; `front`, whether no other
    one has both more points and fewer seconds. `rank_reach`, `reach` (of `behind`) and `gain_reach` are halves of 95 %
    intervals (Student's t over the datasets).
    """
    seconds, names = seconds or {}, [name for name in points if name not in FACTS and name not in YARDSTICKS]
    values = points[names].to_numpy(dtype=np.float64)
    there = ~np.isnan(values)
    rows = there[:, names.index(of)] if of in names else np.ones(len(values), dtype=bool)
    enough = there[rows].sum(axis=0) >= max(np.ceil((1.0 if of in names else 0.75) * rows.sum()), 1)
    if at_most is not None:
        enough &= np.array([seconds.get(name, np.inf) <= at_most for name in names])
    rows &= there[:, enough].all(axis=1)
    kept, n = [name for name, is_kept in zip(names, enough, strict=True) if is_kept], int(rows.sum())
    matrix = values[np.ix_(rows, enough)]
    ranks = rankdata(-matrix, axis=1) if matrix.size else matrix
    found = pd.DataFrame({"average_rank": _mean(ranks), "points": _mean(matrix)}, index=kept)
    oracle = points[ORACLE].to_numpy()[rows] if ORACLE in points else np.full(n, np.nan)
    found["share_of_oracle"] = found["points"] / _mean(oracle)
    order = np.lexsort([-found["points"], found["average_rank"]])
    found, matrix, ranks = found.iloc[order], matrix[:, order], ranks[:, order]
    found["rank_reach"] = _reach(ranks)
    if len(found):
        gaps = matrix[:, :1] - matrix
        found["behind"], found["reach"] = _mean(gaps), _reach(gaps)
        found["first"] = ~(found["behind"] - found["reach"] > 0)
        if DEFAULT in found.index:
            gains = matrix - matrix[:, [found.index.get_loc(DEFAULT)]]
            found["gain"], found["gain_reach"] = _mean(gains), _reach(gains)
            found["wins"], found["losses"] = (gains > 0).sum(axis=0), (gains < 0).sum(axis=0)
    found["seconds"] = [seconds.get(name, np.nan) for name in found.index]
    found["front"] = _front(found["points"].to_numpy(), found["seconds"].to_numpy())
    counts = zip(names, there.sum(axis=0).tolist(), strict=True)
    absent = {name: count for name, count in counts if count and name not in kept}
    found.attrs |= {"n_datasets": n, "datasets": points["dataset"][rows].to_list(), "absent": absent}
    return found


def _mean(values):
    return values.mean(axis=0) if len(values) else np.full(values.shape[1:], np.nan)


def over_budgets(table):
    """Average a table of points over the numbers of labels, where a dataset has all of them.

    Parameters
    ----------
    table : DataFrame
        A row for each dataset and L.

    Returns
    -------
    DataFrame
        A row for each dataset, with "" as L.

    Examples
    --------
    >>> facts = dict.fromkeys(["part", "task", "rows", "features"], 1)
    >>> rows = [facts | {"dataset": "iris", "L": L, "l1": points} for L, points in (("20", 1), ("50", 2))]
    >>> table = pd.DataFrame(rows)
    >>> over_budgets(table)[["dataset", "L", "l1"]].to_dict("records")
    [{'dataset': 'iris', 'L': '', 'l1': 1.5}]
    """
    n_budgets = table["L"].nunique()
    parts = table.groupby([name for name in FACTS if name != "L"], sort=False)
    means = parts.mean(numeric_only=True).where(parts.count().drop(columns="L") == n_budgets)
    return means.dropna(how="all").reset_index().assign(L="")[table.columns]


def _reach(values):
    """Half of the 95 % interval of the mean of some rows; NaN of one."""
    n = len(values)
    if n < 2:
        return np.full(values.shape[1:], np.nan)
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
