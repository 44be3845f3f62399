"""WEKA's random forest and the importance that it prints: a reading of the random forests of paper eca."""

import numpy as np

from sslrank.core.base import BaseRanker
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_count, resolve_size
from sslrank.rankers.committee.permutation_forest import MAX_FEATURES

#: Gains up to this count as 0.
SMALL = 1e-6


class GainForest(BaseRanker):
    """Supervised random forest; importance is the gain of a node that tests the feature, averaged over such nodes.

    This is the attribute importance of WEKA 3.8's RandomForest ("mean impurity decrease"). The gain is that of
    entropy in bits per row *of the node*: a node with few rows counts as much as the root, and a feature
    tested in many nodes no more than one tested once. Deep nodes are small and end pure, so that features tested only
    there have a high mean gain, and the order may be the reverse of a useful one. Use it to explain published numbers,
    not to rank.

    Trees are those of WEKA's RandomTree: unpruned, one branch per category, branches of one row; after
    `max_features` features the search goes on until one has a gain; rows that miss the tested value go into all
    branches, in proportion.

    Parameters
    ----------
    n_estimators : int, default=100
    max_features : "log2", "sqrt", int or float, default="log2"
        Features drawn in each node: "log2" is int(log2(D)) + 1 of D.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`. There is one thread.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        In bits; 0 for a feature that no node tests.
    """

    tasks = frozenset({"classification"})
    labeled_only = True
    n_estimators: int = 100
    max_features: float | str = "log2"

    def check_params(self):
        check_count("n_estimators", self.n_estimators)

    def rank_coded(self, features, targets):
        labels, n_features = targets.values[:, 0].astype(np.intp), features.shape[1]
        indicators = np.eye(max(targets.n_classes, 1))[labels]
        count = resolve_size("max_features", self.max_features, n_features, MAX_FEATURES)
        gains, nodes = np.zeros(n_features), np.zeros(n_features)
        for i in range(self.n_estimators):
            rng = np.random.default_rng(derive_seed(self.resolve_seed(), "tree", i))
            drawn = np.bincount(rng.integers(0, len(labels), len(labels)), minlength=len(labels)).astype(np.float64)
            rows = np.flatnonzero(drawn)
            stack = [(rows, drawn[rows])]
            while stack:
                rows, weights = stack.pop()
                found = best_test(features, indicators, rows, weights, count, rng)
                if found is None:
                    continue
                feature, gain, branches = found
                gains[feature] += gain
                nodes[feature] += 1
                stack.extend(branches)
        return gains / np.maximum(nodes, 1)


def best_test(features, indicators, rows, weights, count, rng):
    """Find the test of a node: the largest gain of `count` random features, or of more until one has a gain.

    Parameters
    ----------
    features : sslrank.core.features.Features
    indicators : ndarray of shape (n, n_classes)
        1 where a row has a class.
    rows : ndarray of int
        Rows of the node.
    weights : ndarray of float
        Their weights.
    count : int
    rng : numpy.random.Generator

    Returns
    -------
    tuple or None
        Feature, gain in bits, and the rows and weights of every branch; None for a leaf.
    """
    classes = indicators[rows]
    if weights.sum() < 2 or np.count_nonzero(weights @ classes) < 2:
        return None
    best = None
    for tried, feature in enumerate(rng.permutation(features.shape[1])):
        if tried >= count and best is not None:
            break
        gain, branches = split(features.values[rows, feature], features.n_categories[feature], classes, weights)
        if gain > SMALL and (best is None or (gain, -feature) > (best[1], -best[0])):
            best = (feature, gain, branches)
    if best is None:
        return None
    feature, gain, shares = best
    parts = [(rows[share > 0], (weights * share)[share > 0]) for share in shares]
    return feature, gain, [part for part in parts if len(part[0])]


def split(values, n_categories, classes, weights):
    """Compute the gain of testing one feature in a node, and each row's share in each branch.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN is missing.
    n_categories : int
        0 for a numeric feature.
    classes : ndarray of shape (n_rows, n_classes), 0 or 1
    weights : ndarray of shape (n_rows,)

    Returns
    -------
    gain : float
        Entropy of the class, in bits, minus its mean over the branches.
    shares : ndarray of shape (n_branches, n_rows)
        Sums to 1 over the branches; empty without gain.
    """
    known = ~np.isnan(values)
    if not known.any():
        return 0.0, []
    if n_categories:
        branch = np.zeros((n_categories, len(values)))
        branch[values[known].astype(np.intp), np.flatnonzero(known)] = 1
    else:
        order = np.flatnonzero(known)[np.argsort(values[known], kind="stable")]
        ordered, below = values[order], np.cumsum(classes[order] * weights[order, None], axis=0)
        ends = np.flatnonzero(ordered[:-1] < ordered[1:])
        if not len(ends):
            return 0.0, []
        conditional = _bits(below[ends]) + _bits(below[-1] - below[ends])
        end = ends[conditional.argmin()]
        left = values < (ordered[end] + ordered[end + 1]) / 2
        branch = np.array([left & known, ~left & known], dtype=np.float64)
    if not known.all():
        parts = branch @ weights
        branch[:, ~known] = (parts / parts.sum())[:, None]
    table = (branch * weights) @ classes
    return float((_bits(table.sum(axis=0)) - _bits(table).sum()) / weights.sum()), branch


def _bits(counts):
    """Entropy of each row of weights by class, times the row's sum, in bits."""
    counts = np.maximum(counts, 0.0)
    logs = np.log2(counts, out=np.zeros_like(counts), where=counts > 0)
    total = counts.sum(axis=-1)
    return total * np.log2(np.maximum(total, np.finfo(float).tiny)) - (counts * logs).sum(axis=-1)
