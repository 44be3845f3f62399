import itertools

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from scipy import stats

from references.demsar import AUC
from sslrank.stats.pairwise import average_rank_intervals, cliques, hodges_lehmann, holm, pairwise_tests
from sslrank.stats.rank_tests import average_ranks


def test_holm_matches_hand_computation():
    # smallest to largest: 0.01 * 4, 0.02 * 3, 0.03 * 2, 0.04 * 1, then no value below the one before
    np.testing.assert_allclose(holm([0.04, 0.01, 0.03, 0.02]), [0.06, 0.04, 0.06, 0.06])
    np.testing.assert_allclose(holm([0.9, np.nan, 0.6]), [1.0, np.nan, 1.0])
    assert len(holm([])) == 0


@pytest.mark.parametrize("n", [6, 9, 30])
def test_hodges_lehmann_has_the_centres_that_wilcoxon_does_not_reject(n):
    values = np.random.default_rng(n).normal(size=n)
    estimate, low, high = hodges_lehmann(values)
    assert estimate == np.median([(a + b) / 2 for a, b in itertools.combinations_with_replacement(values, 2)])
    for end, inside in ((low, 1e-9), (high, -1e-9)):
        p_values = [stats.wilcoxon(values - end - step, method="exact").pvalue for step in (inside, -inside)]
        assert p_values[0] > 0.05 >= p_values[1]


def test_hodges_lehmann_of_a_published_example():
    # Hamilton's depression scores of nine patients: Hollander, Wolfe (1999), Nonparametric statistical methods, 3.1-3.3
    before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    assert hodges_lehmann(np.subtract(before, after)) == pytest.approx((0.46, 0.01, 0.786))
    assert np.isnan(hodges_lehmann([])).all()


def test_pairs_agree_with_scikit_posthocs_and_scipy():
    pairs = pairwise_tests(AUC)
    long = AUC.melt(var_name="method", value_name="auc")
    options = {"val_col": "auc", "group_col": "method", "zero_method": "zsplit"}
    raw = scikit_posthocs.posthoc_wilcoxon(long, **options)
    corrected = scikit_posthocs.posthoc_wilcoxon(long, p_adjust="holm", **options)
    assert len(pairs) == 6
    for pair in pairs.itertuples():
        assert pair.p_value == pytest.approx(raw.loc[pair.first, pair.second])
        assert pair.p_value == stats.wilcoxon(AUC[pair.first], AUC[pair.second], zero_method="zsplit").pvalue
        assert pair.p_holm == pytest.approx(corrected.loc[pair.first, pair.second])
        assert pair.mean_difference == pytest.approx(AUC[pair.first].mean() - AUC[pair.second].mean())
        assert pair.significant == (pair.p_holm < 0.05)
        interval = stats.ttest_rel(AUC[pair.first], AUC[pair.second]).confidence_interval(0.95)
        assert (pair.low, pair.high) == pytest.approx((interval.low, interval.high))


def test_pairs_do_not_depend_on_other_methods():
    own = ["first", "second", "n_datasets", "mean_difference", "wins", "ties", "losses", "p_value"]
    every = pairwise_tests(AUC)
    gaps = AUC.assign(other=np.where(np.arange(14) < 5, np.nan, 0.5))  # a method that lacks five datasets
    wide = pairwise_tests(gaps)
    pd.testing.assert_frame_equal(wide[wide["second"] != "other"][own].reset_index(drop=True), every[own])
    assert (wide.loc[wide["second"] == "other", "n_datasets"] == 9).all()
    assert (wide[wide["second"] != "other"]["p_holm"].to_numpy() >= every["p_holm"].to_numpy()).all()


def test_pairs_edge_cases():
    tied = pairwise_tests(pd.DataFrame({"a": [0.5, 0.7], "b": [0.5, 0.7], "c": [np.nan, np.nan]}))
    assert tied["p_value"].fillna(-1).tolist() == [1, -1, -1]
    assert tied["n_datasets"].tolist() == [2, 0, 0]
    assert tied["ties"].tolist() == [2, 0, 0]
    assert not tied["significant"].any()
    one = pairwise_tests(pd.DataFrame({"a": [0.5], "b": [0.4]})).iloc[0]
    assert (one.wins, one.p_value, one.mean_difference) == (1, 1.0, pytest.approx(0.1))
    assert pairwise_tests(pd.DataFrame({"a": [0.5]})).empty
    with pytest.raises(ValueError, match="'a' is duplicated"):
        pairwise_tests(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def pairs_that_differ(names, differ):
    rows = [(*pair, pair in differ) for pair in itertools.combinations(names, 2)]
    return pd.DataFrame(rows, columns=["first", "second", "significant"])


def test_diagram_cliques():
    assert cliques("abcd", pairs_that_differ("abcd", {("a", "d")})) == [["a", "b", "c"], ["b", "c", "d"]]
    assert cliques("abc", pairs_that_differ("abc", {("a", "b"), ("a", "c"), ("b", "c")})) == []
    assert cliques("abc", pairs_that_differ("abc", set())) == [["a", "b", "c"]]
    # no test distinguishes a and c, but b between them differs from a: no bar from a passes over b
    assert cliques("abc", pairs_that_differ("abc", {("a", "b")})) == [["b", "c"]]


def test_average_rank_intervals():
    found = average_rank_intervals(AUC)
    np.testing.assert_array_equal(found["average_rank"], average_ranks(AUC))
    assert ((found["lower"] < found["average_rank"]) & (found["average_rank"] < found["upper"])).all()
    pd.testing.assert_frame_equal(found, average_rank_intervals(AUC))
    # the same as SciPy's bootstrap, but for the random numbers
    ranks = stats.rankdata(-AUC.to_numpy(), axis=1)
    interval = stats.bootstrap((ranks,), np.mean, axis=0, method="percentile", random_state=np.random.default_rng(1))
    np.testing.assert_allclose(found["lower"], interval.confidence_interval.low, atol=0.08)
    np.testing.assert_allclose(found["upper"], interval.confidence_interval.high, atol=0.08)


def test_intervals_edge_cases():
    one = average_rank_intervals(pd.DataFrame({"a": [1.0], "b": [0.0]}))
    assert one["average_rank"].tolist() == [1, 2]
    assert one[["lower", "upper"]].isna().all().all()
    even = average_rank_intervals(np.ones((5, 3)))
    assert (even == 2).all().all()
    with pytest.raises(ValueError, match="missing"):
        average_rank_intervals(pd.DataFrame({"a": [1.0, np.nan], "b": [1.0, 2.0]}))
