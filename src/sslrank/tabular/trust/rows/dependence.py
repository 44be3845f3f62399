"""Rows that are not independent: given groups, duplicate rows, near-identical rows, drift along the order of rows."""

import itertools
from dataclasses import dataclass, field

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform
from scipy.stats import rankdata, spearmanr

from sslrank.core.features import scaled_columns
from sslrank.core.messages import counted
from sslrank.tabular.fits.row_blocks import Blocks

#: Near-identical rows are searched among this many of the best features.
_LOOKED_AT = 8
#: Near-identical rows are searched among at most this many labelled rows.
_MOST_ROWS = 1000
#: Mean distance within clusters, relative to all rows, at most: with 0.25 clusters are found in pageblocks, too.
_TIGHT = 0.2
#: Clusters of rows are separate if their silhouette is at least this.
_SILHOUETTE = 0.6
#: Rows of a cluster share a target if at least this share of them has the most frequent one.
_PURE = 0.9
#: Fewer clusters are classes rather than, say, patients; clusters of fewer rows are there by chance.
_FEWEST_CLUSTERS, _FEWEST_MEMBERS = 10, 3
#: Rows are in a cluster of their own if the next row outside of it is at least this many times as far as its farthest.
_SEPARATED = 2.0
#: A cluster has at most this share of the rows.
_LARGEST_CLUSTER = 0.2
#: Columns that are ranked together.
_BLOCK = 1000
#: A table is sorted by a column with at most this many runs for each value, if values have on average this many rows.
_RUNS, _FEWEST_IN_RUN = 1.5, 5
#: Rows come in blocks, as of places, if a column has at most this share of the runs that it had in random order.
_IN_BLOCKS = 0.5
#: A target is in order with a rank correlation with the order of the rows above this.
_SORTED = 0.95
#: A trend with the order of rows counts from this p-value, and the target's from this rank correlation.
_TREND, _WEAK = 0.001, 0.2


@dataclass
class RowFindings:
    """Findings about rows.

    Attributes
    ----------
    blocks : Blocks
        Facts: given groups, given times, equal rows.
    guess : Blocks
        What the rows look like: rows of the same units, clusters of near-identical rows, or a time series. It decides
        nothing.
    n_duplicates : int
        Labelled rows that are equal to an earlier labelled row.
    n_seen : int
        Unlabelled rows that are equal to a labelled one.
    clusters : str
        Suspected groups in words; empty if there are none.
    unit : str
        The column that names these groups, if one does.
    drift : str
        Common trend of target and features along the order of rows, in words; empty if there is none, or it cannot be
        determined.
    is_sorted : bool
        Whether the rows are sorted by target or by a feature, so that a drift with their order means nothing.
    """

    blocks: Blocks = field(default_factory=Blocks)
    guess: Blocks = field(default_factory=Blocks)
    n_duplicates: int = 0
    n_seen: int = 0
    clusters: str = ""
    unit: str = ""
    drift: str = ""
    is_sorted: bool = False


def look_at_rows(table, problem, importances):
    """Find rows that belong together.

    Given groups and times are facts, and without them equal rows. Near-identical rows that share a target, or else a
    drift of target and features with the order of rows, are a guess, unless the person has said that there is none.
    Near-identical rows are looked for among the features of the largest `importances`: others hide them.
    """
    found = RowFindings()
    duplicates = _duplicates(problem)
    labeled = problem.labeled
    if duplicates is not None:
        found.n_duplicates = len(labeled) - len(np.unique(duplicates[labeled]))
        found.n_seen = int(np.isin(duplicates[problem.unlabeled], duplicates[labeled]).sum())
    if table.groups is not None:
        n_groups = len(np.unique(table.groups[labeled]))
        found.blocks = Blocks("groups", table.groups, counted(n_groups, "group"))
        return found
    if table.time is not None:
        found.blocks = Blocks("time", table.time, "time")
        return found
    if found.n_duplicates:
        found.blocks = Blocks("groups", duplicates, "duplicate rows")
    if "groups" not in table.settled:
        found.unit = _unit(table, labeled)
        units = _units(table, labeled, found.unit) if found.unit else None
        found.clusters, found.guess = units or _clusters(problem, importances)
    found.is_sorted = not table.in_order_of and _is_sorted(problem)
    if not found.guess.kind and not found.is_sorted and "time" not in table.settled:
        found.drift = f"the rows are in the order of {table.in_order_of}" if table.in_order_of else _drift(problem)
        if found.drift:
            found.guess = Blocks("time", np.arange(len(problem.X), dtype=np.float64), "the order of the rows")
    return found


