"""Breiman's random forest and its permutation importance: the random forests of papers eca and ssfi."""

import math

import numpy as np
from joblib import Parallel, delayed
from sklearn.tree import DecisionTreeClassifier

from sslrank.core.base import WeightedRanker
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_count, resolve_size
from sslrank.rankers.committee.learners import learner_columns
from sslrank.rankers.committee.size import committee_size

MAX_FEATURES = {"log2": lambda p: int(np.log2(p)) + 1, "sqrt": lambda p: math.ceil(math.sqrt(p))}


class PermutationForest(WeightedRanker):
    """Rank features by the loss of a random forest's out-of-bag accuracy under permutation (Breiman 2001).

    For every tree, the values of a feature are permuted among the tree's out-of-bag rows, *one feature at a
    time*: all others keep their values. The loss of accuracy on these rows, averaged over the trees, is the
    importance. A feature that a tree does not test loses nothing there and is skipped. Trees are grown on the
    labelled rows only. A nominal feature is an indicator per category, and these are permuted together.

    Parameters
    ----------
    n_estimators : int or "auto", default=100
        "auto" is the committee size of paper ssfi, Eq. (1).
    max_features : "log2", "sqrt", int or float, default="log2"
        Columns drawn in each node: "log2" is int(log2(p)) + 1 of p columns, as in Breiman's paper.
    scaled : bool, default=False
        Divide the mean loss by its standard error over the trees (0 where that is 0).
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        Values below 0 are random variation.
    oob_score_ : float
        Accuracy of the forest's out-of-bag votes; NaN if no row was ever out of bag.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import PermutationForest
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> PermutationForest(n_estimators=20, random_state=0).fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    labeled_only = True
    n_estimators: int | str = 100
    max_features: float | str = "log2"
    scaled: bool = False

    def check_params(self):
        check_count("n_estimators", self.n_estimators, words=("auto",))

    def rank_coded(self, features, targets, sample_weight=None):
        n_estimators = committee_size(features.shape[1]) if self.n_estimators == "auto" else self.n_estimators
        labels = targets.values[:, 0].astype(np.intp)
        design = learner_columns(features)
        X = _single_precision(design.values)
        count, seed = resolve_size("max_features", self.max_features, X.shape[1], MAX_FEATURES), self.resolve_seed()
        of_trees = Parallel(n_jobs=self.n_jobs, require="sharedmem")(
            delayed(tree_losses)(X, labels, design, count, derive_seed(seed, "tree", i), sample_weight)
            for i in range(n_estimators)
        )
        sums, squares = np.zeros(features.shape[1]), np.zeros(features.shape[1])
        votes = np.zeros((len(labels), max(targets.n_classes, 1)), dtype=np.int64)
        for used, losses, oob, predicted in of_trees:  # in the order of the trees, whatever the threads did
            sums[used] += losses
            squares[used] += losses**2
            votes[oob, predicted] += 1
        voted = votes.any(axis=1)
        self.oob_score_ = float(np.mean(votes[voted].argmax(axis=1) == labels[voted])) if voted.any() else np.nan
        mean = sums / n_estimators
        if not self.scaled:
            return mean
        spread = np.maximum(squares / n_estimators - mean**2, 0.0)
        error = np.sqrt(spread / n_estimators)
        return np.divide(mean, error, out=np.zeros_like(mean), where=error > 0)


def _single_precision(values):
    """Cast columns to float32, as scikit-learn's trees do; columns whose values would then be equal become ranks."""
    X = np.clip(values, *(np.finfo(np.float32).min, np.finfo(np.float32).max)).astype(np.float32, order="C")
    for j in range(values.shape[1]):
        known = ~np.isnan(values[:, j])
        distinct, ranks = np.unique(values[known, j], return_inverse=True)
        if len(np.unique(X[known, j])) < len(distinct):
            X[known, j] = ranks
    return X


def tree_losses(X, labels, design, max_features, seed, sample_weight=None):
    """Grow one tree on a bootstrap sample and permute each of its features on the out-of-bag rows.

    Parameters
    ----------
    X : ndarray of shape (n, p), float32
    labels : ndarray of shape (n,), int
    design : sslrank.core.columns.Columns
        Which columns belong to which feature.
    max_features : int
    seed : int
    sample_weight : ndarray of shape (n,), optional
        Weights of rows, in the tree and in its accuracy.

    Returns
    -------
    used : ndarray of int
        Features that the tree tests.
    losses : ndarray of shape (len(used),)
        Out-of-bag accuracy minus the accuracy after the feature is permuted.
    oob, predicted : ndarray of int
        Out-of-bag rows and their predicted labels.
    """
    rng = np.random.default_rng(seed)
    n = len(labels)
    weights = np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
    oob = np.flatnonzero(weights == 0)
    tree = DecisionTreeClassifier(max_features=max_features, random_state=seed)
    tree.fit(X, labels, sample_weight=weights if sample_weight is None else weights * sample_weight, check_input=False)
    grown = tree.tree_
    used = np.unique(design.owner[grown.feature[grown.feature >= 0]]) if grown.node_count > 1 else np.array([], int)
    if oob.size == 0:
        return used[:0], np.zeros(0), oob, oob
    label_of_leaf = tree.classes_[np.argmax(grown.value[:, 0, :], axis=1)].astype(np.intp)
    rows, truth = X[oob], labels[oob]
    predicted = label_of_leaf[grown.apply(rows)]
    counted = None if sample_weight is None else sample_weight[oob]
    right = _weight_of(predicted == truth, counted)
    losses = np.empty(len(used))
    for k, feature in enumerate(used):
        columns = slice(design.starts[feature], design.starts[feature + 1])
        kept = rows[:, columns].copy()
        rows[:, columns] = kept[rng.permutation(len(oob))]
        losses[k] = right - _weight_of(label_of_leaf[grown.apply(rows)] == truth, counted)
        rows[:, columns] = kept  # restored before the next feature is permuted
    return used, losses / (len(oob) if counted is None else counted.sum()), oob, predicted


def _weight_of(rows, weights):
    """Number of True values, or the sum of their weights."""
    return np.count_nonzero(rows) if weights is None else weights[rows].sum()
