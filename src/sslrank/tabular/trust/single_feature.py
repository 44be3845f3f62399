"""Predict the target by one feature alone."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sslrank.core.random_state import derive_seed


def within_one(X):
    """Scale columns to at most 1, as scikit-learn's trees use float32; missing values become -2."""
    largest = np.fmax.reduce(np.abs(X), axis=0, initial=np.finfo(np.float64).tiny)
    return np.nan_to_num(X / largest, nan=-2.0)


def score_alone(problem, feature, target, blocks, seed):
    """Cross-validated score of a tree on one feature: balanced accuracy, or R squared of a number.

    Groups of `blocks`, or stretches of time, stay in one fold.
    """
    y, rows = problem.target(target)
    x = within_one(problem.X[rows, feature, None])
    rng = np.random.default_rng(derive_seed(seed, "leak"))
    if blocks.whole is not None:
        _, group = np.unique(blocks.whole[rows], return_inverse=True)
        fold = rng.permutation(group.max() + 1)[group] % 5
    else:
        shuffled = rng.permutation(len(y))
        shuffled = shuffled[np.argsort(y[shuffled], kind="stable")]
        fold = np.empty(len(y), dtype=np.intp)
        fold[shuffled] = np.arange(len(y)) % 5
    is_number = problem.task in ("regression", "multitarget")
    predicted = np.full(len(y), np.nan)
    for k in np.unique(fold):
        train, test = fold != k, fold == k
        if not train.any():
            return 0.0
        tree = (DecisionTreeRegressor if is_number else DecisionTreeClassifier)(min_samples_leaf=2, random_state=0)
        predicted[test] = tree.fit(x[train], y[train]).predict(x[test])
    if is_number:
        return 1 - np.mean((y - predicted) ** 2) / y.var() if y.var() > 0 else 0.0
    classes = np.unique(y)
    return float(np.mean([(predicted[y == value] == value).mean() for value in classes])) if len(classes) > 1 else 0.0
