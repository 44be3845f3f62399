import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_regression
from sklearn.neighbors import KNeighborsRegressor

from coded import knn_score
from references.neighbor_votes import lower_row_weights, shared_weights
from references.relief import differences
from sslrank.core.features import Features, feature_ranges
from sslrank.core.targets import encode_targets
from sslrank.models.knn import distance_weights, knn_predict


def reference_distances(train, test, importances):
    """Eq. (6) squared and weighted."""
    weights = np.maximum(importances, 0)
    both = np.concatenate([test.values, train.values])
    pairs = differences(both, train.n_categories, train.values)[: test.shape[0], test.shape[0] :]
    return pairs**2 @ (weights if weights.any() else np.ones_like(weights))


def mixed_features(rng, n, n_numeric, n_nominal, missing):
    columns = [rng.integers(0, 4, n) / 4 * 10.0 ** rng.integers(-3, 4) for _ in range(n_numeric)]
    n_categories = [0] * n_numeric
    for _ in range(n_nominal):
        n_categories.append(int(rng.integers(1, 4)))
        columns.append(rng.integers(0, n_categories[-1], n).astype(float))
    values = np.column_stack(columns)
    values[rng.random(values.shape) < missing] = np.nan
    order = rng.permutation(values.shape[1])
    return Features(np.ascontiguousarray(values[:, order]), np.array(n_categories, dtype=np.int32)[order])


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 70),
    n_numeric=st.integers(1, 5),
    n_nominal=st.integers(0, 4),
    missing=st.sampled_from([0.0, 0.05, 0.6]),
    importance=st.sampled_from(["mixed", "none", "negative"]),
)
def test_neighbours_match_the_distance_formula(seed, n, n_numeric, n_nominal, missing, importance):
    rng = np.random.default_rng(seed)
    features = mixed_features(rng, n + 7, n_numeric, n_nominal, missing)
    train, test = features.rows(slice(0, n)), features.rows(slice(n, None))
    importances = {"mixed": 1.0, "none": 0.0, "negative": -1.0}[importance] * rng.normal(size=train.shape[1])
    if importance == "negative":
        importances = -np.abs(importances)
    k = int(rng.integers(1, n + 1))
    distances = reference_distances(train, test, importances)
    ks = sorted({k, int(rng.integers(1, n + 1))})
    np.testing.assert_array_equal(weights_of(train, test, importances, ks)[k], weights_of(train, test, importances, k))
    for k, found in weights_of(train, test, importances, ks).items():
        np.testing.assert_allclose(found, shared_weights(distances, k), atol=1e-12)
    first = weights_of(train, test, importances, k, ties="lower_row")
    np.testing.assert_allclose(first, first.round(), atol=1e-12)
    assert (first.round().sum(axis=1) == k).all()
    np.testing.assert_allclose((first * distances).sum(axis=1), np.sort(distances)[:, :k].sum(axis=1))


