"""Semi-JMI and Semi-MIM are compared with mutual information of scikit-learn, pair by pair."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from sslrank.rankers.semi_information import SemiInformation, surrogates


def binned(column, n_bins):
    low, high = column.min(), column.max()
    return np.minimum(np.floor((column - low) / (high - low) * n_bins), n_bins - 1).astype(int)


def naive_jmi(bins, y):
    """JMI as its definition: the sum of I((X_k, X_j); Y) over the chosen features X_j."""
    chosen = [int(np.argmax([mutual_info_score(column, y) for column in bins]))]
    while len(chosen) < len(bins):
        left = [k for k in range(len(bins)) if k not in chosen]
        scores = [sum(mutual_info_score(bins[k] * 100 + bins[j], y) for j in chosen) for k in left]
        chosen.append(left[int(np.argmax(scores))])
    return chosen


@pytest.fixture
def data():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 7))
    X[:, 6] = X[:, 1] + 0.1 * X[:, 6]  # redundant
    return X, (X[:, 1] + X[:, 3] > 0.7).astype(int)


@pytest.mark.parametrize(("labeled", "as_positive"), [(np.arange(200) < 40, False), (None, True), (None, "all")])
def test_two_classes_equal_information_with_the_surrogate(data, labeled, as_positive):
    X, true = data
    if labeled is None:  # more positive than negative labels; or all rows labelled
        labeled = np.isin(np.arange(200), [*np.flatnonzero(true)[:20], *np.flatnonzero(1 - true)[:8]])
    y = np.where(labeled | (as_positive == "all"), true, -1)
    surrogate = np.where(y == -1, int(as_positive is True), y)
    bins = [binned(column, 4) for column in X.T]
    found = SemiInformation(criterion="mim", n_bins=4).fit(X, y)
    expected = [mutual_info_score(column, surrogate) for column in bins]
    np.testing.assert_allclose(found.feature_importances_, expected, atol=1e-9)
    order = np.argsort(SemiInformation(n_bins=4).fit(X, y).ranking_)
    assert order.tolist() == naive_jmi(bins, surrogate)


def test_more_classes_average_each_against_the_others(data):
    X, _ = data
    true = np.digitize(X[:, 1], [-0.8, 0.9])
    y = np.where(np.arange(200) % 4, -1, true)
    bins = [binned(column, 5) for column in X.T]
    labels, weights = surrogates(np.where(y < 0, np.nan, y.astype(float)), 3)
    expected = [sum(w * mutual_info_score(column, s) for w, s in zip(weights, labels.T)) for column in bins]  # noqa: B905
    found = SemiInformation(criterion="mim").fit(X, y).feature_importances_
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_believed_shares_choose_the_class_of_unlabelled_rows():
    codes = np.array([0, 0, 0, 1, np.nan, np.nan])
    p, n, m = 1, 3, 2
    threshold = np.sqrt(p * (p + m)) / (np.sqrt(p * (p + m)) + np.sqrt(n * (n + m)))
    for share, expected in ((threshold - 0.01, 0), (threshold + 0.01, 1)):
        assert surrogates(codes, 2, [1 - share, share])[0][4:].ravel().tolist() == [expected] * 2
    both, weights = surrogates(np.array([0, 1, np.nan]), 2)  # neither is more powerful
    assert both[2].tolist() == [False, True]
    assert weights.tolist() == [0.5, 0.5]


def test_features_after_n_selected_follow_by_their_criterion(data):
    X, y = data
    full, short = (SemiInformation(n_selected=n).fit(X, y).ranking_ for n in (7, 2))
    assert set(np.flatnonzero(full <= 3)) == set(np.flatnonzero(short <= 3))


@pytest.mark.parametrize("shares", [[0.5], [0.5, 0.6], [-0.1, 1.1]])
def test_wrong_class_shares_are_named(data, shares):
    with pytest.raises(ValueError, match="class_shares must be 2 shares with sum 1"):
        SemiInformation(class_shares=shares).fit(*data)
