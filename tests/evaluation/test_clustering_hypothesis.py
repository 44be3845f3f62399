from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs

from sslrank.evaluation.clustering_hypothesis import clustering_hypothesis as of_runs

X, BLOB = make_blobs(300, centers=8, cluster_std=0.01, center_box=(-50, 50), random_state=1)
#: One run of k-means: in these blobs all runs find the same.
clustering_hypothesis = partial(of_runs, n_runs=1)


def test_unrelated_targets_score_about_zero():
    rng = np.random.default_rng(0)
    assert abs(clustering_hypothesis(X, rng.integers(0, 3, len(X)))) < 0.1
    assert clustering_hypothesis(X, rng.normal(size=(len(X), 2))) < 0.1


def test_targets_that_are_constant_in_clusters_score_one():
    per_blob = np.random.default_rng(0).normal(size=(8, 3))[BLOB]
    for y in (BLOB, per_blob[:, 0], per_blob):
        assert clustering_hypothesis(X, y) == pytest.approx(1.0)


def test_hierarchy_weights_the_labels():
    rng = np.random.default_rng(0)
    y = np.column_stack([BLOB < 4, (BLOB < 2) & (rng.random(len(X)) < 0.5)]).astype(float)
    per_label = [clustering_hypothesis(X, y[:, [j]], task="multilabel") for j in range(2)]
    weighted = clustering_hypothesis(X, y, hierarchy=[[], [0]], hierarchy_alpha=0.5)
    assert weighted == pytest.approx((per_label[0] + 0.5 * per_label[1]) / 1.5)


def test_nominal_missing_and_constant_columns_are_accepted():
    frame = pd.DataFrame({"kind": BLOB.astype(str), "gap": np.nan, "flat": 1.0})
    assert clustering_hypothesis(frame, BLOB) == pytest.approx(1.0)
    y = np.column_stack([BLOB < 4, np.ones(len(X))]).astype(float)
    assert clustering_hypothesis(X, y) == pytest.approx(1.0)


def test_unlabelled_rows_are_clustered_but_not_scored():
    y = BLOB.copy()
    y[::3] = -1
    assert clustering_hypothesis(X, y) == pytest.approx(1.0)
    with pytest.raises(ValueError, match="no row of y is labelled"):
        clustering_hypothesis(X, np.full(len(X), -1))
    with pytest.raises(ValueError, match="no target varies"):
        clustering_hypothesis(X, np.ones((len(X), 2)), task="multitarget")


def test_regression_score_is_root_of_variance_share():
    y = BLOB + np.random.default_rng(0).normal(size=len(X))
    of_variance, of_deviation = (clustering_hypothesis(X, y, of=of) for of in ("variance", "deviation"))
    assert (1 - of_deviation) ** 2 == pytest.approx(1 - of_variance)
    assert clustering_hypothesis(X, BLOB, of="deviation") == pytest.approx(1.0)
    with pytest.raises(ValueError, match="of must be"):
        clustering_hypothesis(X, y, of="range")
