import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sslrank.evaluation import compare_rankings, eca
from sslrank.evaluation.error_curve_average import WEIGHTINGS, weighted_difference


def table(**curves):
    """Curves by name "<ranking>_<FFA or RFA>", sizes 1, 2, ..."""
    rows = []
    for name, values in curves.items():
        ranking, curve = name.split("_")
        rows += [(ranking, curve, size, value) for size, value in enumerate(values, start=1)]
    return pd.DataFrame(rows, columns=["ranking", "curve", "size", "value"])


def test_weightings_match_hand_computation():
    difference, sizes = np.array([0.3, 0.0, -0.1]), np.array([1, 2, 3])
    assert weighted_difference(difference, sizes, "1") == pytest.approx(0.2 / 3)
    assert weighted_difference(difference, sizes, "1/|S|") == pytest.approx((0.3 - 0.1 / 3) / (1 + 1 / 2 + 1 / 3))
    assert weighted_difference(difference, sizes, "|delta|") == pytest.approx((0.09 - 0.01) / 0.4)
    expected = (0.09 - 0.01 / 3) / (0.3 + 0.1 / 3)
    assert weighted_difference(difference, sizes, "|delta|/|S|") == pytest.approx(expected)
    for weighting in WEIGHTINGS:
        assert weighted_difference(np.zeros(3), sizes, weighting) == 0
    with pytest.raises(ValueError, match="weighting must be one of"):
        weighted_difference(difference, sizes, "delta")


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_missing_sizes_are_interpolated(weighting):
    sizes = np.array([1, 2, 4, 10])
    line = 0.1 - 0.01 * np.arange(1, 11)
    full = weighted_difference(line, np.arange(1, 11), weighting)
    assert weighted_difference(line[sizes - 1], sizes, weighting) == pytest.approx(full)


def test_closed_form_equals_expected_curve_comparison():
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


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 12), weighting=st.sampled_from(sorted(WEIGHTINGS)))
def test_positive_means_better(seed, n, weighting):
    rng = np.random.default_rng(seed)
    curves = table(**{f"{r}_{c}": rng.random(n) for r in "ab" for c in ("FFA", "RFA")})
    expected = pd.DataFrame({"size": np.arange(1, n + 1), "value": rng.random(n)})
    accuracy = curves.assign(measure="accuracy")
    error = curves.assign(measure="rrmse", value=1 - curves["value"])
    flipped = expected.assign(value=1 - expected["value"])
    left = eca(accuracy, expected, weighting)
    pd.testing.assert_series_equal(left, eca(error, flipped, weighting))
    forward = compare_rankings(accuracy, "a", "b", weighting)
    backward = compare_rankings(accuracy, "b", "a", weighting)
    as_errors = compare_rankings(error, "a", "b", weighting)
    for name in forward:
        assert forward[name] == pytest.approx(-backward[name])
        assert forward[name] == pytest.approx(as_errors[name])
    if weighting in ("1", "1/|S|"):  # linear in the differences
        assert forward["ECA"] == pytest.approx(left["a"] - left["b"])
    # Turning a ranking around swaps its curves and the sign.
    swapped = accuracy.assign(curve=accuracy["curve"].map({"FFA": "RFA", "RFA": "FFA"}))
    np.testing.assert_allclose(eca(swapped, expected, weighting), -left)


def test_direction_follows_from_measure():
    curves = table(a_FFA=[0.2, 0.1], a_RFA=[0.9, 0.1])
    assert eca(curves.assign(measure="rrmse")) == pytest.approx(0.175)
    assert eca(curves.assign(measure="accuracy")) == pytest.approx(-0.175)
    with pytest.raises(ValueError, match=r"expected one measure of f1_macro.*got mse"):
        eca(curves.assign(measure="mse"))
    with pytest.raises(ValueError, match="other sizes"):
        compare_rankings(table(a_FFA=[1, 2], a_RFA=[1, 2], b_FFA=[1.0], b_RFA=[1.0]).assign(measure="r2"), "a", "b")


def test_interpolation_starts_at_one_feature():
    # Sizes 1 to 4; before the first computed size the difference is that of the first.
    assert weighted_difference([0.2, 0.0], [2, 4]) == pytest.approx((0.2 + 0.2 + 0.1 + 0.0) / 4)
