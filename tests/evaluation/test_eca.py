import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sslrank.evaluation import compare_rankings, eca, error_curves, expected_curve
from sslrank.evaluation.error_curve_average import WEIGHTINGS, mean_curves, weighted_difference
from sslrank.evaluation.synthetic import (
    INTERACTIONS,
    ground_truth,
    make_synthetic,
    mutual_information,
    noisy_relevance,
    ranking_distance,
)


def table(**curves):
    """Curves by name "<ranking>_<FFA or RFA>", sizes 1, 2, ..."""
    rows = []
    for name, values in curves.items():
        ranking, curve = name.split("_")
        rows += [(ranking, curve, size, value) for size, value in enumerate(values, start=1)]
    return pd.DataFrame(rows, columns=["ranking", "curve", "size", "value"])


def test_the_four_weightings_by_hand():
    difference, sizes = np.array([0.3, 0.0, -0.1]), np.array([1, 2, 3])
    assert weighted_difference(difference, sizes, "1") == pytest.approx(0.2 / 3)
    assert weighted_difference(difference, sizes, "1/|S|") == pytest.approx((0.3 - 0.1 / 3) / (1 + 1 / 2 + 1 / 3))
    assert weighted_difference(difference, sizes, "|delta|") == pytest.approx((0.09 - 0.01) / 0.4)
    expected = (0.09 - 0.01 / 3) / (0.3 + 0.1 / 3)
    assert weighted_difference(difference, sizes, "|delta|/|S|") == pytest.approx(expected)
    for weighting in WEIGHTINGS:
        assert weighted_difference(np.zeros(3), sizes, weighting) == 0
    with pytest.raises(ValueError, match="unknown weighting"):
        weighted_difference(difference, sizes, "delta")


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_sizes_left_out_are_interpolated(weighting):
    sizes = np.array([1, 2, 4, 10])
    line = 0.1 - 0.01 * np.arange(1, 11)
    full = weighted_difference(line, np.arange(1, 11), weighting)
    assert weighted_difference(line[sizes - 1], sizes, weighting) == pytest.approx(full)


def test_closed_form_equals_the_comparison_with_any_expected_curve():
    curves = table(a_FFA=[0.8, 0.9, 0.9], a_RFA=[0.5, 0.6, 0.9]).assign(measure="accuracy")
    expected = pd.DataFrame({"size": [1, 2, 3], "value": [0.6, 0.7, 0.9]})
    assert eca(curves) == pytest.approx((0.3 + 0.3) / 3 / 2)
    assert eca(curves, expected) == pytest.approx(eca(curves))
    assert eca(curves, expected, "1/|S|") == pytest.approx(
        ((0.2 + 0.2 / 2) - (-0.1 - 0.1 / 2)) / (1 + 1 / 2 + 1 / 3) / 2
    )
    with pytest.raises(ValueError, match="needs the expected curve"):
        eca(curves, weighting="|delta|")
    with pytest.raises(ValueError, match="expected curve has other sizes"):
        eca(curves, expected.iloc[:2])
    with pytest.raises(ValueError, match="'a' has no RFA curve"):
        eca(curves[curves["curve"] == "FFA"])


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 12), weighting=st.sampled_from(sorted(WEIGHTINGS)))
def test_positive_always_means_better(seed, n, weighting):
    rng = np.random.default_rng(seed)
    curves = table(**{f"{r}_{c}": rng.random(n) for r in "ab" for c in ("FFA", "RFA")})
    expected = pd.DataFrame({"size": np.arange(1, n + 1), "value": rng.random(n)})
    accuracy = curves.assign(measure="accuracy")
    error = curves.assign(measure="error", value=1 - curves["value"])
    flipped = expected.assign(value=1 - expected["value"])
    left = eca(accuracy, expected, weighting)
    pd.testing.assert_series_equal(left, eca(error, flipped, weighting, higher_is_better=False))
    forward = compare_rankings(accuracy, "a", "b", weighting)
    backward = compare_rankings(accuracy, "b", "a", weighting)
    as_errors = compare_rankings(error, "a", "b", weighting, higher_is_better=False)
    for name in forward:
        assert forward[name] == pytest.approx(-backward[name])
        assert forward[name] == pytest.approx(as_errors[name])
    if weighting in ("1", "1/|S|"):  # linear in the differences
        assert forward["ECA"] == pytest.approx(left["a"] - left["b"])
    # Turning a ranking around swaps its curves and the sign.
    swapped = accuracy.assign(curve=accuracy["curve"].map({"FFA": "RFA", "RFA": "FFA"}))
    np.testing.assert_allclose(eca(swapped, expected, weighting), -left)


