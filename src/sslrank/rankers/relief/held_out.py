"""Evaluate a setting of SSL-Relief by the kNN score of its importances on held-out labelled rows."""

import numpy as np

from sslrank.core.features import scaled_columns
from sslrank.metrics.single import measure_for
from sslrank.models.knn import distance_weights
from sslrank.models.votes import ballots, candidate_order, kernel_arrays, predictions
from sslrank.rankers.relief._weighted_neighbors import LANES, VECTORS, weighted_votes
from sslrank.rankers.relief.space import run_threads

#: Rows per task of the search.
QUERY_ROWS = 256
#: Votes counted at a time.
MAX_VOTES = 2**24
MAX_FLOAT = np.finfo(np.float64).max


class HeldOutScorer:
    """A split into training and test rows, prepared to evaluate many importance vectors.

    The score of a vector is bit for bit that of :func:`sslrank.models.knn.knn_predict`. Ranges of features are those of
    all training rows; only labelled rows can be neighbours.

    Parameters
    ----------
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets
    train : ndarray of int
        Training rows.
    test : ndarray of int
        Labelled rows to predict.
    n_neighbors : int
    """

    def __init__(self, features, targets, train, test, n_neighbors):
        self._measure = measure_for(targets.task)
        labeled = train[targets.labeled[train]]
        labeled = labeled[candidate_order(targets.values[labeled], targets.task in ("regression", "multitarget"))]
        self._k = min(n_neighbors, len(labeled))
        self._known, self._truth = targets.rows(labeled), targets.rows(test)
        self._ballots = ballots(self._known)
        values = features.values[np.concatenate([labeled, test])]
        numeric = np.flatnonzero(~features.nominal)
        scaled = scaled_columns(values[:, numeric], features.values[np.ix_(train, numeric)])
        values[:, numeric] = np.clip(scaled, -MAX_FLOAT, MAX_FLOAT)  # infinity times a weight of 0 is NaN
        groups = np.where(np.isnan(values).any(axis=0), 2, np.where(features.nominal, 1, 0))
        self._order = np.argsort(groups, kind="stable")
        self._n_numeric, self._n_nominal = int((groups == 0).sum()), int((groups == 1).sum())
        values = np.ascontiguousarray(values[:, self._order])
        self._rows, self._queries = values[: len(labeled)], values[len(labeled) :]
        self._panels = _transposed(self._rows, LANES)
        n_categories = np.maximum(features.n_categories[self._order], 1)
        self._miss = np.where(features.nominal[self._order], (1.0 - 1.0 / n_categories) ** 2, -1.0)

    def scores(self, importances, n_jobs=None):
        """Compute the scores of several importance vectors; higher is better.

        Parameters
        ----------
        importances : sequence of ndarrays of shape (D,)
        n_jobs : int or None

        Returns
        -------
        ndarray of shape (S,)
            NaN if the measure is undefined on the test rows.
        """
        used = [distance_weights(vector) for vector in importances]
        distinct = {vector.tobytes(): vector for vector in used}  # equal vectors are evaluated once
        most = max(1, MAX_VOTES // (len(self._queries) * self._ballots.shape[1]))
        scores, keys = {}, list(distinct)
        for start in range(0, len(keys), most):
            part = keys[start : start + most]
            votes = self._search(np.array([distinct[key] for key in part]), n_jobs)
            scores |= zip(part, run_threads(self._score, list(zip(*votes, strict=True)), n_jobs), strict=True)
        return np.array([scores[vector.tobytes()] for vector in used])

    def _search(self, weights, n_jobs):
        """Count votes under each weight vector, shape (S, m, n_targets), times the parts, shape (S, m)."""
        weights = np.ascontiguousarray(weights[:, self._order])
        single = _transposed(weights.astype(np.float32), VECTORS)
        shape, arrays = (len(weights), len(self._queries)), kernel_arrays(self._ballots)
        votes, parts = np.empty((*shape, self._ballots.shape[1])), np.empty(shape)

        def search(start):
            stop = min(start + QUERY_ROWS, len(self._queries))
            weighted_votes(
                self._rows,
                self._panels,
                self._queries,
                weights,
                single,
                self._miss,
                self._n_numeric,
                self._n_nominal,
                start,
                stop,
                self._k,
                *arrays,
                votes,
                parts,
            )

        for _ in run_threads(search, range(0, len(self._queries), QUERY_ROWS), n_jobs):
            pass
        return votes, parts

    def _score(self, votes):
        return self._measure.sign * self._measure(self._truth, predictions(*votes, self._k, self._known))


def _transposed(rows, size):
    """Arrange rows (n, D) as panels (ceil(n / size), D, size), padded with zeros."""
    panels = np.zeros((-(-len(rows) // size) * size, rows.shape[1]), dtype=rows.dtype)
    panels[: len(rows)] = rows
    return np.ascontiguousarray(panels.reshape(-1, size, rows.shape[1]).transpose(0, 2, 1))
