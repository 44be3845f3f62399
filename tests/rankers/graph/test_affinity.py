import numpy as np
import pytest

from references import graph as reference
from sslrank.core.columns import numeric_rows
from sslrank.core.distances import Distances
from sslrank.core.features import encode_features
from sslrank.rankers.graph import affinity
from sslrank.rankers.graph.affinity import row_graph


def random_rows(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 40)), int(rng.integers(1, 5))
    Z = rng.normal(size=(n, d)) if seed % 2 else rng.integers(0, 3, size=(n, d)).astype(float)
    return Z[rng.integers(0, n, size=n)] if seed % 3 == 0 else Z


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("mutual", [False, True])
def test_graph_and_percentile_equal_plain_implementation(seed, mutual):
    Z = random_rows(seed)
    k = 1 + seed % 6
    kind = np.random.default_rng(seed).integers(0, 2, len(Z)) if seed % 4 else None
    graph = row_graph(Z, k, kind=kind, mutual=mutual)
    expected = reference.neighbors(Z, k, mutual)
    i, j = np.divmod(np.arange(len(Z) ** 2), len(Z))
    np.testing.assert_allclose(graph.shares(i, j)[i != j], expected.ravel()[i != j], rtol=1e-12)
    np.testing.assert_allclose(graph.degrees(graph.share), expected.sum(axis=1), rtol=1e-12)
    assert graph.bandwidth == pytest.approx(reference.percentile(Z), rel=1e-10)
    np.testing.assert_allclose(graph.distances, reference.squared_distances(Z)[graph.i, graph.j], rtol=1e-12)
    for column, found in zip(Z.T, graph.energy(Z, graph.share), strict=True):
        assert found == pytest.approx(reference.energy(column, expected))
    numbered = row_graph(Z, k, bandwidth=2.0, kind=kind, mutual=mutual)
    np.testing.assert_allclose(numbered.share, graph.share, rtol=1e-12)


@pytest.mark.parametrize("distinct", [300, 20])
def test_graph_does_not_depend_on_blocks_and_windows(monkeypatch, distinct):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(300, 4))[rng.integers(0, distinct, size=300)]
    whole = row_graph(Z, 5)
    monkeypatch.setattr(affinity, "BLOCK", 1000)
    monkeypatch.setattr(affinity, "ALL_PAIRS", 10)
    parts = row_graph(Z, 5)
    np.testing.assert_array_equal(whole.i, parts.i)
    np.testing.assert_array_equal(whole.j, parts.j)
    assert parts.bandwidth == pytest.approx(whole.bandwidth, rel=1e-12)


def test_window_missing_the_percentile_is_widened(monkeypatch):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(1500, 2))
    Z[np.unique(np.linspace(0, 1499, 700).astype(int))] *= 1e-3  # the sample of rows is not like the others
    monkeypatch.setattr(affinity, "ALL_PAIRS", 10)
    differences = Z[:, None] - Z[None]
    expected = np.percentile((differences**2).sum(axis=2), 20)
    assert row_graph(Z, 2).bandwidth == pytest.approx(expected, rel=1e-9)


def test_small_window_is_widened(monkeypatch):
    original = affinity._window

    def narrow(distances, m, percent, margin):
        low, high, room = original(distances, m, percent, margin)
        return low, high, 5 if margin < 100 else room

    Z = np.random.default_rng(0).normal(size=(40, 2))
    expected = row_graph(Z, 3)
    monkeypatch.setattr(affinity, "_window", narrow)
    found = row_graph(Z, 3)
    assert found.bandwidth == expected.bandwidth
    np.testing.assert_array_equal(found.j, expected.j)


def test_equal_rows_have_zero_distance_in_sparse_form():
    rng = np.random.default_rng(1)
    Z = 1e3 + rng.normal(size=(20, 50))
    Z[7] = Z[3]
    block = Distances(Z).block(slice(0, 20), slice(0, 20))
    assert block[3, 7] == block[7, 3] == 0.0
    assert (np.diag(block) == 0.0).all()
    words = (rng.random((30, 200)) < 0.02).astype(float)
    assert not isinstance(Distances(words).rows, np.ndarray)
    rows = np.arange(30)
    np.testing.assert_array_equal(Distances(words).block(rows, rows), reference.squared_distances(words))


def test_zero_bandwidth_becomes_mean_distance():
    Z = np.zeros((10, 1))
    Z[9] = 3.0
    assert row_graph(Z, 2).bandwidth == pytest.approx(9.0 * 18 / 100)
    assert row_graph(np.zeros((4, 2)), 2).bandwidth == 1.0


def test_numeric_rows_are_scaled_and_encoded():
    X = np.array([[1.0, 0.0, 5.0], [3.0, 1.0, 5.0], [np.nan, 2.0, 5.0], [2.0, np.nan, 5.0]])
    rows = numeric_rows(encode_features(X, categorical_features=[1]))
    assert rows.values.shape == (4, 5)
    np.testing.assert_array_equal(rows.owner, [0, 1, 1, 1, 2])
    np.testing.assert_array_equal(rows.values[:, 0], [-1.0, 1.0, 0.0, 0.0])
    np.testing.assert_array_equal(rows.values[:, 4], 0.0)
    nominal = rows.values[:, 1:4]
    assert ((nominal[0] - nominal[1]) ** 2).sum() == pytest.approx(1.0)
    np.testing.assert_allclose(nominal[3], nominal[:3].mean(axis=0), atol=1e-15)
    np.testing.assert_array_equal(rows.sum_by_feature(np.arange(5.0)), [0.0, 6.0, 4.0])


@pytest.mark.parametrize(("scale", "size"), [("range", 1.0), ("standard", 2.0)])
def test_columns_are_scaled_by_option(scale, size):
    X = np.array([[0.0, 7.0], [10.0, 7.0]])
    rows = numeric_rows(encode_features(X), scale)
    assert np.ptp(rows.values, axis=0) == pytest.approx([size, 0.0])
