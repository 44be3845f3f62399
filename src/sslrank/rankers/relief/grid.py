"""Scores of all hyper-parameter settings of SSL-Relief from one pass over the pairs."""

from dataclasses import dataclass

import numpy as np

from sslrank.rankers.relief._sums import N_CHANNELS, add_semi_supervised
from sslrank.rankers.relief.space import TIE, run_threads

#: Rows per task; fixed, so that the order of summation does not depend on the threads.
SUM_ROWS = 256


@dataclass(frozen=True)
class Setting:
    """Hyper-parameters of SSL-Relief (Algorithm 3).

    Attributes
    ----------
    n_neighbors : int
    w0, w1 : float
        Weights of the unlabelled rows farthest from and nearest to the labelled ones.

    Examples
    --------
    >>> Setting(15, w0=0.0, w1=1.0).n_neighbors
    15
    """

    n_neighbors: int
    w0: float
    w1: float


def settings(n_neighbors, w0, w1):
    """List all settings with w0 <= w1, by increasing k, increasing w0 and decreasing w1.

    Parameters
    ----------
    n_neighbors, w0, w1 : sequences

    Returns
    -------
    list of Setting

    Examples
    --------
    >>> settings([15], [0.0, 0.5], [0.5])
    [Setting(n_neighbors=15, w0=0.0, w1=0.5), Setting(n_neighbors=15, w0=0.5, w1=0.5)]
    """
    return [
        Setting(int(k), float(low), float(high))
        for k in sorted(set(n_neighbors))
        for low in sorted(set(w0))
        for high in sorted(set(w1), reverse=True)
        if low <= high
    ]


def relief_score(both, feature, cluster, total):
    """Compute the score of Algorithm 3, line 21.

    Parameters
    ----------
    both, feature : ndarrays of shape (..., D)
        P_diffAttr,diffCluster and P_diffAttr.
    cluster, total : arrays of shape (...)
        P_diffCluster and s.

    Returns
    -------
    ndarray of shape (..., D)
        A term whose denominator is 0 (all pairs equal in the cluster space, no pair equal, or no pair of positive
        weight) is 0.

    Examples
    --------
    >>> relief_score(np.array([0.4]), np.array([0.5]), 0.5, 1.0)
    array([0.6])
    """
    cluster, total = np.asarray(cluster)[..., None], np.asarray(total)[..., None]
    alike = total - cluster
    # A difference that is 0 in exact arithmetic is rounded to about 1e-16 of the total.
    tiny = 1e-13 * total
    differ = np.divide(both, cluster, out=np.zeros_like(both), where=cluster > tiny)
    return differ - np.divide(feature - both, alike, out=np.zeros_like(both), where=alike > tiny)


class GridSums:
    """Sums over pairs that determine the score of every setting.

    Parameters
    ----------
    sums : ndarray of shape (S, 12, D)
        By increasing number of neighbours, see :func:`sslrank.rankers.relief._sums.add_semi_supervised`.
    totals : ndarray of shape (S, 12)
    neighbors : sequence of int
        The S values of k.
    """

    def __init__(self, sums, totals, neighbors):
        self._sums = np.cumsum(sums, axis=0)
        self._totals = np.cumsum(totals, axis=0)
        self._index_of = {k: i for i, k in enumerate(neighbors)}

    def pair_sums(self, setting):
        """Compute the sums of Algorithm 3 for one setting.

        Parameters
        ----------
        setting : Setting

        Returns
        -------
        both, feature : ndarrays of shape (D,)
            P_diffAttr,diffCluster and P_diffAttr.
        cluster, total : float
            P_diffCluster and s.
        """
        k = self._index_of[setting.n_neighbors]
        w0, w1 = setting.w0, setting.w1
        products = np.array([1.0, w1, w0, w1 * w1, w1 * w0, w0 * w0])
        plain, with_cluster = [0, 2, 3, 6, 7, 8], [1, 4, 5, 9, 10, 11]
        sums, totals = self._sums[k], self._totals[k]
        # Added one by one: a BLAS product sums in another order on another processor.
        return tuple(
            sum(product * array[channel] for product, channel in zip(products, channels, strict=True))
            for array in (sums, totals)
            for channels in (with_cluster, plain)
        )

    def importances(self, setting):
        """Compute the importances of one setting.

        Parameters
        ----------
        setting : Setting

        Returns
        -------
        ndarray of shape (D,)
        """
        return relief_score(*self.pair_sums(setting))


