"""Predictions of ridge regression on nested feature sets."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LinearModel:
    """Ridge regression of numbers, or of the indicators of classes with equal total weights, as a predictor of curves.

    Parameters
    ----------
    alpha : float, default=0.1
        Penalty, for columns scaled to [0, 1].
    """

    alpha: float = 0.1

    def predictions(self, X, Y, X_test, widths, weights):
        """Predict test rows with the first columns.

        Parameters
        ----------
        X : ndarray of shape (n, W)
        Y : ndarray of shape (n, T)
        X_test : ndarray of shape (n_test, W)
        widths : sequence of int
            Numbers of columns.
        weights : ndarray of shape (n,)
            Weights of the training rows, with mean 1.

        Yields
        ------
        ndarray of shape (n_test, T)

        Examples
        --------
        >>> X, weights = np.array([[0.0], [1.0]]), np.ones(2)
        >>> next(LinearModel(alpha=1e-9).predictions(X, X, np.array([[0.5]]), [1], weights))
        array([[0.5]])
        """
        mean, mean_Y = weights @ X / len(X), weights @ Y / len(X)
        root = np.sqrt(weights)[:, None]
        A, B, Z = root * (X - mean), root * (Y - mean_Y), X_test - mean
        for width in widths:
            part = A[:, :width]
            if width <= len(A):
                slope = np.linalg.solve(part.T @ part + self.alpha * np.eye(width), part.T @ B)
                yield Z[:, :width] @ slope + mean_Y
            else:
                dual = np.linalg.solve(part @ part.T + self.alpha * np.eye(len(A)), B)
                yield Z[:, :width] @ (part.T @ dual) + mean_Y
