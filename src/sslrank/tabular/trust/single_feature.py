"""Predict the target by one feature alone."""

import numpy as np
from sklearn.metrics import balanced_accuracy_score, r2_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sslrank.core.random_state import derive_seed
from sslrank.model_selection.stratified import deal


def within_one(X):
    """Scale columns to at most 1, as scikit-learn's trees use float32; missing values become -2."""
    largest = np.fmax.reduce(np.abs(X), axis=0, initial=np.finfo(np.float64).tiny)
    return np.nan_to_num(X / largest, nan=-2.0)


def score_alone(problem, feature, target, blocks, seed):
    """Compute the cross-validated score of a tree on one feature: balanced accuracy, or R squared for a number.

    Groups of `blocks`, or stretches of time, are kept in one fold.
    """
    y, rows = problem.target(target)
    x = within_one(problem.X[rows, feature, None])
    rng, fold = np.random.default_rng(derive_seed(seed, "leak")), np.empty(len(y), dtype=np.intp)
    if blocks.whole is not None:
        _, group = np.unique(blocks.whole[rows], return_inverse=True)
        fold = rng.permutation(group.max() + 1)[group] % 5
    else:
        for k, part in enumerate(deal(len(y), 5, rng, y)):
            fold[part] = k
    if len(np.unique(fold)) < 2 or len(np.unique(y)) < 2:
        return 0.0
    is_number = problem.task in ("regression", "multitarget")
    tree = (DecisionTreeRegressor if is_number else DecisionTreeClassifier)(min_samples_leaf=2, random_state=0)
    predicted = cross_val_predict(tree, x, y, cv=PredefinedSplit(fold))
    return (r2_score if is_number else balanced_accuracy_score)(y, predicted)
