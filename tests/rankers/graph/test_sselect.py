import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import normalized_mutual_info_score
from sklearn.neighbors import NearestNeighbors

from sslrank import get_ranker
from sslrank.rankers.graph.sselect import normalized_mutual_information


def problem(n_rows=60, n_features=8, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n_rows) % n_classes
    X = rng.normal(size=(n_rows, n_features))
    X[:, :2] += 4.0 * truth[:, None]
    return X, np.where(np.arange(n_rows) < 5 * n_classes, truth, -1)


def reference(X, y, n_neighbors, weight):
    """Equations 2.7-2.9 with dense matrices."""
    n = len(X)
    nearest = NearestNeighbors(n_neighbors=n_neighbors).fit(X).kneighbors(return_distance=False)
    linked = np.zeros((n, n), dtype=bool)
    linked[np.repeat(np.arange(n), n_neighbors), nearest.ravel()] = True
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    S = np.where(linked | linked.T, np.exp(-squared / np.percentile(squared, 20)), 0.0)
    D = np.diag(S.sum(axis=1))
    one = np.ones(n)
    known = y >= 0
    scores = []
    for f in X.T:
        g = f - (f @ D @ one) / (one @ D @ one) * one
        cut = (g @ (D - S) @ g) / (g @ D @ g)
        nmi = normalized_mutual_info_score(y[known], g[known] > 0, average_method="geometric")
        scores.append(weight * cut + (1 - weight) * (1 - nmi))
    return np.array(scores)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weight", [0.0, 0.1, 1.0])
def test_equations_as_printed(n_classes, weight):
    X, y = problem(n_classes=n_classes)
    ranker = get_ranker("sselect", balance=weight, n_neighbors=7).fit(X, y)
    expected = reference(X, y, 7, weight)
    np.testing.assert_allclose(ranker.scores_, expected, rtol=1e-9)
    importances = expected.max() + expected.min() - expected
    np.testing.assert_allclose(ranker.feature_importances_, importances, rtol=1e-9)


def test_relevant_features_come_first():
    X, y = problem()
    assert set(np.argsort(get_ranker("sselect").fit(X, y).ranking_)[:2]) == {0, 1}


def test_without_labelled_rows_the_graph_decides():
    X, y = problem()
    ours = get_ranker("sselect").fit(X, np.full(len(y), -1))
    laplacian = get_ranker("laplacian_score", scale=None).fit(X)
    np.testing.assert_array_equal(ours.ranking_, laplacian.ranking_)
    np.testing.assert_allclose(ours.scores_, 0.9 + 0.1 * laplacian.scores_)


def test_one_labelled_class_and_labelled_rows_only_are_defined():
    X, y = problem()
    one = get_ranker("sselect").fit(X, np.where(y == 1, -1, y))
    assert np.isfinite(one.feature_importances_).all()
    supervised = get_ranker("sselect", supervised=True).fit(X, y)
    alone = get_ranker("sselect").fit(X[y >= 0], y[y >= 0])
    np.testing.assert_array_equal(supervised.feature_importances_, alone.feature_importances_)


def test_categories_are_the_clusters_of_a_nominal_feature():
    X, y = problem(n_classes=3)
    frame = pd.DataFrame(X[:, 2:])
    frame.columns = [f"f{j}" for j in range(6)]
    truth = np.arange(len(y)) % 3
    frame["colour"] = pd.Categorical(np.array(["red", "green", "blue"])[truth])
    ranker = get_ranker("sselect", balance=0.0).fit(frame, y)
    assert ranker.ranking_[-1] == 1
    assert ranker.scores_[-1] == pytest.approx(0.0, abs=1e-12)
    frame.loc[::4, "colour"] = None
    assert get_ranker("sselect", balance=0.0).fit(frame, y).scores_[-1] == pytest.approx(0.0, abs=1e-12)


def test_constant_feature_is_last():
    X, y = problem()
    X[:, 0] = 2.0
    ranker = get_ranker("sselect").fit(X, y)
    assert np.isnan(ranker.scores_[0])
    assert ranker.ranking_[0] == X.shape[1]


def test_mutual_information_of_nothing_and_of_one_group_is_zero():
    tables = np.array([[[0.0, 0], [3, 2], [2, 0]], [[0, 0], [0, 0], [0, 2]]])
    np.testing.assert_allclose(normalized_mutual_information(tables), [0, 0, 1], atol=1e-12)


@pytest.mark.parametrize("value", [-0.1, 1.1, "half"])
def test_weight_out_of_range_is_refused(value):
    X, y = problem()
    with pytest.raises(ValueError, match="balance"):
        get_ranker("sselect", balance=value).fit(X, y)
