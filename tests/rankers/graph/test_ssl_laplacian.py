"""The semi-supervised Laplacian score against its equations, written out densely."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

from references import graph as reference
from sslrank import get_ranker
from sslrank.rankers.graph.ssl_laplacian import SSLLaplacianScore


def dense_score(values, y, k, lam, c):
    """Eqs. (2.21) to (2.25), known and unknown the right way round."""
    known = ~np.isnan(y)
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    y = y / y[known].std()
    of_targets = np.exp(-((y[:, None] - y[None]) ** 2) / lam)  # NaN unless both are known
    of_features = np.exp(-reference.squared_distances(values) / values.shape[1] / lam)
    close = reference.neighbors(values, k)
    similarity = close * np.where(known[:, None] & known[None], c * of_targets, of_features)
    supervised = reference.neighbors(values[known], k) * of_targets[np.ix_(known, known)]
    sls = np.array([reference.laplacian_score(f, supervised) for f in values[known].T])
    return np.array([reference.laplacian_score(f, similarity) for f in values.T]) * sls, sls


def data(n=80, d=6, n_labeled=30, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.logspace(-2, 3, d)
    y = X[:, 2] / X[:, 2].std() + 0.1 * rng.normal(size=n)
    y[n_labeled:] = np.nan
    return X, y


@pytest.mark.parametrize(("k", "lam", "c"), [(5, 1.0, 5.0), (3, 0.3, 1.0), (200, 2.0, 10.0)])
def test_scores_match_equations(k, lam, c):
    X, y = data()
    expected, _ = dense_score(X, y, k, lam, c)
    ranker = SSLLaplacianScore(n_neighbors=k, lam=lam, label_weight=c).fit(X, y)
    np.testing.assert_allclose(ranker.scores_, expected, rtol=1e-10)
    np.testing.assert_allclose(ranker.feature_importances_, expected.max() + expected.min() - expected, rtol=1e-10)


def test_supervised_score_uses_labelled_rows_only():
    X, y = data()
    _, expected = dense_score(X[:30], y[:30], 5, 1.0, 1.0)
    ranker = SSLLaplacianScore(supervised=True).fit(X, y)
    np.testing.assert_allclose(ranker.scores_, expected, rtol=1e-10)


def test_nominal_score_is_sum_over_columns():
    X, y = data()
    codes = np.random.default_rng(1).integers(0, 3, len(X))
    frame = pd.DataFrame(X).rename(columns=str)
    frame["kind"] = pd.Categorical.from_codes(codes, ["a", "b", "c", "never"])
    ranker = SSLLaplacianScore().fit(frame, y)
    one_hot = np.column_stack([X, codes[:, None] == np.arange(3)])
    expected, _ = dense_score(one_hot, y, 5, 1.0, 5.0)
    np.testing.assert_allclose(ranker.scores_, [*expected[:6], expected[6:].sum()], rtol=1e-10, atol=1e-12)


def test_constant_features_rank_last():
    X, y = data()
    X[:, 1] = 3.5
    X[:, 4] = np.nan
    ranker = SSLLaplacianScore().fit(X, y)
    worst = ranker.scores_.max()
    assert ranker.scores_[1] == ranker.scores_[4] == worst
    assert ranker.feature_importances_[1] == ranker.feature_importances_.min()
    assert np.isfinite(ranker.feature_importances_).all()
    kept = SSLLaplacianScore().fit(X[:, [0, 2, 3, 5]], y)
    np.testing.assert_allclose(ranker.scores_[[0, 2, 3, 5]], kept.scores_, rtol=1e-10)
    np.testing.assert_array_equal(SSLLaplacianScore().fit(np.ones((9, 3)), y[:9]).scores_, 0.0)


def test_units_do_not_matter_even_where_squares_overflow():
    X, y = data()
    expected = SSLLaplacianScore().fit(X, y).scores_
    np.testing.assert_allclose(SSLLaplacianScore().fit(X * 2.0**600, y).scores_, expected, rtol=1e-10)


def test_few_labelled_rows_are_accepted():
    X, y = data()
    for labeled in ([], [3], [3, 7]):
        some = np.where(np.isin(np.arange(len(y)), labeled), y, np.nan)
        assert np.isfinite(SSLLaplacianScore(task="regression").fit(X, some).feature_importances_).all()
    with pytest.raises(ValueError, match="at least one labelled row"):
        SSLLaplacianScore(task="regression", supervised=True).fit(X, np.full(len(y), np.nan))


def test_memory_is_far_below_all_pairs():
    """8,000 rows: the distances of all pairs would take 512 MB."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8000, 16))
    y = X[:, 0] + X[:, 1] ** 2
    y[500:] = np.nan
    tracemalloc.start()
    get_ranker("ssl_laplacian").fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 150e6
