"""Coded features and targets for tests of what works on them."""

import numpy as np

from sslrank.core.features import Features
from sslrank.core.targets import encode_targets


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
