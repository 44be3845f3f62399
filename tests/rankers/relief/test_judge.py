from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sslrank.columns import Features
from sslrank.measures.single import measure_for
from sslrank.predictors.knn import NeighborIndex, distance_weights, knn_predict
from sslrank.rankers.relief.judge import Judge
from sslrank.rankers.relief.space import scaled_columns
from sslrank.targets import encode_targets


def problem(rng, n, n_columns, kind):
    values = rng.normal(size=(n, n_columns))
    n_categories = np.zeros(n_columns, dtype=np.int32)
    if kind != "numeric":
        nominal = rng.random(n_columns) < 0.4
        n_categories[nominal] = rng.integers(1, 100, nominal.sum())
        values[:, nominal] = rng.integers(0, n_categories[nominal], (n, nominal.sum()))
    if kind == "ties":
        values = np.where(n_categories > 0, np.minimum(values, 1), np.round(values))
    if kind == "missing":
        values[:, rng.random(n_columns) < 0.5] = np.where(rng.random((n, 1)) < 0.3, np.nan, 1.0)
        values[rng.random(values.shape) < 0.2] = np.nan
    y = np.where(rng.random(n) < 0.7, rng.integers(0, 3, n), np.nan)
    y[:4] = 0, 1, 0, 1
    features = Features(values, n_categories)
    return features, encode_targets(y, n, task="classification")


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(6, 90),
    n_columns=st.integers(1, 40),
    n_vectors=st.integers(1, 14),
    kind=st.sampled_from(["numeric", "nominal", "ties", "missing"]),
    outlier=st.sampled_from([1.0, 1e7, 1e12, 1e200]),
    ordered=st.booleans(),
)
def test_neighbours_and_scores_are_those_of_one_search_per_vector(
    seed, n, n_columns, n_vectors, kind, outlier, ordered
):
    rng = np.random.default_rng(seed)
    features, targets = problem(rng, n, n_columns, kind)
    test = np.array([0, 1])
    train = np.arange(2, n)
    numeric = np.flatnonzero(~features.nominal)
    features.values[0, numeric] *= outlier  # far beyond the range of the training rows
    importances = rng.normal(size=(n_vectors, n_columns))
    importances[0, rng.random(n_columns) < 0.5] = 1e-9
    k = int(rng.integers(1, 12))
    known, unknown, near, far = plain(features, targets, train, test)
    judge = Judge(features, targets, train, test, k)
    judge._ordered = ordered  # else only of numeric targets
    found = judge._search(np.array([distance_weights(vector) for vector in importances]), None)
    measure = measure_for("classification")
    for vector, score, of_vector in zip(importances, judge.scores(importances), found, strict=True):
        assert score == measure(unknown, knn_predict(near, known, far, vector, k))
        index = NeighborIndex(near, np.flatnonzero(known.labeled), vector)
        expected = index.query(far, of_vector.shape[1])
        np.testing.assert_array_equal(*((of_vector, expected) if ordered else map(np.sort, (of_vector, expected))))


def plain(features, targets, train, test):
    """Targets and features of labelled training rows and of test rows, scaled once.

    Two unlabelled rows, of zeros and of ones, keep kNN from scaling again.
    """
    labeled = train[targets.labeled[train]]
    numeric = np.flatnonzero(~features.nominal)
    values = features.values.copy()
    values[:, numeric] = scaled_columns(values[:, numeric], values[np.ix_(train, numeric)])
    corners = np.zeros((2, features.shape[1]))
    corners[1, numeric] = 1.0
    known = np.concatenate([targets.values[labeled], np.full((2, 1), np.nan)])
    near = replace(features, values=np.concatenate([values[labeled], corners]))
    return replace(targets, values=known), targets.rows(test), near, replace(features, values=values[test])


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_many_rows_in_threads(n_jobs, ordered):
    rng = np.random.default_rng(0)
    features, targets = problem(rng, 1200, 7, "missing")
    group = rng.random(1200) < 0.6
    train, test = np.flatnonzero(group), np.flatnonzero(~group & targets.labeled)
    assert len(test) > 256  # several tasks
    importances = rng.random((8, 7))
    known, _, near, far = plain(features, targets, train, test)
    judge = Judge(features, targets, train, test, 20)
    judge._ordered = ordered
    found = judge._search(np.array([distance_weights(vector) for vector in importances]), n_jobs)
    for vector, of_vector in zip(importances, found, strict=True):
        index = NeighborIndex(near, np.flatnonzero(known.labeled), vector)
        expected = index.query(far, 20)
        np.testing.assert_array_equal(*((of_vector, expected) if ordered else map(np.sort, (of_vector, expected))))
