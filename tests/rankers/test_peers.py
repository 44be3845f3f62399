import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.preprocessing import minmax_scale

from sslrank.rankers import peer_selectors, peers


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 5))
    return X, (X[:, 1] + X[:, 3] > 0).astype(int)


OPTIONS = [
    (peers.ScikitForest, {"n_estimators": 20}),
    (peers.ScikitForest, {"n_estimators": 20, "forest": "ExtraTrees", "importance": "permutation"}),
    (peers.MutualInformation, {}),
    (peers.MRMR, {}),
    (peers.LightGBM, {}),
    (peers.LightGBM, {"importance": "shap"}),
    (peers.Boruta, {"max_iter": 5, "n_estimators": 20}),
    (peer_selectors.MultiSURF, {}),
    (peer_selectors.FastCan, {}),
    (peer_selectors.ConditionalImportance, {"n_estimators": 20, "n_permutations": 3}),
]
PACKAGES = {
    peers.LightGBM: "lightgbm", peers.Boruta: "boruta", peer_selectors.MultiSURF: "skrebate",
    peer_selectors.FastCan: "fastcan", peer_selectors.ConditionalImportance: "hidimstat",
}  # fmt: skip


@pytest.mark.parametrize(("peer", "options"), OPTIONS)
def test_relevant_features_rank_first_with_missing_values(data, peer, options):
    pytest.importorskip(PACKAGES.get(peer, "sklearn"))
    X, y = data
    frame = pd.DataFrame(X).rename(columns=str)
    frame["kind"], frame["same"] = pd.Categorical(np.arange(120) % 4), 2.0
    frame.loc[::9, "1"] = np.nan
    for target, task in ((np.where(np.arange(120) % 3, y, -1), "classification"), (X[:, 1] + X[:, 3], "regression")):
        first, again = (peer(random_state=0, task=task, **options).fit(frame, target) for _ in range(2))
        assert set(np.flatnonzero(first.ranking_ <= 2)) == {1, 3}
        np.testing.assert_array_equal(first.feature_importances_, again.feature_importances_)
        assert getattr(first, "n_iter_", 4) == 4  # Boruta: it ends before iteration max_iter


@pytest.mark.parametrize("peer", [peers.Boruta, peers.MRMR, peer_selectors.FastCan])
def test_rank_of_nominal_feature_is_that_of_its_best_category(data, peer, monkeypatch):
    monkeypatch.setattr(peer, "_importances", lambda self, X, y, targets, seed: -np.arange(1.0, X.shape[1] + 1))
    frame = pd.DataFrame({"kind": pd.Categorical(np.arange(120) % 3), "x": data[0][:, 0]})
    assert peer().fit(frame, data[1]).feature_importances_.tolist() == [-1, -4]


def test_scikit_forest_equals_scikit_learn(data):
    X, y = data
    found = peers.ScikitForest(n_estimators=10, random_state=3).fit(X, y)
    seed = found.resolve_seed() % 2**31
    expected = RandomForestClassifier(10, random_state=seed).fit(minmax_scale(X), y).feature_importances_
    np.testing.assert_allclose(found.feature_importances_, expected)


def test_mrmr_ranks_duplicates_lower(data):
    X, y = data
    doubled = np.column_stack([X[:, 1] + 1e-3 * X[:, 0], X])
    ranking = peers.MRMR().fit(doubled, y).ranking_
    assert sorted(ranking[[0, 2]])[1] > ranking[4]


def test_fastcan_skips_linear_combinations():
    pytest.importorskip("fastcan")
    X = np.random.default_rng(0).normal(size=(60, 4))
    X = np.column_stack([X, X[:, 0], X[:, 0] + X[:, 1]])  # of rank 4
    found = peer_selectors.FastCan(task="multilabel").fit(X, np.column_stack([X[:, 2] > 0, X[:, 3] > 0]))
    assert set(np.flatnonzero(found.ranking_ <= 2)) == {2, 3}
    assert sorted(found.feature_importances_) == pytest.approx(np.arange(1, 7) / 6)


def test_single_class_gives_finite_importances():
    X = np.random.default_rng(0).normal(size=(20, 3))
    for peer in (peer_selectors.MultiSURF, peer_selectors.FastCan, peer_selectors.ConditionalImportance):
        pytest.importorskip(PACKAGES[peer])
        found = peer(task="classification").fit(X, ["a"] * 20)
        assert np.isfinite(found.feature_importances_).all()


def test_fastcan_ranks_the_rest_by_their_correlation_alone():
    pytest.importorskip("fastcan")
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 3))
    X = np.column_stack([x[:, 0], x[:, 0] + 0.1 * rng.normal(size=80), x[:, 1], x[:, 2]])  # the second adds nothing
    y = 3 * x[:, 0] + x[:, 1] + 0.1 * rng.normal(size=80)
    ranking = [list(peer_selectors.FastCan(n_selected=n).fit(X, y).ranking_) for n in (1, 4)]
    assert (ranking[0][1], ranking[1][1] > 2) == (2, True)