def _unit(table, labeled):
    """The identifier of units, such as persons, of fewest values among the labelled rows; empty if there is none."""
    counts = {name: len(np.unique(codes[labeled])) for name, codes in table.units.items()}
    counts = {name: count for name, count in counts.items() if 1 < count < len(labeled)}
    return min(counts, key=counts.get, default="")


def _units(table, labeled, name):
    """In words and as blocks, the labelled rows of each unit that an identifier names."""
    codes = table.units[name]
    count = len(np.unique(codes[labeled]))
    codes = np.where(codes < 0, np.arange(len(codes)) + codes.max() + 1, codes)
    said = f"{count} values of {name}"
    return f"{len(labeled)} labelled rows have {said}", Blocks("groups", codes, said)


def _clusters(problem, importances):
    """In words and as blocks, clusters of near-identical rows."""
    codes = _near_identical(problem, importances)
    if codes is None:
        return "", Blocks()
    count = len(np.unique(codes[problem.labeled]))
    said = f"{len(problem.labeled)} labelled rows form {count} clusters of near-identical rows that share a target"
    return said, Blocks("groups", codes, f"{count} clusters of near-identical rows")


def _duplicates(problem):
    """Number of the distinct row that each row is; None where equal rows are common, as with few different values."""
    codes_of = {}  # numpy.unique(axis=0) takes minutes for many columns
    codes = np.array([codes_of.setdefault(_bytes_of(row), len(codes_of)) for row in problem.X])
    n_distinct = len(codes_of)
    if n_distinct == len(codes):
        return None
    numeric = problem.X[:, ~problem.nominal]
    most = max((len(np.unique(column[~np.isnan(column)])) for column in numeric.T), default=0)
    return codes if most > 0.5 * n_distinct else None


def _bytes_of(row):
    """Bytes that are equal for equal rows: there is one NaN, and no negative zero."""
    return (np.where(np.isnan(row), np.nan, row) + 0.0).tobytes()


def _near_identical(problem, importances):
    """Cluster of each row if the labelled rows form many tight clusters that each share a target, else None."""
    labeled = problem.labeled
    if not 2 * _FEWEST_CLUSTERS <= len(labeled) <= _MOST_ROWS:
        return None
    X = problem.X[labeled]
    order = np.argsort(-importances, kind="stable")
    many = (j for j in order if not problem.nominal[j] and len(np.unique(X[:, j])) >= 2 * _FEWEST_CLUSTERS)
    many = list(itertools.islice(many, _LOOKED_AT))
    best, best_score = None, _SILHOUETTE
    for count in (2, 3, 5, _LOOKED_AT):
        if count > len(many) or count > len(importances):
            break
        values = np.nan_to_num(scaled_columns(X[:, many[:count]]), nan=0.5)
        distances = pdist(values)
        tree = linkage(distances, "average")
        distances = squareform(distances)
        for n_clusters in _sizes(len(labeled)):
            codes = fcluster(tree, n_clusters, "maxclust")
            counts = np.bincount(codes)
            if (counts[codes] > 1).mean() < 0.8 or counts.max() > _LARGEST_CLUSTER * len(codes):
                continue
            if not _share_target(problem, labeled, codes) or _separated(distances, codes) < 0.5:
                continue
            score = _silhouette(distances, codes)
            # tight as well, as otherwise each class would be a cluster
            if score > best_score and _tightness(distances, codes) < _TIGHT:
                best, best_score = codes, score
    if best is None:
        return None
    found = np.arange(len(problem.X)) + best.max() + 1  # each unlabelled row is a cluster of its own
    found[labeled] = best
    return found


def _sizes(n):
    last = n // _FEWEST_MEMBERS
    return np.unique(np.geomspace(_FEWEST_CLUSTERS, max(_FEWEST_CLUSTERS, last), 25).round().astype(int))


def _share_target(problem, labeled, codes):
    if problem.task == "classification":
        y = problem.y[labeled].astype(np.intp)
        pairs = np.unique(np.column_stack([codes, y]), axis=0, return_counts=True)
        most = {}
        for (code, _), count in zip(*pairs, strict=True):
            most[code] = max(most.get(code, 0), count)
        return sum(most.values()) >= _PURE * len(codes)
    values = np.nan_to_num(problem.columns[labeled])
    total = values.var(axis=0).sum()
    within = sum(len(part) * part.var(axis=0).sum() for part in (values[codes == code] for code in np.unique(codes)))
    return total > 0 and within / len(codes) < (1 - _PURE) * total


