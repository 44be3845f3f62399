"""Breiman's random forest and its permutation importance: ranker "rf" of papers eca and ssfi."""

import numpy as np
from joblib import Parallel, delayed
from sklearn.tree import DecisionTreeClassifier

from sslrank.base import BaseRanker
from sslrank.rankers.committee.design import Design
from sslrank.rankers.committee.size import committee_size
from sslrank.seeds import derive_seed


class PermutationForest(BaseRanker):
    """Supervised random forest; importance is the loss of out-of-bag accuracy by permutation (Breiman 2001).

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
    n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.base.BaseRanker`.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        May be negative: chance.
    oob_score_ : float
        Accuracy of the forest's out-of-bag votes; NaN if no row was ever out of bag.
    """

    _tasks = frozenset({"classification"})

    def __init__(
        self,
        n_estimators=100,
        max_features="log2",
        scaled=False,
        n_features_to_select=None,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.scaled = scaled
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _rank(self, features, targets):
        n_estimators = committee_size(features.shape[1]) if self.n_estimators == "auto" else self.n_estimators
        if isinstance(n_estimators, str) or n_estimators < 1:
            raise ValueError(f"n_estimators must be 'auto' or at least 1, got {self.n_estimators!r}")
        if not targets.labeled.any():
            raise ValueError(f"{type(self).__name__} needs at least one labelled row, y has none")
        labeled = targets.labeled
        labels = targets.values[labeled, 0].astype(np.intp)
        design = Design.of(features.rows(labeled))
        # scikit-learn's trees compare in single precision.
        X = np.clip(design.values.T, *(np.finfo(np.float32).min, np.finfo(np.float32).max))
        X = np.ascontiguousarray(X, dtype=np.float32)
        count, seed = self._n_columns(X.shape[1]), self._seed()
        of_trees = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(tree_losses)(X, labels, design, count, derive_seed(seed, "tree", i)) for i in range(n_estimators)
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

    def _n_columns(self, n_columns):
        wanted = self.max_features
        if wanted == "log2":
            return min(n_columns, int(np.log2(n_columns)) + 1)
        if wanted == "sqrt":
            return int(np.ceil(np.sqrt(n_columns)))
        if isinstance(wanted, int | np.integer) and not isinstance(wanted, bool) and wanted >= 1:
            return min(n_columns, int(wanted))
        if isinstance(wanted, float) and 0 < wanted <= 1:
            return max(1, int(np.ceil(wanted * n_columns)))
        raise ValueError(f"max_features must be 'log2', 'sqrt', an int >= 1 or a float in (0, 1], got {wanted!r}")


def tree_losses(X, labels, design, max_features, seed):
    """Grow one tree on a bootstrap sample and permute its features out of bag.

    Parameters
    ----------
    X : ndarray of shape (n, p), float32
    labels : ndarray of shape (n,), int
    design : Design
        Which columns belong to which feature.
    max_features : int
    seed : int

    Returns
    -------
    used : ndarray of int
        Features that the tree tests.
    losses : ndarray of shape (len(used),)
        Accuracy out of bag minus the accuracy after permuting the feature.
    oob, predicted : ndarray of int
        Out-of-bag rows and their predicted labels.
    """
    rng = np.random.default_rng(seed)
    n = len(labels)
    weights = np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
    oob = np.flatnonzero(weights == 0)
    tree = DecisionTreeClassifier(max_features=max_features, random_state=seed)
    tree.fit(X, labels, sample_weight=weights, check_input=False)
    grown = tree.tree_
    used = np.unique(design.owner(grown.feature[grown.feature >= 0])) if grown.node_count > 1 else np.array([], int)
    if oob.size == 0:
        return used[:0], np.zeros(0), oob, oob
    label_of_leaf = tree.classes_[np.argmax(grown.value[:, 0, :], axis=1)].astype(np.intp)
    rows, truth = X[oob], labels[oob]
    predicted = label_of_leaf[grown.apply(rows)]
    right = np.count_nonzero(predicted == truth)
    losses = np.empty(len(used))
    for k, feature in enumerate(used):
        columns = slice(design.starts[feature], design.starts[feature + 1])
        kept = rows[:, columns].copy()
        rows[:, columns] = kept[rng.permutation(len(oob))]
        losses[k] = right - np.count_nonzero(label_of_leaf[grown.apply(rows)] == truth)
        rows[:, columns] = kept  # the next feature must meet this one as it was
    return used, losses / len(oob), oob, predicted
