from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coded import target_of
from sslrank.core.features import Features
from sslrank.core.targets import encode_targets
from sslrank.metrics.single import measure_for
from sslrank.models.knn import distance_weights, knn_predict
from sslrank.models.votes import predictions
from sslrank.rankers.relief.held_out import HeldOutScorer
from sslrank.rankers.relief.space import scaled_columns
from sslrank.testing import HIERARCHY

TASKS = ("classification", "multilabel", "hierarchical", "multitarget")  # neighbours in order for the last only


def problem(rng, n, n_columns, kind, task="classification"):
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
    signal = rng.normal(size=(n, 4))
    signal[:4] = np.abs(signal[:4]) * [[-1], [1], [-1], [1]]  # tests and training rows of both kinds
    y = target_of(task, signal)
    y[4:][rng.random(n - 4) < 0.3] = np.nan
    if y.ndim == 2:
        y[4:][rng.random(y[4:].shape) < 0.1] = np.nan
    hierarchy = HIERARCHY if task == "hierarchical" else None
    return Features(values, n_categories), encode_targets(y, n, task=task, hierarchy=hierarchy)


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(6, 90),
    n_columns=st.integers(1, 40),
    n_vectors=st.integers(1, 14),
    kind=st.sampled_from(["numeric", "nominal", "ties", "missing"]),
    outlier=st.sampled_from([1.0, 1e7, 1e12, 1e200]),
    task=st.sampled_from(TASKS),
)
def test_shared_search_equals_one_search_per_vector(seed, n, n_columns, n_vectors, kind, outlier, task):
    rng = np.random.default_rng(seed)
    features, targets = problem(rng, n, n_columns, kind, task)
    test = np.array([0, 1])
    train = np.arange(2, n)
    numeric = np.flatnonzero(~features.nominal)
    features.values[0, numeric] *= outlier  # far beyond the range of the training rows
    importances = rng.normal(size=(n_vectors, n_columns))
    importances[0, rng.random(n_columns) < 0.5] = 1e-9
    k = int(rng.integers(1, 12))
    known, unknown, near, far = plain(features, targets, train, test)
    judge = HeldOutScorer(features, targets, train, test, k)
    measure = measure_for(task)
    for vector, score, found in zip(importances, judge.scores(importances), predicted(judge, importances), strict=True):
        expected = knn_predict(near, known, far, vector, k)
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(score, measure.sign * measure(unknown, expected))


def predicted(judge, importances, n_jobs=None):
    votes = judge._search(np.array([distance_weights(vector) for vector in importances]), n_jobs)
    return [predictions(*of_vector, judge._k, judge._known) for of_vector in zip(*votes, strict=True)]


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
    known = np.concatenate([targets.values[labeled], np.full((2, targets.values.shape[1]), np.nan)])
    near = replace(features, values=np.concatenate([values[labeled], corners]))
    return replace(targets, values=known), targets.rows(test), near, replace(features, values=values[test])


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_many_rows_are_scored_in_threads(n_jobs, task):
    rng = np.random.default_rng(0)
    features, targets = problem(rng, 1200, 7, "missing", task)
    group = rng.random(1200) < 0.6
    train, test = np.flatnonzero(group), np.flatnonzero(~group & targets.labeled)
    assert len(test) > 256  # several tasks
    importances = rng.random((8, 7))
    known, _, near, far = plain(features, targets, train, test)
    judge = HeldOutScorer(features, targets, train, test, 20)
    for vector, found in zip(importances, predicted(judge, importances, n_jobs), strict=True):
        np.testing.assert_array_equal(found, knn_predict(near, known, far, vector, 20))


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("k", [2, 20])
def test_overflowing_scaled_values_are_handled(k):
    """Its column spans 1e-300 in the training rows and weighs nothing."""
    X = np.random.default_rng(0).random((8, 2))
    X[:, 1] *= 1e-300
    X[3, 1] = 1e300
    targets = encode_targets((X[:, 0] > 0.5).astype(float), 8, task="classification")
    features = Features(X, np.zeros(2, dtype=np.int32))
    test = np.array([3, 4])
    train = np.setdiff1d(np.arange(8), test)
    predicted = knn_predict(
        features.rows(train), targets.rows(train), features.rows(test), importances=np.array([1.0, 0.0]), n_neighbors=k
    )
    expected = measure_for("classification")(targets.rows(test), predicted)
    assert HeldOutScorer(features, targets, train, test, k).scores([np.array([1.0, 0.0])]) == [expected]
