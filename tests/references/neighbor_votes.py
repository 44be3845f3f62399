"""Weights of the k nearest rows, one query at a time."""

import numpy as np


def shared_weights(distances, k, tolerance=1e-9):
    """Rows nearer than the k-th distance weigh 1, those at it share what is left of k; shape (n_queries, n)."""
    weights = np.zeros(distances.shape)
    for q, row in enumerate(distances):
        kth = np.sort(row)[k - 1]
        nearer = row < kth * (1 - tolerance)
        tied = ~nearer & (row <= kth * (1 + tolerance))
        weights[q, nearer] = 1.0
        weights[q, tied] = (k - nearer.sum()) / tied.sum()
    return weights


def lower_row_weights(distances, k):
    """The first k rows in a stable sort by distance weigh 1; shape (n_queries, n)."""
    weights = np.zeros(distances.shape)
    np.put_along_axis(weights, np.argsort(distances, axis=1, kind="stable")[:, :k], 1.0, axis=1)
    return weights
