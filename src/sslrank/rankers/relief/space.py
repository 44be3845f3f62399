"""Distances between rows as Relief defines them, and nearest neighbours."""

from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed

from sslrank.core.distances import merge_equal
from sslrank.core.features import scaled_columns
from sslrank.rankers.relief._neighbors import LANES, TIE, TILE, find_neighbors

#: Rows per task of the neighbour search.
QUERY_ROWS = 512


@dataclass(frozen=True)
class Neighbors:
    """The nearest points of some points, in one list for each of them and each group.

    Attributes
    ----------
    queries : ndarray of shape (m,), int32
        These points, each once.
    start : ndarray of shape (m * G + 1,), intp
        List l, of query l // G and group l % G, is ``start[l]`` to ``start[l + 1] - 1``.
    index : ndarray of shape (E,), int32
        Points, nearest first: at least k in each list if there are as many, and all that are as near as the k-th. A
        point is in its own list if it stands for several rows.
    distance : ndarray of shape (E,), float64
        Distances to them, in [0, 1]; equal where less than :data:`TIE` apart.
    """

    queries: np.ndarray
    start: np.ndarray
    index: np.ndarray
    distance: np.ndarray

    @property
    def owner(self):
        """The list of each entry, shape (E,)."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def replaced(self, numbers, others):
        """Replace some lists by longer ones.

        Parameters
        ----------
        numbers : ndarray of shape (s,), int
            Their numbers.
        others : Neighbors
            The s other lists.

        Returns
        -------
        Neighbors
        """
        first, lengths = self.start[:-1].copy(), np.diff(self.start)
        first[numbers], lengths[numbers] = len(self.index) + others.start[:-1], np.diff(others.start)
        start = np.concatenate([[0], np.cumsum(lengths)])
        taken = np.arange(start[-1]) + np.repeat(first - start[:-1], lengths)
        index, distance = (
            np.concatenate([own, other])[taken]
            for own, other in ((self.index, others.index), (self.distance, others.distance))
        )
        return Neighbors(self.queries, start, index, distance)


class FeatureSpace:
    """Rows scaled for the distance of paper ssl-ranking, Eq. (6).

    The distance of two rows is the mean over the features of |a - b| / (max - min) (numeric) or [a != b] (nominal). A
    constant feature adds 0. The paper does not define distances from missing values; they follow CLUS. A known number,
    scaled to t, has the largest possible distance max(t, 1 - t) from a missing one; two missing numbers have distance
    1. A nominal value, known or not, has distance 1 - 1/V from a missing one, where V is the number of categories in
    these rows (Relief-B of Kononenko 1994). (CLUS and WEKA count the declared categories, so a category that occurs
    only in test rows changes their rankings.)

    Distances are rounded to multiples of 2**-40 (9e-13), and those less than :data:`TIE` apart are equal, so that ties
    are the same on every machine. Equal rows are one point.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Dense, n rows.
    kind : ndarray of shape (n,), int, optional
        Only equal rows of one kind are one point; by default all.

    Attributes
    ----------
    order : ndarray of shape (D,), int
        Column j of `values` is feature ``order[j]``: numeric features first.
    point : ndarray of shape (n,), int32
        Point of each row.
    first : ndarray of shape (P,), int
        First row of each point.
    counts : ndarray of shape (P,), int
        Rows of each point.
    values : ndarray of shape (P, D), float64
        Numeric columns scaled to [0, 1].
    n_numeric : int
    unknown : ndarray of shape (D,)
        Distance in a nominal column if a value is missing.
    missing : ndarray of shape (P,), uint8
        Points with a missing value.
    """

    def __init__(self, features, kind=None):
        nominal = features.nominal
        self.order = np.argsort(nominal, kind="stable")
        self.n_numeric = int((~nominal).sum())
        self.values = np.ascontiguousarray(features.values[:, self.order])
        self.values[:, : self.n_numeric] = scaled_columns(self.values[:, : self.n_numeric])
        point = merge_equal(self.values)[1]
        if kind is not None:
            point = point * (kind.max(initial=0) + 1) + kind
        _, first, point = np.unique(point, return_index=True, return_inverse=True)
        number = np.argsort(np.argsort(first))  # points in the order of their first rows
        self.point, self.first = number[point].astype(np.int32), np.sort(first)
        self.counts = np.bincount(self.point, minlength=len(first))
        if len(first) < len(self.values):
            self.values = self.values[self.first]
        n_categories = np.maximum(features.n_categories[self.order], 1)
        self.unknown = np.where(nominal[self.order], 1.0 - 1.0 / n_categories, 0.0)
        self.missing = np.isnan(self.values).any(axis=1).astype(np.uint8)
        self._prepare_first_pass()

    @property
    def n_rows(self):
        """Number of rows."""
        return len(self.point)

    @property
    def members(self):
        """Where the rows of each point start, shape (P + 1,), and the rows by point, shape (n,)."""
        start = np.concatenate([[0], np.cumsum(self.counts)])
        return start, np.argsort(self.point, kind="stable").astype(np.int32)

    @property
    def kernel_arguments(self):
        """The first arguments of every kernel."""
        return self.values, self.n_numeric, self.unknown, self.missing

    def in_feature_order(self, sums):
        """Restore the order of the features in the last axis of an array.

        Parameters
        ----------
        sums : ndarray of shape (..., D)

        Returns
        -------
        ndarray of shape (..., D)
        """
        result = np.empty_like(sums)
        result[..., self.order] = sums
        return result

    def _prepare_first_pass(self):
        """Rewrite the distance so that missing values need no branches.

        A missing number becomes 0.5 and adds 0.5 to its row's constant: |t - 0.5| + 0.5 = max(t, 1 - t). A missing code
        becomes NaN, which differs from everything, and adds -1/V to the constant; for two missing codes, which subtract
        1/V twice, the product of two indicator columns of 1/sqrt(V) adds it once.
        """
        numeric = self.values[:, : self.n_numeric]
        nominal = self.values[:, self.n_numeric :]
        lost = 1.0 - self.unknown[self.n_numeric :]
        no_number, no_code = np.isnan(numeric), np.isnan(nominal)
        holes = no_code.any(axis=0)
        self._single = np.concatenate(
            [np.where(no_number, 0.5, numeric), nominal, no_code[:, holes] * np.sqrt(lost[holes])],
            axis=1,
            dtype=np.float32,
        )
        self._constant = (0.5 * no_number.sum(axis=1) - no_code @ lost).astype(np.float32)
        # Bound of the error of n float32 additions of values in [0, 1], in tiles: each value, difference and partial
        # sum is rounded by at most 2**-24 of its size.
        n_columns = self._single.shape[1]
        largest = float(np.abs(self._constant).max())
        self._slack_relative = 1.1 * (TILE + n_columns / TILE + 8) * 2.0**-24
        self._slack_absolute = 1.1 * n_columns * 2.0**-23 + 2 * self._slack_relative * largest

    def neighbors(self, k, *, group=None, n_groups=1, queries=None, n_jobs=None):
        """Find the k nearest points of every group, and those as near as the k-th.

        Parameters
        ----------
        k : int
            Neighbours per group.
        group : ndarray of shape (P,), int, optional
            Group of each point; a point whose group is not below G is never a neighbour. One group by default.
        n_groups : int
            Number of groups G.
        queries : ndarray of shape (m,), int, optional
            Points to find neighbours of, all by default. A point of one row is not its own neighbour.
        n_jobs : int or None
            Threads.

        Returns
        -------
        Neighbors
        """
        n_rows = len(self.values)
        queries = np.arange(n_rows, dtype=np.int32) if queries is None else np.asarray(queries, dtype=np.int32)
        group = np.zeros(n_rows, dtype=np.int32) if group is None else group
        members = [np.flatnonzero(group == g) for g in range(n_groups)]
        k = max(1, min(k, max(map(len, members))))
        panels = [-(-len(rows) // LANES) for rows in members]
        first_panel = np.concatenate([[0], np.cumsum(panels)]).astype(np.int32)
        row_at = np.full(first_panel[-1] * LANES, -1, dtype=np.int32)
        for start, rows in zip(first_panel, members, strict=False):
            row_at[start * LANES : start * LANES + len(rows)] = rows
        slot_of = np.full(n_rows, -1, dtype=np.int32)
        real = row_at >= 0
        slot_of[row_at[real]] = np.flatnonzero(real)
        panel_constant = np.where(real, self._constant[row_at], np.inf).astype(np.float32)
        transposed = np.ascontiguousarray(
            self._single[row_at].reshape(-1, LANES, self._single.shape[1]).transpose(0, 2, 1)
        )
        alone = (self.counts == 1).astype(np.uint8)

        def search(start):
            return find_neighbors(
                *self.kernel_arguments,
                self._single,
                self.n_numeric,
                len(self.order) - self.n_numeric,
                self._constant,
                transposed,
                row_at,
                slot_of,
                panel_constant,
                first_panel,
                self._slack_absolute,
                self._slack_relative,
                queries[start : start + QUERY_ROWS],
                alone,
                k,
            )

        found = list(run_threads(search, range(0, len(queries), QUERY_ROWS), n_jobs))
        lengths, index, distance = (np.concatenate([part[i] for part in found], axis=0) for i in range(3))
        return Neighbors(queries, np.concatenate([[0], np.cumsum(lengths)]), index, distance)


def shares(space, neighbors, ranks):
    """Compute the weight of one row of each neighbouring point if rows at the same distance share their ranks.

    Parameters
    ----------
    space : FeatureSpace
    neighbors : Neighbors
        Of one or several groups.
    ranks : ndarray of shape (k + 1,)
        Sum of the weights of the first 0, 1, ..., k neighbours.

    Returns
    -------
    rows : ndarray of shape (E,), int
        Rows of each point in the lists, without the query.
    share : ndarray of shape (E,)
    reached : ndarray of shape (m * G,), int
        Rows of each list.
    """
    owner, most = neighbors.owner, len(ranks) - 1
    n_lists = len(neighbors.start) - 1
    own = neighbors.queries[owner // (n_lists // len(neighbors.queries))]
    rows = space.counts[neighbors.index] - (neighbors.index == own)
    if not len(rows):
        return rows, np.empty(0), np.zeros(n_lists, dtype=np.intp)
    new = (np.diff(neighbors.distance) > TIE) | (np.diff(owner) > 0)
    starts = np.flatnonzero(np.concatenate([[True], new]))
    tied = np.add.reduceat(rows, starts)
    before = np.cumsum(tied) - tied
    before -= before[np.searchsorted(owner[starts], owner[starts])]
    share = (ranks[np.minimum(before + tied, most)] - ranks[np.minimum(before, most)]) / tied
    share = np.repeat(share, np.diff(np.append(starts, len(rows))))
    return rows, share, np.bincount(owner, rows, n_lists)


def run_threads(function, tasks, n_jobs):
    """Call a function on every task in threads, and yield the results in the order of the tasks.

    Parameters
    ----------
    function : callable
    tasks : iterable
    n_jobs : int or None

    Yields
    ------
    object

    Examples
    --------
    >>> list(run_threads(abs, [-1, 2, -3], n_jobs=2))
    [1, 2, 3]
    """
    yield from Parallel(n_jobs=n_jobs, require="sharedmem", return_as="generator")(
        delayed(function)(task) for task in tasks
    )
