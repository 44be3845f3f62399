"""Predictions of small forests of Extra-Trees on nested feature sets."""

from dataclasses import dataclass

import numpy as np

from sslrank.core.features import Features
from sslrank.rankers.trees.coding import encode_table
from sslrank.rankers.trees.growing import GrowthSettings, Problem, grow_forest


@dataclass(frozen=True)
class Forest:
    """Extra-Trees as a predictor of curves.

    Parameters
    ----------
    n_estimators : int, default=25
    min_samples_leaf : float, default=2
    seed : int, default=0
    """

    n_estimators: int = 25
    min_samples_leaf: float = 2.0
    seed: int = 0

    def predictions(self, features, targets, n_train, order, sizes):
        """Predict test rows with the first features of an order.

        Parameters
        ----------
        features, targets : Features, Targets
            Of the training rows, then the test rows.
        n_train : int
        order : ndarray of shape (D,), int
        sizes : sequence of int

        Yields
        ------
        ndarray of shape (n_test, n_classes) or (n_test, T)
            Shares of classes, or means.
        """
        train, test = np.arange(n_train), np.arange(n_train, features.shape[0])
        for size in sizes:
            best = order[:size]
            part = Features(np.ascontiguousarray(features.values[:, best]), features.n_categories[best])
            growth = GrowthSettings(
                max_features=int(np.ceil(np.sqrt(size))),
                random_tests=True,
                bootstrap=False,
                min_samples_leaf=self.min_samples_leaf,
                min_labeled_split=2.0,
                max_depth=None,
                target_scale="all",
            )
            problem = Problem(part, targets, encode_table(part, allow_sparse=False))
            grown = grow_forest(
                problem, train, [1.0], growth, self.n_estimators, self.seed, predict=test, only_predict=True
            )
            yield grown.predictions[0] / self.n_estimators
