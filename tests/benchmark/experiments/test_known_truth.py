import numpy as np
import pandas as pd
import pytest

from sslrank.benchmark.experiments import known_truth


def test_shuffled_columns_keep_values_and_correlations_but_not_the_rows():
    X = np.random.default_rng(0).normal(size=(50, 3)) @ np.array([[1, 1, 0], [0, 1, 1], [0, 0, 1]])
    doubled, real = known_truth.beside_shuffled(X, np.random.default_rng(1))
    assert real.sum() == 3
    assert not real[:3].all()
    np.testing.assert_array_equal(np.sort(doubled[:, real], axis=None), np.sort(X, axis=None))
    shuffled = doubled[:, ~real]
    assert sorted(map(tuple, np.sort(shuffled))) == sorted(map(tuple, np.sort(X)))
    assert not np.allclose(np.sort(shuffled, axis=1), np.sort(X, axis=1))


def test_a_filter_finds_the_real_features_and_a_random_ranking_half_of_them():
    rankers = {"f_score": "f_score", "random": "sslrank.rankers.controls:RandomRanking"}
    found = known_truth.parts(["wine", "diabetes"], [50], rankers, 8)
    assert list(found) == ["wine-50", "diabetes-50"]
    tables = [known_truth.experiment(seed=1, **part)["found"] for part in found.values()]
    summary = known_truth.join({"found": pd.concat(tables)})["summary"].set_index(
        ["data", "theta", "weighting", "ranking"]
    )
    assert summary.loc[("wine", 50, 0.5, "f_score"), "value"] > 0.95
    assert summary.loc[("diabetes", 50, 0.25, "f_score"), "value"] > 0.7
    random = summary.xs("random", level="ranking")["value"]
    assert random.mean() == pytest.approx(0.5, abs=0.12)
    again = known_truth.experiment(seed=1, **found["wine-50"])["found"]
    pd.testing.assert_frame_equal(again, tables[0])
