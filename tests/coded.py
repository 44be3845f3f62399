"""Coded features and targets for tests of what works on them."""

import numpy as np
import pandas as pd

from sslrank.core.features import Features, encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation.noise import noise_curves, noise_summary
from sslrank.metrics.multilabel import MEASURES
from sslrank.metrics.single import score
from sslrank.models.knn import knn_predict


def features_of(X, levels=()):
    """Features with nominal columns, as {column: number of levels}."""
    n_categories = np.zeros(X.shape[1], dtype=np.int32)
    for j, count in dict(levels).items():
        n_categories[j] = count
    return Features(np.ascontiguousarray(X, dtype=np.float64), n_categories)


def numbers(y):
    return encode_targets(y, len(y), task="regression")


def classes(y):
    return encode_targets(y, len(y), task="classification")


def target_of(task, signal):
    """A target of a kind that four columns say; a hierarchical one has the hierarchy of :mod:`sslrank.testing`."""
    if task == "classification":
        return np.digitize(signal[:, 0], [-0.5, 0.5]).astype(float)
    if task in ("regression", "multitarget"):
        return signal[:, 0].copy() if task == "regression" else signal[:, :3].copy()
    labels = (signal > 0).astype(float)
    if task == "hierarchical":
        labels[:, 1:3] = np.maximum(labels[:, 1:3], labels[:, 3:])
        labels[:, 0] = labels.max(axis=1)
    return labels


def knn_score(X_train, y_train, X_test, y_test, importances, n_neighbors=20, **options):
    """Score of predictions of test rows by weighted nearest neighbours; `options` say how y is to be read."""
    features = encode_features(np.concatenate([X_train, X_test]))
    targets = encode_targets(np.concatenate([y_train, y_test]), features.shape[0], **options)
    train, test = slice(0, len(X_train)), slice(len(X_train), None)
    parts = features.rows(train), targets.rows(train), features.rows(test)
    return score(targets.rows(test), knn_predict(*parts, importances, n_neighbors))


def all_measures(Y, F, P=None):
    """All measures of several labels; by default those with a score above 0.5 are predicted."""
    P = np.asarray(F) > 0.5 if P is None else P
    return {name: measure(Y, F if ranks else P) for name, (measure, ranks, _) in MEASURES.items()}


def noise_experiment(name, thetas, **options):
    """Curves of the truth and of rankings with noise, and the summary of these; see :mod:`sslrank.evaluation.noise`."""
    parts = {theta: noise_curves(name, theta, **options) for theta in (None, *thetas)}
    curves = pd.concat([curves for curves, _ in parts.values()], ignore_index=True)
    return curves, noise_summary(curves, {f"{theta:g}": parts[theta][1] for theta in thetas})


def raw_problem(task, n=90, seed=0):
    """Columns with gaps, of which the last is nominal, a target of a kind that two of them say, and its hierarchy."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    X[:, 5] = rng.integers(0, 3, n)
    X[rng.random(X.shape) < 0.05] = np.nan
    signal = np.nan_to_num(X)
    labels = np.column_stack([signal[:, 0] > -1, (signal[:, 0] > 0), signal[:, 1] > 0]).astype(float)
    y = {
        "classification": (signal[:, 0] > 0).astype(int) + (signal[:, 1] > 0),
        "regression": signal[:, 0] + 0.1 * signal[:, 1],
        "multitarget": signal[:, :2] + 0.1,
        "survival": np.column_stack([np.exp(signal[:, 0]), signal[:, 1] > -1]),
    }.get(task, labels)
    return X, y, [[], [0], [0]] if task == "hierarchical" else None


def coded_problem(task):
    """Features and targets of :func:`raw_problem`."""
    X, y, hierarchy = raw_problem(task)
    return encode_features(X, [5]), encode_targets(y, len(X), task=task, hierarchy=hierarchy)
