import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import mutual_info_score

from sslrank import get_ranker
from sslrank.rankers.information_gain import InformationGain, entropy, information_gain


def reference_cuts(column, labels):
    """Fayyad and Irani by brute force."""

    def h(y):
        return entropy(np.bincount(y)) if len(y) else 0.0

    best = None
    for low, high in zip(np.unique(column)[:-1], np.unique(column)[1:], strict=True):
        left, right = labels[column <= low], labels[column > low]
        gain = h(labels) - len(left) / len(labels) * h(left) - len(right) / len(labels) * h(right)
        if best is None or gain > best[0] + 1e-12:
            best = (gain, (low + high) / 2, left, right)
    if best is None:
        return []
    gain, cut, left, right = best
    k, k1, k2 = (len(np.unique(y)) for y in (labels, left, right))
    n = len(labels)
    delta = np.log2(3**k - 2) - (k * h(labels) - k1 * h(left) - k2 * h(right))
    if gain <= (np.log2(n - 1) + delta) / n:
        return []
    low = reference_cuts(column[column < cut], left)
    return [*low, cut, *reference_cuts(column[column > cut], right)]


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 60), classes=st.integers(1, 3), levels=st.integers(1, 40))
def test_cuts_agree_with_brute_force(seed, n, classes, levels):
    rng = np.random.default_rng(seed)
    column = rng.integers(0, levels, n).astype(float)
    labels = ((column * classes / levels).astype(int) + (rng.random(n) < 0.15)) % classes
    if len(np.unique(labels)) > 1:
        codes = np.searchsorted(reference_cuts(column, labels), column)
        expected = information_gain(codes, labels)
        column -= levels // 2
        kept = np.flatnonzero((column != 0) | (labels == 1))  # zeros of one class are among the entries
        stored = sparse.csr_array((column[kept], (kept, np.zeros(len(kept), dtype=int))), shape=(n, 1))
        X = column[:, None]
        for form in (X, sparse.csr_array(X), X + levels // 2, sparse.csr_array(X + levels // 2), stored):
            found = InformationGain(task="classification").fit(form, labels).feature_importances_
            assert found == pytest.approx(expected, abs=1e-10)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 50))
def test_gain_equals_mutual_information(seed, n):
    rng = np.random.default_rng(seed)
    codes, labels = rng.integers(0, 4, n), rng.integers(0, 3, n)
    assert information_gain(codes, labels) == pytest.approx(mutual_info_score(codes, labels) / np.log(2), abs=1e-12)


def test_gains_match_hand_computation():
    X = pd.DataFrame(
        {
            "same": pd.Categorical(list("aabb") * 10),
            "half": pd.Categorical(["a", None, "b", None] * 10),
            "none": pd.Categorical(list("abab") * 10),
            "number": [0.0, 1.0, 5.0, 6.0] * 10,
            "constant": 1.0,
            "unknown": np.nan,
        }
    )
    y = np.array([0, 0, 1, 1] * 10)
    ranker = get_ranker("information_gain").fit(X, y)
    np.testing.assert_allclose(ranker.feature_importances_, [1.0, 0.5, 0.0, 1.0, 0.0, 0.0])
    by_bins = get_ranker("information_gain", discretization="frequency", n_bins=4).fit(X, y)
    np.testing.assert_allclose(by_bins.feature_importances_, [1.0, 0.5, 0.0, 1.0, 0.0, 0.0])
