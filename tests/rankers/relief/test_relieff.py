"""ReliefF and RReliefF: worked by hand, and against plain NumPy."""

import numpy as np
import pytest

from references import relief as reference
from sslrank.rankers.relief.relieff import ReliefF, RReliefF


def test_relieff_matches_hand_computation():
    """Ten rows, three classes with priors 5/10, 3/10 and 2/10, one neighbour per class.

    row  class  x1  x2   nearest A    B      C     (row: |difference| of x1, difference of x2)
      0    A     0   a       1: 1,0  5: 3,0  9: 8,0
      1    A     1   a       0: 1,0  5: 2,0  9: 7,0    rows 0 and 2 are equally near: half of each
      2    A     2   a       1: 1,0  5: 1,0  9: 6,0
      3    A     5   b       4: 5,0  6: 1,0  8: 1,0
      4    A    10   b       3: 5,0  7: 3,0  8: 4,0
      5    B     3   a       2: 1,0  6: 1,1  9: 5,0
      6    B     4   b       3: 1,0  7: 3,0  8: 2,0
      7    B     7   b       3: 2,0  6: 3,0  8: 1,0
      8    C     6   b       3: 1,0  7: 1,0  9: 2,1
      9    C     8   a       2: 6,0  5: 5,0  8: 2,1

    x1, times 10 rows and the range 10: class A: -13 + (3/5) 10 + (2/5) 26 = 17/5; class B:
    -7 + (5/7) 4 + (2/7) 8 = -13/7; class C: -4 + (5/8) 7 + (3/8) 6 = 21/8. x2, times 10 rows: -1 - 2.
    """
    x1 = np.array([0, 1, 2, 5, 10, 3, 4, 7, 6, 8.0])
    x2 = np.array([0, 0, 0, 1, 1, 0, 1, 1, 1, 0.0])
    y = np.array(list("AAAAABBBCC"))
    ranker = ReliefF(n_neighbors=1, categorical_features=[1]).fit(np.column_stack([x1, x2]), y)
    expected = [(17 / 5 - 13 / 7 + 21 / 8) / 100, -3 / 10]
    np.testing.assert_allclose(ranker.feature_importances_, expected, rtol=0, atol=1e-12)


def plain_relieff(values, n_categories, y, k):
    d = reference.differences(values, n_categories)
    total = reference.rounded(d.mean(axis=2))
    n = len(y)
    share = {c: np.mean(y == c) for c in np.unique(y)}
    importances = np.zeros(values.shape[1])
    for r in range(n):
        for c in share:
            others = np.array([j for j in np.flatnonzero(y == c) if j != r], dtype=int)
            if len(others):
                w = -1.0 if c == y[r] else share[c] / (1.0 - share[y[r]])
                near = reference.shared_ranks(total[r, others], np.ones(k)) / min(k, len(others))
                importances += w * near @ d[r, others] / n
    return importances


def plain_rrelieff(values, n_categories, y, k, sigma):
    d = reference.differences(values, n_categories)
    total = reference.rounded(d.mean(axis=2))
    n, d_y = len(y), np.abs(y[:, None] - y[None]) / np.ptp(y)
    n_dc, n_da, n_both = 0.0, np.zeros(values.shape[1]), np.zeros(values.shape[1])
    for r in range(n):
        others = np.array([j for j in range(n) if j != r])
        rank = np.arange(1, min(k, n - 1) + 1)
        influence = np.ones(len(rank)) if sigma is None else np.exp(-((rank / sigma) ** 2))
        near = reference.shared_ranks(total[r, others], influence / influence.sum())
        for w, other in zip(near, others, strict=True):
            n_dc += w * d_y[r, other]
            n_da += w * d[r, other]
            n_both += w * d[r, other] * d_y[r, other]
    return n_both / n_dc - (n_da - n_both) / (n - n_dc)


def mixed(n=70, seed=0, missing=0.1):
    rng = np.random.default_rng(seed)
    values = np.column_stack([rng.normal(size=(n, 4)), rng.integers(0, [2, 5], size=(n, 2))])
    signal = values[:, 0] + 0.3 * rng.normal(size=n)
    values[rng.random(values.shape) < missing] = np.nan
    return values, np.array([0, 0, 0, 0, 2, 5]), signal


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("k", [1, 5, 12, 500])
def test_relieff_equals_plain_numpy(k, missing):
    values, n_categories, signal = mixed(missing=missing)
    y = np.digitize(signal, [-1.0, 0.2, 0.9, 2.0])
    y[7] = 5  # a class of one row has no hits
    ranker = ReliefF(n_neighbors=k, categorical_features=[4, 5]).fit(values, y)
    expected = plain_relieff(values, n_categories, y, k)
    np.testing.assert_allclose(ranker.feature_importances_, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize(("k", "sigma"), [(1, 1.0), (10, 3.0), (500, 20.0), (15, None)])
def test_rrelieff_equals_plain_numpy(k, sigma):
    values, n_categories, signal = mixed()
    ranker = RReliefF(n_neighbors=k, sigma=sigma, categorical_features=[4, 5]).fit(values, signal)
    expected = plain_rrelieff(values, n_categories, signal, k, sigma)
    np.testing.assert_allclose(ranker.feature_importances_, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("ranker", [ReliefF, RReliefF])
def test_row_sample_depends_on_seed_only(ranker):
    values, _, signal = mixed()
    y = (signal > 0).astype(int) if ranker is ReliefF else signal
    fits = [
        ranker(n_neighbors=5, n_iterations=30, random_state=s, n_jobs=j).fit(values, y)
        for s, j in ((0, 1), (0, 2), (1, 1))
    ]
    first, again, other = (fit.feature_importances_ for fit in fits)
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    everything = ranker(n_neighbors=5, n_iterations=10**6).fit(values, y).feature_importances_
    np.testing.assert_array_equal(everything, ranker(n_neighbors=5).fit(values, y).feature_importances_)
