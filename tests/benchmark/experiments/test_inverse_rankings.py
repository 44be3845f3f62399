"""The experiment on inverse rankings, on a small table in place of a dataset."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

from sslrank import get_ranker
from sslrank.benchmark.experiments import data, inverse_rankings


def test_forests_are_correlated_with_the_mean_rank_of_the_others(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))
    y = (X[:, 0] + 0.6 * X[:, 1] + 0.3 * X[:, 2] > 0).astype(int)
    found = SimpleNamespace(X=X, y=y, task="classification")
    monkeypatch.setattr(data, "load_dataset", lambda name, catalogue: found)
    (part,) = inverse_rankings.parts(["made"]).values()
    table = inverse_rankings.join(inverse_rankings.experiment(**part, seed=3))["correlations"]
    fitted = [get_ranker(name, **params).fit(X, y) for name, params in inverse_rankings.OTHERS.items()]
    others = np.mean([rankdata(-ranker.feature_importances_) for ranker in fitted], axis=0)
    forest = get_ranker("permutation_importance", random_state=3).fit(X, y).feature_importances_
    expected = spearmanr(-forest, others).statistic
    assert table["forest"].tolist() == ["permuted alone", "stay permuted, 2"]
    assert table["correlation"][0] == pytest.approx(expected)
