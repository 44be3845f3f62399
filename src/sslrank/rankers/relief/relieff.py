"""ReliefF and RReliefF, the supervised originals (Robnik-Šikonja and Kononenko 2003)."""

import numpy as np

from sslrank.core.base import BaseRanker
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_count, check_number
from sslrank.rankers.relief._sums import add_weighted
from sslrank.rankers.relief.grid import SUM_ROWS, relief_score
from sslrank.rankers.relief.space import FeatureSpace, run_threads
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
    Distances, missing values and ties are those of :class:`sslrank.rankers.relief.space.FeatureSpace`.

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
        space = FeatureSpace(features)
        queries = self._queries(space.n_rows)
        present, group = np.unique(targets.values[:, 0], return_inverse=True)
        n_classes = len(present)
        neighbors = space.neighbors(
            self.n_neighbors,
            group=group.astype(np.int32),
            n_groups=n_classes,
            queries=queries,
            n_jobs=self.n_jobs,
        )
        priors = np.bincount(group) / len(group)
        own = group[queries]
        others = 1.0 - priors[own]
        weight = priors / np.where(others > 0, others, 1.0)[:, None]
        weight[np.arange(len(queries)), own] = -1.0
        some = neighbors.index >= 0
        weight = weight / np.maximum(some.sum(axis=2), 1)
        weights = np.where(some, weight[:, :, None], 0.0).reshape(len(queries), -1, 1)
        index = neighbors.index.reshape(len(queries), -1)
        return weighted_sums(space, queries, index, weights, self.n_jobs)[0] / len(queries)


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
    Distances, missing values and ties are those of :class:`sslrank.rankers.relief.space.FeatureSpace`.

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
        index = space.neighbors(self.n_neighbors, queries=queries, n_jobs=self.n_jobs).index[:, 0]
        rank = np.arange(1, index.shape[1] + 1)
        near = np.ones(len(rank)) if self.sigma is None else np.exp(-((rank / self.sigma) ** 2))
        weights = np.where(index >= 0, near, 0.0)
        weights /= np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        y = target_space(targets).values[:, 0]
        differ = weights * np.abs(y[queries][:, None] - y[index])
        feature, both = weighted_sums(space, queries, index, np.stack([weights, differ], axis=2), self.n_jobs)
        return relief_score(both, feature, differ.sum(), weights.sum())


def weighted_sums(space, queries, index, weights, n_jobs):
    """Sum weighted feature differences over pairs of rows.

    Parameters
    ----------
    space : FeatureSpace
    queries : ndarray of shape (m,), int32
    index : ndarray of shape (m, P), int32
        Neighbours of the queries, -1 for none.
    weights : ndarray of shape (m, P, C)
    n_jobs : int or None

    Returns
    -------
    ndarray of shape (C, D)
    """
    shape = (weights.shape[2], space.values.shape[1])

    def add(start):
        block = slice(start, start + SUM_ROWS)
        sums = np.zeros(shape)
        pairs = np.ascontiguousarray(index[block]), np.ascontiguousarray(weights[block])
        add_weighted(*space.kernel_arguments, queries[block], *pairs, sums)
        return sums

    sums = np.zeros(shape)
    for some in run_threads(add, range(0, len(queries), SUM_ROWS), n_jobs):
        sums += some
    return space.in_feature_order(sums)
