import numpy as np
import pandas as pd
import pytest

from sslrank.rankers import peer_selectors

PACKAGES = {
    peer_selectors.MultiSURF: "skrebate",
    peer_selectors.FastCan: "fastcan",
    peer_selectors.ConditionalImportance: "hidimstat",
}
OPTIONS = {peer_selectors.ConditionalImportance: {"n_estimators": 20, "n_permutations": 3}}


@pytest.mark.parametrize("peer", PACKAGES)
def test_the_best_features_come_first_with_labelled_rows_and_gaps(peer):
    pytest.importorskip(PACKAGES[peer])
    X = np.random.default_rng(0).normal(size=(120, 5))
    y = (X[:, 1] + X[:, 3] > 0).astype(int)
    frame = pd.DataFrame(X).rename(columns=str)
    frame["kind"], frame["same"] = pd.Categorical(np.arange(120) % 4), 2.0
    frame.loc[::9, "1"] = np.nan
    for target, task in ((np.where(np.arange(120) % 3, y, -1), "classification"), (X[:, 1] + X[:, 3], "regression")):
        first, again = (peer(random_state=0, task=task, **OPTIONS.get(peer, {})).fit(frame, target) for _ in range(2))
        assert set(np.flatnonzero(first.ranking_ <= 2)) == {1, 3}
        np.testing.assert_array_equal(first.feature_importances_, again.feature_importances_)


def test_fastcan_takes_several_labels_and_combinations():
    pytest.importorskip("fastcan")
    X = np.random.default_rng(0).normal(size=(60, 4))
    X = np.column_stack([X, X[:, 0], X[:, 0] + X[:, 1]])  # of rank 4
    found = peer_selectors.FastCan(task="multilabel").fit(X, np.column_stack([X[:, 2] > 0, X[:, 3] > 0]))
    assert set(np.flatnonzero(found.ranking_ <= 2)) == {2, 3}
    assert sorted(found.feature_importances_) == pytest.approx(np.arange(1, 7) / 6)


def test_one_class_ranks_nothing():
    X = np.random.default_rng(0).normal(size=(20, 3))
    for peer, package in PACKAGES.items():
        pytest.importorskip(package)
        found = peer(task="classification").fit(X, ["a"] * 20)
        assert np.isfinite(found.feature_importances_).all()
