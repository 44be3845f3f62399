import numpy as np
import pandas as pd
import pytest
from scipy import stats

from references.demsar import AUC
from sslrank.stats.rank_tests import (
    average_ranks,
    corrected_resampled_t_test,
    critical_distance,
    friedman_test,
    rank_table,
    signed_rank_p,
    wilcoxon_test,
)


def test_critical_distances_match_publications():
    assert round(critical_distance(4, 28, alpha=0.05), 4) == 0.8864  # eca, Fig. 3
    assert round(critical_distance(4, 14, alpha=0.10), 2) == 1.12  # Demsar 2006, section 3.2.2
    for n_methods, n_datasets, alpha in ((1, 10, 0.05), (3, 0, 0.05), (3, 10, 1.0)):
        with pytest.raises(ValueError, match="two methods, one dataset and 0 < alpha < 1 are needed"):
            critical_distance(n_methods, n_datasets, alpha)


def test_friedman_matches_demsar():
    result = friedman_test(AUC)
    plain = 12 * 14 / 20 * (np.sum(average_ranks(AUC) ** 2) - 25)
    assert plain == pytest.approx(9.28, abs=0.01)  # Demsar does not correct for ties
    assert result[:2] == pytest.approx(stats.friedmanchisquare(*AUC.to_numpy().T))
    assert result.iman_davenport == pytest.approx(13 * result.statistic / (14 * 3 - result.statistic))
    assert result.iman_davenport_p_value == pytest.approx(stats.f.sf(result.iman_davenport, 3, 39))


def test_friedman_edge_cases():
    assert friedman_test(np.ones((5, 3))) == (0, 1, 0, 1)
    same = friedman_test(np.tile([3.0, 2.0, 1.0], (6, 1)))
    assert (same.statistic, same.iman_davenport, same.iman_davenport_p_value) == (pytest.approx(12), np.inf, 0)
    with pytest.raises(ValueError, match="three methods and two datasets"):
        friedman_test(np.ones((5, 2)))
    with pytest.raises(ValueError, match=r"method 'b' on dataset 1 is missing"):
        friedman_test(pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, np.nan]}))


def test_ranks_share_ties_and_follow_the_direction():
    scores = pd.DataFrame({"a": [0.9, 0.5], "b": [0.9, 0.7], "c": [0.1, 0.1]}, index=["one", "two"])
    ranks = rank_table(scores)
    assert ranks.loc["one"].tolist() == [1.5, 1.5, 3]
    assert ranks.loc["two"].tolist() == [2, 1, 3]
    assert average_ranks(scores, higher_is_better=False).tolist() == [2.25, 2.75, 1.0]


def test_wilcoxon_matches_demsar():
    result = wilcoxon_test(AUC["C4.5+m"], AUC["C4.5"])  # section 3.1.3: z = -2.70..., two losses, two ties
    assert (result.wins, result.ties, result.losses) == (10, 2, 2)
    assert result.p_value < 0.02
    assert result.median_difference > 0
    mirrored = wilcoxon_test(AUC["C4.5+m"], AUC["C4.5"], higher_is_better=False)
    assert (mirrored.wins, mirrored.losses) == (2, 10)
    assert mirrored.p_value == pytest.approx(result.p_value)


@pytest.mark.parametrize("zero_method", ["zsplit", "wilcox"])
@pytest.mark.parametrize("values", [[0, 0, 3, -1, 2, 2], [3, -1, 2, 4, 0], [1, 1, -1, 2, 5], np.arange(-4, 14)])
def test_signed_rank_p_equals_scipy(values, zero_method):
    assert signed_rank_p(values, zero_method) == stats.wilcoxon(values, zero_method=zero_method).pvalue


def test_wilcoxon_edge_cases():
    tied = wilcoxon_test([1.0, 2.0], [1.0, 2.0])
    assert tied == (1, 0, 2, 0, 0)
    assert wilcoxon_test([3.0, 0.0], [0.0, 1.0])[1:4] == (1, 0, 1)  # one win and one loss are no tie
    with pytest.raises(ValueError, match="equally long"):
        wilcoxon_test([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="missing"):
        wilcoxon_test([1.0, np.nan], [1.0, 2.0])


def test_corrected_t_test_matches_formula():
    """Mean 1, variance 2 and 1/4 + 1/3 under the root: t = 1 / sqrt(7/6) with 3 degrees of freedom."""
    t = 1 / np.sqrt(7 / 6)
    # Distribution of t with 3 degrees of freedom, in closed form.
    cdf = 0.5 + (t / np.sqrt(3) / (1 + t * t / 3) + np.arctan(t / np.sqrt(3))) / np.pi
    assert corrected_resampled_t_test([-1, 1, 2, 2], 1 / 3) == pytest.approx(2 * (1 - cdf))
