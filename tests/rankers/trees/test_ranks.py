"""Codes of numeric columns against numpy.unique."""

import numpy as np
import pytest

from sslrank.rankers.trees._ranks import rank_columns


def columns_of(kind, n, random):
    if kind == "continuous":
        return random.normal(size=(n, 11))
    if kind == "few values":
        return random.integers(-3, 4, (n, 11)) * 0.25
    if kind == "zeros of both signs":
        return np.where(random.random((n, 11)) < 0.5, -0.0, 0.0) + (random.random((n, 11)) < 0.2)
    if kind == "extremes":
        return random.choice([-1e308, -5e-324, 0.0, 5e-324, 1e308], (n, 11))
    # Values that differ in their last bits only, which the keys do not hold: in part, or all of them.
    steps = random.integers(0, 3 if kind == "neighbours" else 8, (n, 11))
    whole = random.integers(0, 1 + n // 3, (n, 11)) if kind == "neighbours" else 1
    return -(whole + 1.0) * (1 + steps * np.finfo(float).eps)


@pytest.mark.parametrize("n", [1, 2, 300])
@pytest.mark.parametrize(
    "kind", ["continuous", "few values", "zeros of both signs", "extremes", "neighbours", "all neighbours"]
)
def test_ranks_equal_numpy_unique(kind, n):
    X = columns_of(kind, n, np.random.default_rng(n))
    wanted = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    codes = np.full((11, n), -7, dtype=np.int32)
    ranked = rank_columns(X, wanted, codes)
    assert list(ranked) == wanted
    assert (codes[1] == -7).all()
    for j in wanted:
        distinct, inverse, counts = np.unique(X[:, j], return_inverse=True, return_counts=True)
        np.testing.assert_array_equal(ranked[j][0], distinct)
        assert not np.signbit(ranked[j][0][ranked[j][0] == 0]).any()
        np.testing.assert_array_equal(codes[j], inverse)
        assert ranked[j][1:] == (np.argmax(counts), counts.max())


def test_columns_with_missing_values_are_left_out():
    X = np.arange(12.0).reshape(4, 3)
    X[2, 1] = np.nan
    assert list(rank_columns(X, [0, 1, 2], np.empty((3, 4), dtype=np.int32))) == [0, 2]
