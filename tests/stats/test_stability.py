import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from sslrank.stats.stability import kendall_w, rank_agreement, selection_stability, top_features

SELECTED = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]])


def by_definition(selected):
    """Nogueira et al. 2018, Definition 4 and Theorem 7, term by term."""
    m, d = selected.shape
    frequency, sizes = selected.mean(axis=0), selected.sum(axis=1)
    mean = sizes.mean()
    chance = mean / d * (1 - mean / d)
    value = 1 - np.mean([np.var(column, ddof=1) for column in selected.T]) / chance
    of_each = []
    for row, k in zip(selected, sizes, strict=True):
        rest = value / 2 * (2 * k * mean / d**2 - k / d - mean / d + 1)
        of_each.append((np.mean(row * frequency) - k * mean / d**2 + rest) / chance)
    return value, 4 / m**2 * np.sum((of_each - np.mean(of_each)) ** 2)


@given(arrays.arrays(np.int8, st.tuples(st.integers(2, 6), st.integers(2, 7)), elements=st.integers(0, 1)))
def test_stability_matches_the_definition(selected):
    found = selection_stability(selected)
    if selected.mean() in (0, 1):
        assert np.isnan([found.value, found.lower, found.upper]).all()
    else:
        value, variance = by_definition(selected)
        assert found.value == pytest.approx(value)
        ends = np.array([-1, 1]) * 1.959964 * np.sqrt(variance)
        np.testing.assert_allclose([found.lower - found.value, found.upper - found.value], ends, atol=1e-6)


def test_stability_edge_cases():
    # by hand: p = (1, 2/3, 1/3, 0), s^2 = (0, 1/3, 1/3, 0), kbar / d = 1/2, so 1 - (1/6) / (1/4)
    assert selection_stability(SELECTED).value == pytest.approx(1 / 3)
    assert selection_stability(np.tile([1, 0, 0], (5, 1))).value == 1.0
    assert selection_stability(np.eye(4)[:2]).value == pytest.approx(-1 / 3)  # never the same feature
    assert np.isnan(selection_stability(SELECTED[:1]).value)
    assert np.isnan(selection_stability(np.ones((3, 0))).value)
    with pytest.raises(ValueError, match="zeros and ones"):
        selection_stability([[0.5, 1.0]])


def test_ties_at_the_cutoff_are_not_selected():
    importances = np.array([[5.0, 4.0, 4.0, 1.0], [4.0, 5.0, 3.0, 1.0]])
    assert top_features(importances, 2).tolist() == [[True, False, False, False], [True, True, False, False]]
    assert top_features(importances, 3).tolist() == [[True, True, True, False]] * 2
    assert not top_features(np.ones((2, 5)), 3).any()


def test_rank_agreement_is_mean_spearman():
    importances = np.random.default_rng(1).normal(size=(5, 30)).round(1)  # with ties
    pairs = itertools.combinations(importances, 2)
    expected = np.mean([stats.spearmanr(*pair).statistic for pair in pairs])
    assert rank_agreement(importances) == pytest.approx(expected)
    assert rank_agreement([[1, 2, 3], [10, 20, 30]]) == pytest.approx(1)
    assert rank_agreement([[1, 2, 3], [3, 2, 1]]) == pytest.approx(-1)
    assert rank_agreement([[1, 2, 3], [1, 2, 3], [7, 7, 7]]) == pytest.approx(1)  # all tie: no correlation
    assert np.isnan(rank_agreement([[1, 2, 3]]))
    assert np.isnan(rank_agreement(np.ones((3, 4))))


@pytest.mark.parametrize("levels", [3, 100])
def test_kendalls_w_matches_friedman_statistic(levels):
    importances = np.random.default_rng(levels).integers(0, levels, (7, 12)).astype(float)
    chi2 = stats.friedmanchisquare(*importances.T).statistic  # over rankings, with the correction for ties
    assert kendall_w(importances) == pytest.approx(chi2 / (7 * 11))
    assert np.isnan(kendall_w(np.ones((3, 4))))
