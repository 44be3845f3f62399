"""Generated data with known relevance, and rankings with known noise."""

import numpy as np
import pytest

from sslrank.evaluation.synthetic import (
    INTERACTIONS,
    ground_truth,
    make_synthetic,
    mutual_information,
    noisy_relevance,
    ranking_distance,
)


def test_relevance_is_mutual_information():
    # H(0.8) = 0.7219 bits
    assert mutual_information(0.8) == pytest.approx(0.2781, abs=1e-4)
    assert mutual_information(0.8, 2) == pytest.approx(0.1390, abs=1e-4)
    assert mutual_information(0.5) == pytest.approx(0)
    truth = ground_truth("combined")
    assert len(truth) == 100
    assert (truth > 0).sum() == 27
    assert (ground_truth("single") > 0).sum() == 9
    assert (ground_truth("pair") > 0).sum() == 18
    assert len(np.unique(truth)) == 7


@pytest.mark.parametrize("name", INTERACTIONS)
def test_data_match_table_2(name):
    data = make_synthetic(name, n_samples=20000, random_state=3)
    assert data.X.shape == (20000, 100)
    assert abs(data.y.mean() - 0.5) < 0.02
    assert abs(data.X.mean() - 0.5) < 0.01
    probabilities = [p for copies, _, p in INTERACTIONS[name] for _ in range(copies)]
    functions = []
    for number, p in enumerate(probabilities):
        columns = np.flatnonzero(data.interaction == number)
        function = data.X[:, columns].sum(axis=1) % 2  # a feature itself, or the exclusive or of two
        assert np.mean(function == data.y) == pytest.approx(p, abs=0.015)
        functions.append(function == data.y)
        assert np.all(data.relevance[columns] == mutual_information(p, len(columns)))
        if len(columns) == 2:
            for j in columns:
                assert abs(np.mean(data.X[:, j] == data.y) - 0.5) < 0.02
    np.testing.assert_allclose(np.corrcoef(functions), np.eye(len(functions)), atol=0.04)  # independent
    assert np.all(data.relevance[data.interaction == -1] == 0)


def test_noise_changes_a_share_of_features():
    truth = ground_truth("combined")
    noisy = noisy_relevance(truth, 0.15, random_state=1)
    assert (noisy != truth).sum() == 15
    assert noisy.min() >= truth.min()
    assert noisy.max() <= truth.max()
    np.testing.assert_array_equal(noisy_relevance(truth, 0.0), truth)
    with pytest.raises(ValueError, match="theta"):
        noisy_relevance(truth, 1.5)


def test_distances_match_table_3():
    published = {0.05: 0.1, 0.1: 0.171, 0.15: 0.252, 0.2: 0.32, 0.3: 0.432, 0.5: 0.652, 1: 1.048}
    truth = ground_truth("combined")
    for theta, distance in published.items():
        others = [noisy_relevance(truth, theta, random_state=i) for i in range(100)]
        assert ranking_distance(truth, others) == pytest.approx(distance, abs=0.06)
    assert ranking_distance(truth, [truth]) == pytest.approx(0)
    assert ranking_distance(truth, [-truth]) == pytest.approx(2)


def test_unknown_data_are_refused():
    with pytest.raises(ValueError, match=r"name must be one of .*, got 'triple'"):
        make_synthetic("triple")
    with pytest.raises(ValueError, match="27 relevant features"):
        make_synthetic("combined", n_features=20)
