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
