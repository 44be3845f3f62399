"""ReliefF and RReliefF, the supervised originals (Robnik-Šikonja and Kononenko 2003)."""

import numpy as np

from sslrank.core import libm
from sslrank.core.base import BaseRanker
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_count, check_number
from sslrank.rankers.relief._sums import add_weighted
from sslrank.rankers.relief.grid import SUM_ROWS, Setting, grid_sums
from sslrank.rankers.relief.space import FeatureSpace, run_threads, shares
from sslrank.rankers.relief.target_space import target_space


class _Supervised(BaseRanker):
    """Base class of ReliefF and RReliefF."""

    labeled_only = True
    n_iterations: int | None = None

    def check_params(self):
        check_count("n_neighbors", self.n_neighbors)
        check_count("n_iterations", self.n_iterations, words=(None,))

    def _queries(self, n_rows):
        """Choose the rows to iterate over."""
        if self.n_iterations is None or self.n_iterations >= n_rows:
            return np.arange(n_rows, dtype=np.int32)
        seed = derive_seed(self.resolve_seed(), "relief", "rows")
        return np.sort(np.random.default_rng(seed).permutation(n_rows)[: self.n_iterations]).astype(np.int32)


class ReliefF(_Supervised):
    """Rank features by ReliefF, for classification.

    For each row, a feature loses its mean difference from the k nearest hits (rows of the same class) and gains its
    mean difference from the k nearest misses of each other class C, weighted by P(C) / (1 - P(class of the row)), where
    P is the share among the labelled rows.

    Parameters
    ----------
    n_neighbors : int, default=10
        k. A class with fewer other rows contributes the mean over these rows, a class without other rows nothing. (In
        CLUS a class with fewer than k rows contributes nothing.)
    n_iterations : int or None, default=None
        Rows m to iterate over: a random sample without replacement, or all rows (None, or more than there
        are).
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        In [-1, 1]. With a single class there are only hits, and no importance is positive.

    Notes
    -----
    Distances and missing values are those of :class:`sslrank.rankers.relief.space.FeatureSpace`. Rows at the k-th
    distance share the places that nearer rows leave. (CLUS mostly takes the rows that come first.)

    References
    ----------
    Kononenko: Estimating attributes: analysis and extensions of RELIEF (1994). Robnik-Šikonja, Kononenko:
    Theoretical and empirical analysis of ReliefF and RReliefF. Machine Learning 53 (2003), Fig. 2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import ReliefF
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> ReliefF().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    n_neighbors: int = 10

    def rank_coded(self, features, targets):
        group = np.unique(targets.values[:, 0], return_inverse=True)[1].ravel()
        space = FeatureSpace(features, group)
        iterations = self._queries(space.n_rows)
        queries, times = np.unique(space.point[iterations], return_counts=True)
        priors = np.bincount(group) / len(group)
        of_point = group[space.first]
        neighbors = space.neighbors(
            self.n_neighbors, group=of_point, n_groups=len(priors), queries=queries, n_jobs=self.n_jobs
        )
        own = of_point[queries]
        others = 1.0 - priors[own]
        weight = priors / np.where(others > 0, others, 1.0)[:, None]
        weight[np.arange(len(queries)), own] = -1.0
        rows, share, found = shares(space, neighbors, np.arange(self.n_neighbors + 1.0))
        weight = (weight * times[:, None]).ravel() / found.clip(1, self.n_neighbors)
        start = np.ascontiguousarray(neighbors.start[:: len(priors)])
        weights = weight[neighbors.owner] * share * rows
        return weighted_sums(space, neighbors.queries, start, neighbors.index, weights, self.n_jobs) / len(iterations)


class RReliefF(_Supervised):
    """Rank features by RReliefF, for regression.

    The k nearest rows are weighted by their rank, exp(-(rank / sigma)^2), with sum 1. Differences of the target replace
    hits and misses.

    Parameters
    ----------
    n_neighbors : int, default=70
        k; at most all other rows are used. The default is that of the authors' program.
    sigma : float or None, default=20.0
        Width of the weights, in ranks; None weights all k rows equally, as in
        :class:`sslrank.rankers.relief.ssl_relief.SSLRelief`. The default is that of the authors' program.
    n_iterations : int or None, default=None
        Rows m to iterate over: a random sample without replacement, or all rows (None, or more than there
        are).
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        In [-1, 1].

    Notes
    -----
    Distances and missing values are those of :class:`sslrank.rankers.relief.space.FeatureSpace`. Rows at the same
    distance share the weights of their ranks.

    References
    ----------
    Robnik-Šikonja, Kononenko: Theoretical and empirical analysis of ReliefF and RReliefF. Machine Learning 53
    (2003), Fig. 3 and Eqs. (11)-(12).

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_regression
    >>> from sslrank import RReliefF
    >>> X, y = make_regression(80, 5, n_informative=2, random_state=0)
    >>> y[::2] = np.nan  # unlabelled
    >>> RReliefF().fit(X, y).ranking_
    array([1, 4, 3, 5, 2])
    """

    tasks = frozenset({"regression"})
    n_neighbors: int = 70
    sigma: float | None = 20.0

    def check_params(self):
        super().check_params()
        check_number("sigma", self.sigma, above=True, words=(None,))

    def rank_coded(self, features, targets):
        space = FeatureSpace(features)
        queries = self._queries(space.n_rows)
        k = max(1, min(self.n_neighbors, space.n_rows - 1))
        rank = np.arange(1, k + 1)
        near = np.ones(k) if self.sigma is None else libm.exp(-((rank / self.sigma) ** 2))
        neighbors = space.neighbors(k, queries=np.unique(space.point[queries]), n_jobs=self.n_jobs)
        labeled, no_group = np.ones(space.n_rows, dtype=bool), np.zeros(space.n_rows, dtype=np.int32)
        return grid_sums(
            space,
            neighbors,
            target_space(targets),
            labeled,
            np.zeros(space.n_rows),
            no_group,
            -1,
            [k],
            self.n_jobs,
            rank_weights=near,
            rows=queries,
        ).importances(Setting(k, 1.0, 1.0))


def weighted_sums(space, queries, start, index, weights, n_jobs):
    """Sum weighted feature differences over pairs of points.

    Parameters
    ----------
    space : FeatureSpace
    queries : ndarray of shape (m,), int32
    start : ndarray of shape (m + 1,), int
        Where the neighbours of each query start.
    index : ndarray of shape (E,), int32
    weights : ndarray of shape (E,)
    n_jobs : int or None

    Returns
    -------
    ndarray of shape (D,)
    """

    def add(first):
        sums = np.zeros(space.values.shape[1])
        part = slice(first, first + SUM_ROWS)
        starts = start[first : first + SUM_ROWS + 1]
        add_weighted(*space.kernel_arguments, queries[part], starts, index, weights, sums)
        return sums

    sums = np.zeros(space.values.shape[1])
    for some in run_threads(add, range(0, len(queries), SUM_ROWS), n_jobs):
        sums += some
    return space.in_feature_order(sums)
