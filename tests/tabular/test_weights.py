"""Weights of rows reach every fit of a ranking: of all rows, shuffled targets, half-samples and folds.

In the rows that count, the feature `heavy` tells the classes; in the others, which are more, `light` does.
"""

import numpy as np
import pandas as pd
import pytest

import sslrank

N = 240
WEIGHTS = np.tile([1.0, 0.01, 0.01], N // 3)


@pytest.fixture(scope="module")
def votes():
    """The features and the classes of the rows."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=N)
    noise = rng.normal(size=(N, 3))
    X = pd.DataFrame(noise, columns=["heavy", "light", "none"])
    X["heavy"] += np.where(WEIGHTS == 1, 3 * y, 0)
    X["light"] += np.where(WEIGHTS == 1, 0, 3 * y)
    return X, y


def ranked(X, y, weights, method="f_score", **settings):
    options = {"methods": method, "random_state": 0, "n_jobs": 1, "repeats": 0, "curve": False}
    return sslrank.rank(X, y, sample_weight=weights, **(options | settings))


@pytest.mark.parametrize("method", ["f_score", "genie3"])
def test_weighted_ranking_equals_weighted_ranker(method, votes):
    X, y = votes
    assert ranked(X, y, None, method).best(1) == ["light"]
    found = ranked(X, y, WEIGHTS, method)
    assert found.best(1) == ["heavy"]
    if method == "f_score":  # the other one is random
        alone = sslrank.get_ranker(method).fit(X, y, sample_weight=WEIGHTS)
        np.testing.assert_allclose(found.importances[method], alone.feature_importances_, rtol=1e-9)


def test_half_samples_and_tests_use_weights(votes):
    X, y = votes
    plain, weighted = (ranked(X, y, weights, repeats=3) for weights in (None, WEIGHTS))
    for found, best in ((plain, 1), (weighted, 0)):
        assert found.samples.ranks.mean(axis=(0, 1)).argmin() == best
        assert found.tests.parts["alone"][best] == found.tests.parts["alone"].min()


def test_folds_use_weights(votes):
    """A model with the best feature only is good where that is `light`, as rows are judged without weights."""
    X, y = votes
    options = {"curve": True, "predictor": "knn"}
    plain, weighted = (ranked(X, y, weights, **options).curve.table.set_index("size") for weights in (None, WEIGHTS))
    assert plain.loc[1, "best"] - weighted.loc[1, "best"] > 0.1
    assert plain.loc[3, "best"] == weighted.loc[3, "best"]


def test_weights_are_aligned_with_labelled_rows(votes):
    X, y = votes
    y = np.where(np.arange(N) % 5 < 3, y, -1)
    known = y >= 0
    found = ranked(X, y, WEIGHTS, "f_score", repeats=3)
    part = ranked(X[known], y[known], WEIGHTS[known], "f_score")
    np.testing.assert_allclose(found.importances["f_score"], part.importances["f_score"], rtol=1e-9)
    assert found.tests.parts["alone"].argmin() == 0
    assert (found.samples.ranks[..., 0] == 1).all()