def _silhouette(distances, codes):
    """Mean silhouette (Rousseeuw 1987); rows alone in their cluster have 0."""
    members = codes[:, None] == np.unique(codes)
    counts = members.sum(axis=0)
    sums = distances @ members
    own = members.argmax(axis=1)
    rows = np.arange(len(codes))
    inside = sums[rows, own] / np.maximum(counts[own] - 1, 1)
    outside = np.where(members, np.inf, sums / counts).min(axis=1)
    values = (outside - inside) / np.maximum(np.maximum(outside, inside), 1e-300)
    return float(np.where(counts[own] > 1, values, 0.0).mean())


def _separated(distances, codes):
    """Share of the rows in clusters that lie apart from all other rows; pairs do so by chance, and do not count."""
    same = codes[:, None] == codes
    farthest = np.where(same, distances, 0.0).max(axis=1)
    nearest = np.where(same, np.inf, distances).min(axis=1)
    return float(((nearest >= _SEPARATED * farthest) & (same.sum(axis=1) >= _FEWEST_MEMBERS)).mean())


def _tightness(distances, codes):
    """Mean distance within clusters over the mean distance of all rows."""
    same = codes[:, None] == codes
    np.fill_diagonal(same, False)
    return float(distances[same].mean() / max(distances.mean(), 1e-300)) if same.any() else np.inf


def _is_sorted(problem):
    """True if the rows are sorted by their target, or by a feature such as a place or a species."""
    targets = problem.columns[problem.labeled]
    by_target = any(map(_comes_in_runs, targets.T)) or (problem.y.ndim == 1 and _follows_order(targets[:, 0]))
    return by_target or any(map(_comes_in_runs, problem.X.T))


def _follows_order(column):
    """True if a target that is not quite sorted is so far in order that a drift means nothing."""
    if len(np.unique(column)) < 2:
        return False
    return abs(spearmanr(column, np.arange(len(column))).statistic) > _SORTED


def _comes_in_runs(column):
    """True if a column's values are sorted, or each comes in about one run, as in a table that is sorted by it."""
    column = column[~np.isnan(column)]
    steps = np.diff(column)
    if not steps.any():
        return False
    if (steps >= 0).all() or (steps <= 0).all():
        return True
    if steps.all():  # no run is longer than a row
        return False
    _, counts = np.unique(column, return_counts=True)
    n_values, n_runs = len(counts), int((steps != 0).sum()) + 1
    if n_values <= len(column) / _FEWEST_IN_RUN and n_runs <= _RUNS * n_values:
        return True
    expected = 1 + len(column) - (counts / len(column) @ counts)
    return bool(n_runs <= _IN_BLOCKS * expected)


def _drift(problem):
    """Describe a common trend of target and features along the order of rows; empty if there is none."""
    rows = problem.labeled
    if len(rows) < 20:
        return ""
    for values in problem.columns.T:
        known = rows[~np.isnan(values[rows])]
        y = values[known]
        classes = np.unique(y) if problem.task == "classification" else [None]
        for value in classes:
            part = y if value is None else y == value
            if len(np.unique(part)) < 2:
                continue
            trend = spearmanr(part, known)
            if abs(trend.statistic) < _WEAK or trend.pvalue > _TREND / len(classes) / problem.columns.shape[1]:
                continue
            moving = sum(_trend(column) < _TREND / problem.X.shape[1] for column in _may_move(problem.X).T)
            if moving:
                return f"the target and {counted(moving, 'feature')} have a trend along the order of the rows"
    return ""


def _may_move(X):
    """Columns with gaps, and those whose correlation with the order of the rows is not small."""
    n, kept = len(X), np.ones(X.shape[1], dtype=bool)
    order = np.arange(n) - (n - 1) / 2
    for at in range(0, X.shape[1], _BLOCK):
        ranks = rankdata(X[:, at : at + _BLOCK], axis=0)  # NaN where a column has gaps
        ranks -= (n + 1) / 2
        lengths = np.sqrt((ranks**2).sum(axis=0) * (order**2).sum())
        kept[at : at + _BLOCK] = ~(
            np.abs(order @ ranks) < 2.5 / np.sqrt(n) * lengths
        )  # far below the level of significance
    return X[:, kept]


def _trend(column):
    known = np.flatnonzero(~np.isnan(column))
    if len(known) < 10 or column[known].min() == column[known].max():
        return 1.0
    return float(spearmanr(rankdata(column[known]), known).pvalue)
