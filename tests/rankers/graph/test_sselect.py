import numpy as np
import pandas as pd
import pytest

from sslrank import get_ranker


def problem(n_rows=60, n_features=8, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n_rows) % n_classes
    X = rng.normal(size=(n_rows, n_features))
    X[:, :2] += 4.0 * truth[:, None]
    return X, np.where(np.arange(n_rows) < 5 * n_classes, truth, -1)


def test_nominal_feature_clusters_are_its_categories():
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
