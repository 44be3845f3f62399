"""How a setting of SSL-Relief is judged: by the kNN score of its importances on labelled rows held out."""

from dataclasses import replace

import numpy as np

from sslrank.measures.single import measure_for
from sslrank.predictors.knn import knn_predict
from sslrank.rankers.relief.space import run_threads, scaled_columns


class Judge:
    """One split of the rows into training and test rows, ready to judge many importance vectors.

    The ranges of the features are those of all training rows, labelled or not. Only the labelled ones can be
    neighbours, so the columns are scaled here, once, and two unlabelled rows of zeros and of ones stand for
    all others: they keep kNN from scaling again.

    Parameters
    ----------
    features : sslrank.columns.Features
    targets : sslrank.targets.Targets
    train : ndarray of int
        Training rows.
    test : ndarray of int
        Labelled rows to predict.
    n_neighbors : int
    """

    def __init__(self, features, targets, train, test, n_neighbors):
        self._measure = measure_for(targets.task)
        self._n_neighbors = n_neighbors
        labeled = train[targets.labeled[train]]
        values = features.values[np.concatenate([labeled, test])]
        numeric = np.flatnonzero(~features.nominal)
        values[:, numeric] = scaled_columns(values[:, numeric], features.values[np.ix_(train, numeric)])
        corners = np.zeros((2, values.shape[1]))
        corners[1, numeric] = 1.0
        self._near = replace(features, values=np.concatenate([values[: len(labeled)], corners]))
        self._far = replace(features, values=values[len(labeled) :])
        unknown = np.full((2, targets.values.shape[1]), np.nan)
        self._known = replace(targets, values=np.concatenate([targets.values[labeled], unknown]))
        self._truth = targets.rows(test)

    def scores(self, importances, n_jobs=None):
        """Scores of several importance vectors, higher is better.

        Parameters
        ----------
        importances : sequence of ndarrays of shape (D,)
        n_jobs : int or None

        Returns
        -------
        ndarray of shape (S,)
            NaN where the measure is undefined on the test rows.
        """
        used = [np.maximum(vector, 0.0) for vector in importances]  # what kNN makes of them
        distinct = {vector.tobytes(): vector for vector in used}  # equal ones are judged once
        scores = dict(zip(distinct, run_threads(self._score, distinct.values(), n_jobs), strict=True))
        return np.array([scores[vector.tobytes()] for vector in used])

    def _score(self, weights):
        predictions = knn_predict(self._near, self._known, self._far, weights, self._n_neighbors)
        return self._measure.sign * self._measure(self._truth, predictions)
