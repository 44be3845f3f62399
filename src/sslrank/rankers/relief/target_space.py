"""Distances between targets: d_Y of paper ssl-ranking, section 5.1, for every kind of target."""

from dataclasses import dataclass

import numpy as np

from sslrank.core.features import scaled_columns

#: Number of distinct label sets compared at a time in the search for the largest distance.
LABEL_SETS = 1024


@dataclass(frozen=True)
class TargetSpace:
    """Targets in the form the kernels need: a distance is the weighted sum over the targets.

    Attributes
    ----------
    values : ndarray of shape (n, T), float64
        Classes or labels as codes, numbers scaled to [0, 1]; NaN is missing.
    weights : ndarray of shape (T,), float64
    nominal : bool
        Whether one target's distance is [a != b] or abs(a - b).
    """

    values: np.ndarray
    weights: np.ndarray
    nominal: bool


def target_space(targets, rows=None):
    """Scale targets for the distance in the target space.

    Classification: [a != b]. Regression: the mean over the targets of |a - b| / (max - min). Multi-label: the Hamming
    distance, the mean of [a != b] over the labels. Hierarchical: the Hamming distance weighted by the hierarchy, Eq.
    (7), times gamma, which scales the largest distance between two labelled rows to 1. (CLUS divides by the largest
    distance between two single classes, which rows with several paths can exceed.) If single targets are missing, a
    number t has distance max(t, 1 - t) from a missing one, two missing numbers have distance 1, and a label has
    distance 1/2 from a missing one.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
        Of n rows.
    rows : ndarray, optional
        Rows that determine the ranges and gamma, such as the training rows of a fold; all by default.

    Returns
    -------
    TargetSpace
    """
    values = np.ascontiguousarray(targets.values)
    seen = values if rows is None else values[rows]
    n_targets = values.shape[1]
    if targets.task == "none":
        return TargetSpace(values, np.empty(0), True)
    if targets.task == "hierarchical":
        return TargetSpace(values, targets.weights * hierarchy_scale(seen, targets.weights), True)
    if targets.task not in ("classification", "multilabel"):
        values = scaled_columns(values, seen)
    weights = np.full(n_targets, 1.0 / n_targets)
    return TargetSpace(values, weights, targets.task in ("classification", "multilabel"))


def hierarchy_scale(values, weights):
    """Compute gamma of Eq. (7): 1 over the largest weighted Hamming distance between two rows.

    Parameters
    ----------
    values : ndarray of shape (n, T)
        Labels 0/1; a missing one counts as 1/2 here, which is within 1/2 of every value.
    weights : ndarray of shape (T,)

    Returns
    -------
    float
        1 if all rows are equal.
    """
    known = values[~np.isnan(values).all(axis=1)]
    sets = np.unique(np.where(np.isnan(known), 0.5, known), axis=0)
    weighted = sets * weights
    size = weighted.sum(axis=1)
    largest = 0.0
    # |a - b| = a + b - 2 a b for 0/1 values; a missing label gives the required 1/2 as well.
    for start in range(0, len(sets), LABEL_SETS):
        block = slice(start, start + LABEL_SETS)
        distance = size[block, None] + size - 2.0 * (weighted[block] @ sets.T)
        largest = max(largest, float(distance.max()))
    return 1.0 / largest if largest > 0 else 1.0
