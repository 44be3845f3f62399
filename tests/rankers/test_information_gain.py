import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_iris
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


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 60), classes=st.integers(1, 3), levels=st.integers(1, 40))
def test_cuts_agree_with_brute_force(seed, n, classes, levels):
    rng = np.random.default_rng(seed)
    column = rng.integers(0, levels, n).astype(float)
    labels = ((column * classes / levels).astype(int) + (rng.random(n) < 0.15)) % classes
    if len(np.unique(labels)) > 1:
        codes = np.searchsorted(reference_cuts(column, labels), column)
        expected, X = information_gain(codes, labels), column[:, None]
        for form in (X, sparse.csr_array(X), X - levels // 2, sparse.csr_array(X - levels // 2)):
            found = InformationGain(task="classification").fit(form, labels).feature_importances_
            assert found == pytest.approx(expected, abs=1e-10)


def test_gains_of_a_clean_split():
    X = np.array([[1.0, 2, 3, 7, 8, 9], [1, 1, 1, 1, 1, 1]]).T
    assert InformationGain().fit(X, [0, 0, 0, 1, 1, 1]).feature_importances_.tolist() == [1.0, 0.0]


def test_weights_count_as_copies_of_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 6)), rng.integers(0, 2, 40)
    X[:, 0] += 2 * y
    weights = rng.integers(1, 4, 40)
    weighted = InformationGain().fit(X, y, sample_weight=weights).feature_importances_
    copied = InformationGain().fit(X.repeat(weights, axis=0), y.repeat(weights)).feature_importances_
    assert copied[0] > 0
    # n of the criterion is the sum of weights of mean 1
    assert (weighted > 0).sum() <= (copied > 0).sum()


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 50))
def test_gain_is_the_mutual_information(seed, n):
    rng = np.random.default_rng(seed)
    codes, labels = rng.integers(0, 4, n), rng.integers(0, 3, n)
    assert information_gain(codes, labels) == pytest.approx(mutual_info_score(codes, labels) / np.log(2), abs=1e-12)


def test_gains_by_hand():
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


def test_only_labelled_rows_count():
    X, y = load_iris(return_X_y=True)
    labeled = np.arange(150) % 3 == 0
    hidden = np.where(labeled, y, -1)
    ranker = get_ranker("information_gain").fit(X, hidden)
    np.testing.assert_array_equal(
        ranker.feature_importances_, get_ranker("information_gain").fit(X[labeled], y[labeled]).feature_importances_
    )
    assert set(np.argsort(ranker.ranking_)[:2]) == {2, 3}


def test_bad_parameters_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="discretization must be one of"):
        get_ranker("information_gain", discretization="width").fit(X, y)
    with pytest.raises(ValueError, match="n_bins must be an int >= 2"):
        get_ranker("information_gain", n_bins=1).fit(X, y)
    with pytest.raises(ValueError, match="does not support targets of kind 'regression'"):
        get_ranker("information_gain").fit(X, y + 0.5)


def test_labels_are_needed():
    with pytest.raises(ValueError, match="InformationGain needs at least one labelled row"):
        InformationGain().fit(np.zeros((3, 2)), [-1, -1, -1])
