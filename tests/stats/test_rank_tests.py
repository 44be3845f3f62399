import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from references.demsar import AUC
from sslrank.stats.rank_tests import (
    average_ranks,
    compare_modes,
    critical_distance,
    critical_value,
    friedman_test,
    nemenyi_test,
    rank_table,
    undistinguished_groups,
    wilcoxon_test,
)

# Demsar 2006, Table 5(a): q_alpha of the two-tailed Nemenyi test for 2..10 classifiers.
DEMSAR = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}


@pytest.mark.parametrize("alpha", DEMSAR)
def test_critical_values_of_demsar(alpha):
    for k, q in enumerate(DEMSAR[alpha], start=2):
        assert critical_value(k, alpha) == pytest.approx(q, abs=0.0011)  # the table itself is rounded unevenly


def test_critical_distances_of_publications():
    assert round(critical_distance(4, 28, alpha=0.05), 4) == 0.8864  # eca, Fig. 3
    assert round(critical_distance(4, 14, alpha=0.10), 2) == 1.12  # Demsar 2006, section 3.2.2
    with pytest.raises(ValueError, match="two methods"):
        critical_distance(1, 10)
    with pytest.raises(ValueError, match="alpha"):
        critical_distance(3, 10, alpha=1.0)
    with pytest.raises(ValueError, match="dataset"):
        critical_distance(3, 0)


def test_friedman_of_demsar():
    result = friedman_test(AUC)
    np.testing.assert_allclose(result.average_ranks, [3.143, 2.000, 2.893, 1.964], atol=6e-4)
    plain = 12 * 14 / 20 * (np.sum(result.average_ranks**2) - 25)
    assert plain == pytest.approx(9.28, abs=0.01)  # Demsar does not correct for ties
    assert result.statistic == pytest.approx(stats.friedmanchisquare(*AUC.to_numpy().T).statistic)
    assert result.p_value == pytest.approx(stats.friedmanchisquare(*AUC.to_numpy().T).pvalue)
    assert result.degrees_of_freedom == (3, 39)
    assert result.iman_davenport == pytest.approx(13 * result.statistic / (14 * 3 - result.statistic))
    assert (result.n_datasets, result.n_methods) == (14, 4)


def test_friedman_at_its_ends():
    even = friedman_test(np.ones((5, 3)))
    assert (even.statistic, even.p_value, even.iman_davenport, even.iman_davenport_p_value) == (0, 1, 0, 1)
    same = friedman_test(np.tile([3.0, 2.0, 1.0], (6, 1)))
    assert same.statistic == pytest.approx(12)
    assert same.iman_davenport == np.inf
    assert same.iman_davenport_p_value == 0
    with pytest.raises(ValueError, match="two methods and two datasets"):
        friedman_test(np.ones((1, 3)))
    with pytest.raises(ValueError, match=r"method 'b' on dataset 1 is missing"):
        friedman_test(pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, np.nan]}))
    with pytest.raises(ValueError, match="table of datasets by methods"):
        average_ranks([1, 2, 3])


def test_ranks_share_ties_and_follow_the_direction():
    scores = pd.DataFrame({"a": [0.9, 0.5], "b": [0.9, 0.7], "c": [0.1, 0.1]}, index=["one", "two"])
    ranks = rank_table(scores)
    assert ranks.loc["one"].tolist() == [1.5, 1.5, 3]
    assert ranks.loc["two"].tolist() == [2, 1, 3]
    assert average_ranks(scores, higher_is_better=False).tolist() == [2.25, 2.75, 1.0]


def test_nemenyi_agrees_with_scikit_posthocs():
    result = nemenyi_test(AUC, alpha=0.10)
    expected = scikit_posthocs.posthoc_nemenyi_friedman(AUC.to_numpy())
    np.testing.assert_allclose(result.p_values, expected, atol=1e-3)
    assert result.critical_distance == pytest.approx(1.12, abs=0.01)
    assert result.significant.loc["C4.5", "C4.5+m"]
    assert result.significant.loc["C4.5", "C4.5+m+cf"]
    assert not result.significant.loc["C4.5", "C4.5+cf"]
    assert result.groups == [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]


def test_groups_of_the_diagram():
    ranks = pd.Series({"a": 1.0, "b": 1.5, "c": 2.0, "d": 4.0})
    assert undistinguished_groups(ranks, 0.75) == [["a", "b"], ["b", "c"]]
    assert undistinguished_groups(ranks, 1.5) == [["a", "b", "c"]]
    assert undistinguished_groups(ranks, 0.1) == []
    assert undistinguished_groups(ranks, 9) == [["a", "b", "c", "d"]]


@settings(max_examples=30)
@given(st.lists(st.floats(1, 6), min_size=2, max_size=7), st.floats(0.01, 4))
def test_groups_are_the_maximal_runs(values, distance):
    ranks = pd.Series(values, index=[f"m{i}" for i in range(len(values))])
    groups = undistinguished_groups(ranks, distance)
    ordered = ranks.sort_values(kind="stable")
    expected = {
        tuple(ordered.index[i : j + 1])
        for i in range(len(ordered))
        for j in range(i + 1, len(ordered))
        if ordered.iloc[j] - ordered.iloc[i] < distance
    }
    maximal = {g for g in expected if not any(set(g) < set(other) for other in expected)}
    assert {tuple(g) for g in groups} == maximal


def test_wilcoxon_of_demsar():
    result = wilcoxon_test(AUC["C4.5+m"], AUC["C4.5"])  # section 3.1.3: z = -2.70..., two losses, two ties
    assert (result.wins, result.ties, result.losses) == (10, 2, 2)
    assert result.p_value < 0.02
    assert result.median_difference > 0
    mirrored = wilcoxon_test(AUC["C4.5+m"], AUC["C4.5"], higher_is_better=False)
    assert (mirrored.wins, mirrored.losses) == (2, 10)
    assert mirrored.p_value == pytest.approx(result.p_value)


def test_wilcoxon_at_its_ends():
    tied = wilcoxon_test([1.0, 2.0], [1.0, 2.0])
    assert (tied.p_value, tied.statistic) == (1, 1.5)  # each sign has half of the ranks 1 and 2
    assert wilcoxon_test([3.0, 0.0], [0.0, 1.0]).statistic == 1  # one win and one loss are no tie
    with pytest.raises(ValueError, match="equally long"):
        wilcoxon_test([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="missing"):
        wilcoxon_test([1.0, np.nan], [1.0, 2.0])


def test_positive_differences_mean_that_the_unlabelled_rows_help():
    np.testing.assert_allclose(compare_modes([0.9, 0.2], [0.8, 0.3]), [0.1, -0.1])
    np.testing.assert_allclose(compare_modes([0.9, 0.2], [0.8, 0.3], higher_is_better=False), [-0.1, 0.1])