def remoteness(distance, labeled):
    """Scale the distances of unlabelled rows from the labelled rows: 0 for the nearest, 1 for the farthest.

    Parameters
    ----------
    distance : ndarray of shape (n,)
        Distance to the nearest labelled row.
    labeled : ndarray of shape (n,), bool

    Returns
    -------
    ndarray of shape (n,)
        t in [0, 1]; the weight of an unlabelled row is (1 - t) w1 + t w0. If all unlabelled rows are equally far, t is
        1/2 (the interpolation is undefined; CLUS takes the mean of w0 and w1). Without labelled rows, t is 0.

    Examples
    --------
    >>> remoteness(np.array([0.0, 1.0, 3.0]), np.array([True, False, False]))
    array([0., 0., 1.])
    """
    t = np.zeros(len(distance))
    if labeled.any() and not labeled.all():
        away = distance[~labeled]
        low, high = away.min(), away.max()
        t[~labeled] = (away - low) / (high - low) if high > low else 0.5
    return t


def grid_sums(
    space, neighbors, targets, labeled, t, group, left_out, n_neighbors, n_jobs, *, rank_weights=None, rows=None
):
    """Sum over the pairs of one training set.

    Parameters
    ----------
    space : FeatureSpace
        With n rows.
    neighbors : Neighbors
        In one group, of the points to iterate over; at least k rows without the rows left out.
    targets : TargetSpace
    labeled : ndarray of shape (n,), bool
    t : ndarray of shape (n,)
        Remoteness of the unlabelled rows, see :func:`remoteness`.
    group : ndarray of shape (n,), int32
    left_out : int
        Group to leave out, -1 for none.
    n_neighbors : sequence of int
        Increasing numbers of neighbours.
    n_jobs : int or None
    rank_weights : ndarray of shape (k,), optional
        Weights of the first, second, ... neighbour; ones by default. Rows at the same distance share them.
    rows : ndarray of shape (m,), int, optional
        Rows to iterate over, all by default.

    Returns
    -------
    GridSums
    """
    shape = (len(n_neighbors), N_CHANNELS, space.values.shape[1])
    most = n_neighbors[-1]
    whole = np.concatenate([[0.0], np.cumsum(np.ones(most) if rank_weights is None else rank_weights)])
    bounds = np.array([0, *n_neighbors])
    ranks = np.arange(most + 1)
    reached = np.array([whole[ranks.clip(*bounds[i : i + 2])] - whole[bounds[i]] for i in range(len(n_neighbors))])
    rows = np.arange(space.n_rows) if rows is None else rows
    rows = rows.astype(np.int32)
    list_of = np.zeros(len(space.values), dtype=np.int32)
    list_of[neighbors.queries] = np.arange(len(neighbors.queries))
    present = np.bincount(space.point[group != left_out], minlength=len(list_of)).astype(np.int32)
    members = space.members

    def add(start):
        block = slice(start, start + SUM_ROWS)
        sums, totals = np.zeros(shape), np.zeros(shape[:2])
        add_semi_supervised(
            *space.kernel_arguments,
            space.point,
            *members,
            present,
            targets.values,
            targets.weights,
            targets.nominal,
            labeled.astype(np.uint8),
            t,
            group,
            left_out,
            rows[block],
            list_of[space.point[rows[block]]],
            neighbors.start,
            neighbors.index,
            neighbors.distance,
            TIE,
            reached,
            sums,
            totals,
        )
        return sums, totals

    sums, totals = np.zeros(shape), np.zeros(shape[:2])
    for some_sums, some_totals in run_threads(add, range(0, len(rows), SUM_ROWS), n_jobs):
        sums += some_sums
        totals += some_totals
    return GridSums(space.in_feature_order(sums), totals, n_neighbors)