def weights_of(train, test, importances, ks, **options):
    """Weights of the training rows, from one label for each of them."""
    n = train.shape[0]
    targets = encode_targets(np.eye(n), n, task="multilabel")
    found = knn_predict(train, targets, test, importances, ks, **options)
    return {k: of_k * k for k, of_k in found.items()} if isinstance(found, dict) else found * ks


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 100), k=st.integers(1, 100))
def test_ties_are_shared_or_go_to_lower_row(seed, n, k):
    k = min(k, n)
    rng = np.random.default_rng(seed)
    kinds = rng.normal(size=(3, 5))
    rows = kinds[np.r_[0, 1, rng.integers(0, 3, n - 2)]]
    features = Features(rows, np.zeros(5, dtype=np.int32))
    importances = rng.random(5) + 0.1
    queries = Features(kinds, features.n_categories)
    distances = ((rows - kinds[:, None]) ** 2 * importances / np.ptp(rows, 0) ** 2).sum(axis=2).round(9)
    for ties, expected in (("shared", shared_weights), ("lower_row", lower_row_weights)):
        found = weights_of(features, queries, importances, k, ties=ties)
        np.testing.assert_allclose(found, expected(distances, k), atol=1e-12)
    one, same, other = (weights_of(features, queries, importances, k, ties="random", seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert n < 50 or k > 10 or (one != other).any()


def test_regression_agrees_with_scikit_learn_for_any_threads():
    X, y = make_regression(300, 8, n_targets=3, random_state=0)
    scaled = X / np.ptp(X[:200], axis=0)
    features = Features(X, np.zeros(8, dtype=np.int32))
    targets = encode_targets(y, 300)
    parts = features.rows(slice(0, 200)), targets.rows(slice(0, 200)), features.rows(slice(200, None))
    one = knn_predict(*parts, np.ones(8), [7, 500], n_jobs=1)
    two = knn_predict(*parts, np.ones(8), [7, 500], n_jobs=2)
    expected = KNeighborsRegressor(7).fit(scaled[:200], y[:200]).predict(scaled[200:])
    np.testing.assert_allclose(one[7], expected)
    np.testing.assert_allclose(one[500], np.broadcast_to(y[:200].mean(axis=0), (100, 3)))  # all of them vote
    for k in one:
        assert one[k].tobytes() == two[k].tobytes()


def test_labelled_rows_vote_and_all_rows_set_ranges():
    X_train = np.array([[0.0, 0.0], [1.0, 3.0], [100.0, 5.0], [1.0, 0.6]])
    y_train = np.array([0, 1, -1, -1])
    # With the range 100 of the first column, (1, 0) lies next to (0, 0); with the range 1 it would be (1, 3).
    score = knn_score(X_train, y_train, [[1.0, 0.5]], [0], np.ones(2), n_neighbors=1)
    assert score == 1.0


def test_partly_known_targets_average_known_values():
    features = Features(np.array([[0.0], [1.0], [2.0], [9.0]]), np.zeros(1, dtype=np.int32))
    y = np.array([[1.0, np.nan, np.nan], [3.0, np.nan, np.nan], [np.nan, np.nan, np.nan], [8.0, 6.0, np.nan]])
    targets = encode_targets(y, 4, task="multitarget")
    predicted = knn_predict(features, targets, features.rows([0]), [1.0], 2)
    # No neighbour knows the second target: its mean; no row at all the third.
    np.testing.assert_allclose(predicted, [[2.0, 6.0, 0.0]])


def test_classes_with_equal_votes_share_the_prediction():
    X = np.array([[0.0], [1.0]])
    for classes in ("ba", "ab"):
        assert knn_score(X, list(classes), [[0.0]], ["a"], [1.0], n_neighbors=2) == pytest.approx(1 / 3)


def test_scores_are_invariant_to_importance_scale():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(80, 4)), rng.normal(size=80)
    importances = rng.random(4)
    scores = [
        knn_score(X[:50], y[:50], X[50:], y[50:], importances * factor, n_neighbors=3)
        for factor in (1.0, 2.0**-1000, 2.0**900)
    ]
    assert scores[0] == scores[1] == scores[2]


def test_constant_missing_and_huge_columns_have_ranges():
    values = np.array([[5.0, np.nan, 1e308, 0], [5.0, np.nan, -1e308, 1]])
    low, spread = feature_ranges(Features(values, np.array([0, 0, 0, 2], dtype=np.int32)))
    np.testing.assert_array_equal(low, [5, 0, -1e308, 0])
    np.testing.assert_array_equal(spread, [1, 1, np.finfo(float).max, 1])
    X = np.array([[-1e308], [1e308], [0.9e308]])
    assert knn_score(X, [0, 1, 1], [[0.8e308]], [1], [1.0], n_neighbors=1) == 1.0


def test_bad_input_is_refused():
    X, y = np.zeros((3, 2)), np.array([0, 1, 1])
    rows = Features(X, np.zeros(2, dtype=np.int32))
    with pytest.raises(ValueError, match="no training row is labelled"):
        knn_score(X, np.array([-1, -1, -1]), X, y, [1, 1])
    with pytest.raises(ValueError, match="3 importances were given for 2 features"):
        knn_score(X, y, X, y, [1, 1, 1])
    with pytest.raises(ValueError, match="finite"):
        distance_weights([1, np.nan])
    with pytest.raises(ValueError, match="at least 1"):
        knn_score(X, y, X, y, [1, 1], n_neighbors=0)
    with pytest.raises(ValueError, match="neighbors must be one of 'labeled', 'all', got 'some'"):
        knn_predict(rows, encode_targets(y, 3), rows, [1, 1], 1, neighbors="some")
