import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.preprocessing import minmax_scale

from sslrank.rankers import peers


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
]


@pytest.mark.parametrize(("peer", "options"), OPTIONS)
def test_the_best_features_come_first_with_labelled_rows_and_gaps(data, peer, options):
    pytest.importorskip({peers.LightGBM: "lightgbm", peers.Boruta: "boruta"}.get(peer, "sklearn"))
    X, y = data
    frame = pd.DataFrame(X).rename(columns=str)
    frame["kind"] = pd.Categorical(np.arange(120) % 4)
    frame.loc[::9, "1"] = np.nan
    for target, task in ((np.where(np.arange(120) % 3, y, -1), "classification"), (X[:, 1] + X[:, 3], "regression")):
        first, again = (peer(random_state=0, task=task, **options).fit(frame, target) for _ in range(2))
        assert set(np.flatnonzero(first.ranking_ <= 2)) == {1, 3}
        np.testing.assert_array_equal(first.feature_importances_, again.feature_importances_)


def test_the_forest_is_scikit_learns(data):
    X, y = data
    found = peers.ScikitForest(n_estimators=10, random_state=3).fit(X, y)
    seed = found.resolve_seed() % 2**31
    expected = RandomForestClassifier(10, random_state=seed).fit(minmax_scale(X), y).feature_importances_
    np.testing.assert_allclose(found.feature_importances_, expected)


def test_mrmr_leaves_a_copy_for_later(data):
    X, y = data
    doubled = np.column_stack([X[:, 1] + 1e-3 * X[:, 0], X])
    ranking = peers.MRMR().fit(doubled, y).ranking_
    assert sorted(ranking[[0, 2]])[1] > ranking[4]