def test_directions_are_known_or_asked_for():
    curves = table(a_FFA=[0.2, 0.1], a_RFA=[0.9, 0.1])
    assert eca(curves.assign(measure="rrmse")) > 0
    assert eca(curves, higher_is_better=True) < 0
    with pytest.raises(ValueError, match="say higher_is_better"):
        eca(curves.assign(measure="mse"))
    with pytest.raises(ValueError, match="other sizes"):
        compare_rankings(table(a_FFA=[1, 2], b_FFA=[1.0]), "a", "b", higher_is_better=True)


def test_folds_count_by_their_size():
    curves = pd.DataFrame(
        {
            "curve": "FFA",
            "fold": [0, 1],
            "n_test": [1, 3],
            "size": 1,
            "measure": "accuracy",
            "value": [1.0, 0.0],
        }
    )
    assert mean_curves(curves)["value"].tolist() == [0.25]


@pytest.mark.parametrize("name", INTERACTIONS)
@settings(deadline=None, max_examples=3)
@given(seed=st.integers(0, 10**6))
def test_truth_beats_random_beats_reverse(name, seed):
    data = make_synthetic(name, n_samples=300, n_features=40, random_state=seed)
    rng = np.random.default_rng(seed)
    rankings = {
        "truth": data.relevance,
        "reverse": -data.relevance,
        "random": rng.permutation(40),
    }
    curves = error_curves("svm", data.X, data.y, rankings, cv=3, sizes=(12, 1.4), random_state=seed)
    scores = eca(curves)
    assert scores["truth"] > scores["random"] > scores["reverse"]
    assert scores["truth"] > 0 > scores["reverse"]


def test_more_noise_scores_lower():
    data = make_synthetic("combined", n_samples=400, n_features=60, random_state=0)
    rankings = {"0": data.relevance}
    for theta in (0.1, 0.3, 1.0):
        for i in range(4):
            rankings[f"{theta}/{i}"] = noisy_relevance(data.relevance, theta, random_state=i)
    curves = error_curves("svm", data.X, data.y, rankings, cv=2, sizes=(10, 1.5))
    scores = eca(curves)
    levels = scores.groupby(scores.index.str.split("/").str[0]).mean()
    assert levels["0"] > levels["0.1"] > levels["0.3"] > levels["1.0"]
    expected = expected_curve("svm", data.X, data.y, cv=2, sizes=(10, 1.5), n_rankings=5)
    for weighting in WEIGHTINGS:
        of_weighting = eca(curves, expected, weighting)
        assert of_weighting["0"] > of_weighting.drop("0").filter(like="1.0/").max()


def test_relevance_is_the_mutual_information():
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
def test_data_have_the_structure_of_table_2(name):
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


def test_noise_moves_a_share_of_the_features():
    truth = ground_truth("combined")
    noisy = noisy_relevance(truth, 0.15, random_state=1)
    assert (noisy != truth).sum() == 15
    assert noisy.min() >= truth.min()
    assert noisy.max() <= truth.max()
    np.testing.assert_array_equal(noisy_relevance(truth, 0.0), truth)
    with pytest.raises(ValueError, match="theta"):
        noisy_relevance(truth, 1.5)


def test_distances_of_table_3():
    published = {0.05: 0.1, 0.1: 0.171, 0.15: 0.252, 0.2: 0.32, 0.3: 0.432, 0.5: 0.652, 1: 1.048}
    truth = ground_truth("combined")
    for theta, distance in published.items():
        others = [noisy_relevance(truth, theta, random_state=i) for i in range(100)]
        assert ranking_distance(truth, others) == pytest.approx(distance, abs=0.06)
    assert ranking_distance(truth, [truth]) == pytest.approx(0)
    assert ranking_distance(truth, [-truth]) == pytest.approx(2)


def test_unknown_data_are_refused():
    with pytest.raises(ValueError, match="unknown synthetic data 'triple'"):
        make_synthetic("triple")
    with pytest.raises(ValueError, match="27 relevant features"):
        make_synthetic("combined", n_features=20)
    data = make_synthetic("single", n_samples=10, shuffle=False)
    assert (data.relevance[:9] > 0).all()
