"""Assessment of a ranking: null tests, half-samples, curves over folds, redundancy, dependent rows."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, f_oneway, rankdata, spearmanr, t
from sklearn.metrics import average_precision_score

from sslrank.core.features import encode_features
from sslrank.hypothesis_tests.combining import cauchy
from sslrank.hypothesis_tests.design import Design
from sslrank.hypothesis_tests.half_samples import HalfSampleRanks, halves
from sslrank.metrics.single import auprc_rarer
from sslrank.tabular.fits.folds import make_folds, repeated_folds
from sslrank.tabular.fits.methods import RankingMethod
from sslrank.tabular.fits.settings import RankingSettings
from sslrank.tabular.fits.work import ParallelFits
from sslrank.tabular.output.terminal import block_lines, ranking_lines
from sslrank.tabular.ranking import rank
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.roles import ColumnRoles
from sslrank.tabular.trust import redundancy
from sslrank.tabular.trust.dependence import Dependence, detect_dependence
from sslrank.tabular.trust.procedure import Procedure
from sslrank.tabular.trust.redundancy import associations, find_redundancy
from sslrank.tabular.trust.significance import sampled_rows
from sslrank.tabular.trust.stability.feature_curve import (
    Curve,
    corrected_error,
    evaluation_note,
    feature_curve,
    limit_evaluated_rows,
)
from sslrank.tabular.trust.stability.measures import chance_level, choose_measure
from sslrank.tabular.trust.stability.unlabeled import compare_with_unlabeled


def numbers(n=60, d=6, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def problem_of(X, y, **options):
    table = own_table(X, np.asarray(y, dtype=object), ColumnRoles(**options))
    return table, table.coded()


def test_many_labelled_rows_are_sampled_by_strata():
    problem = problem_of(numbers(100), np.arange(100) % 4 == 0)[1]
    rows = sampled_rows(problem, 20, 0)
    assert len(rows) == len(set(rows)) == 20
    assert problem.y[rows].sum() == 5


def test_named_blocks_are_ranked_and_tested():
    X = pd.DataFrame(numbers(100, 7), columns=list("abcdefg"))
    y = np.where(X["b"] + X["c"] + 0.5 * numbers(100, 1, seed=1)[:, 0] > 0, "yes", "no")
    found = rank(X, y, methods="f_score", effort="order", blocks={"size": ["b", "c"], "rest": ["d", "e", "f"]})
    size, rest = found.blocks.to_dict("records")
    assert (size["block"], size["rank"], size["of"], rest["block"]) == ("size", 1, 4, "rest")
    assert size["p"] == pytest.approx(float(cauchy(found.tests.p_values[[1, 2]])))
    assert max(size["q"], size["conditional_q"]) < 0.01 < 0.05 < min(rest["q"], rest["conditional_q"])
    assert sorted(size["features"]) == ["b", "c"]
    assert found.to_dict()["blocks"][0]["block"] == "size"
    assert block_lines(found)[0].startswith("block size: rank 1 of 4, q <0.01, conditional q <0.01 (")
    lines = ranking_lines(found)
    assert sum("as 1" in line for line in lines) == 1  # c or b, whose conditional q stands at the other one


@pytest.mark.parametrize("with_groups", [False, True])
def test_half_samples_are_disjoint_and_stratified(with_groups):
    y = np.array([0, 1] * 20 + [None] * 10, dtype=object)
    problem = problem_of(numbers(50), y)[1]
    groups = np.append(np.repeat(np.arange(20), 2), np.arange(20, 30))
    (a, c), (b, d) = halves(problem, Design(groups=groups, unit="groups") if with_groups else Design(), 3)
    assert sorted([*a, *b]) == list(range(40))
    assert sorted([*c, *d]) == list(range(40, 50))
    assert len(a) == len(b) == 20
    assert problem.y[a].sum() == 10
    assert not with_groups or not set(groups[a]) & set(groups[b])
    time = np.random.default_rng(0).permutation(50)
    stretches = Design(time=time, unit="times").splits
    assert all(np.ptp(time[stretches == number]) == 4 for number in range(10))
    (a, _), (b, _) = halves(problem, Design(time=time, unit="times"), 3)
    assert not set(stretches[a]) & set(stretches[b])
    sizes = [1, 9] * 4
    y, groups = np.repeat(np.arange(8) // 2, sizes), np.repeat(np.arange(8), sizes)
    (a, _), (b, _) = halves(problem_of(numbers(40), y)[1], Design(groups=groups, unit="groups"), 3)
    assert set(y[a]) == set(y[b]) == {0, 1, 2, 3}  # a group of each class, whatever its size


def test_equal_features_are_selected_by_chance():
    found = HalfSampleRanks(np.full((100, 2, 10), 5.5)).selected(3, 0)
    assert (found.sum(axis=1) == 3).all()
    assert found.mean(axis=0).max() < 0.45


def test_rank_intervals_use_two_sided_t_quantile():
    """Coverage of 80 %: a tenth beyond each end, with one degree of freedom per pair."""
    samples = HalfSampleRanks(np.random.default_rng(0).random((8, 2, 30)).argsort(axis=2) + 1.0)
    for q, share in ((1.0, 1.0), (0.25, 0.75), (0.0, 0.5)):  # noise; related: half the variance of half a table
        low, high = samples.intervals(np.full(30, 15.5), np.full(30, q))
        inside = (low > 1) & (high < 30)
        assert inside.any()
        np.testing.assert_allclose((high - low)[inside], 2 * t.ppf(0.9, 8) * samples.spread[inside] * np.sqrt(share))


def test_tied_ranks_have_spread_of_random_order():
    found = HalfSampleRanks(np.full((6, 2, 5), 3.0))
    np.testing.assert_allclose(found.spread, np.std(np.arange(5)))
    found = HalfSampleRanks(np.array([[[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 9]]] * 2))
    variance = [0, 0, 0, 4.5 / 5, 4.5 / 4, 4.5 + 4.5 / 3]  # half of (9 - 6)², and its mean over two features each side
    np.testing.assert_allclose(found.spread**2, np.divide(variance, 2))


def test_unequal_classes_use_balanced_measures():
    rare, X = np.arange(100) < 5, numbers(100)
    few, enough = (choose_measure(problem_of(X, np.arange(100) < n)[1]) for n in (9, 10))
    assert few == ("auprc_rarer", "one class has 9% of the labelled rows")
    assert enough == ("balanced_accuracy", "")
    problem = problem_of(X, rare)[1]
    assert choose_measure(problem, "accuracy")[0] == "accuracy"
    levels = {"auprc_rarer": 0.05, "balanced_accuracy": 0.5, "accuracy": 0.95, "f1_macro": 0.95 / 1.95}
    assert {name: chance_level(problem, name) for name in levels} == pytest.approx(levels)
    assert chance_level(problem_of(X, np.exp(X[:, 1]))[1], "rrmse") == pytest.approx(1)
    shares = np.column_stack([1 - X[:, 0], X[:, 0]])
    assert auprc_rarer(rare, shares) == pytest.approx(average_precision_score(rare, X[:, 0]))


def test_curve_has_size_range_or_is_flat():
    X = numbers(90, 8)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    _, problem = problem_of(X, y)
    order = -np.arange(8.0)
    folds = repeated_folds(problem, 0, Design())
    assert len(folds) == 15
    curve = feature_curve(problem, order, folds, RankingSettings())
    best = curve.table.set_index("size").loc[curve.best]
    inside = curve.table[curve.table["size"].between(curve.enough, curve.upper)]
    assert (inside["best"] >= best["best"] - best["error"]).all()
    assert curve.enough == 2 <= curve.upper
    assert curve.table["size"].tolist() == [*range(1, 9)]
    assert curve.eca == pytest.approx((curve.table["best"] - curve.table["worst"]).mean() / 2)
    by_neighbors = feature_curve(problem, order, folds, RankingSettings(predictor="knn"))
    assert by_neighbors.enough <= 2 <= by_neighbors.upper < 8  # more columns harm neighbours
    assert curve.chance == 0.5
    assert curve.describe().startswith(f"{curve.enough} feature")
    noise = feature_curve(problem_of(X, np.random.default_rng(3).permutation(y))[1], order, folds, RankingSettings())
    assert noise.describe("it").startswith("No number of features is shown to predict it better than chance (balanced")


@pytest.mark.parametrize(
    ("error", "enough", "said"),
    [
        (0.09, 2, "2 features are enough to predict it by a tree (accuracy 0.70; 0.65 with all, 0.50 by chance)"),
        (0.11, 2, "No number of features is shown to predict it better than chance (accuracy 0.70 at best, "),
        (0.09, 1, "One feature predicts it about as well as more do (accuracy 0.70 at best, 0.50 by chance)"),
    ],
)
def test_curve_is_informative_two_errors_above_chance(error, enough, said):
    table = pd.DataFrame({"size": [1, 2, 3], "best": [0.6, 0.7, 0.65], "error": error})
    curve = Curve(table, "accuracy", True, "a tree", 5, 1, 2, enough, 3, 0.5, 0.0)
    assert curve.describe("it").startswith(said)
    assert curve.is_conclusive == said.startswith("2 features")


def test_all_rankings_are_evaluated_on_the_same_split():
    _, problem = problem_of(numbers(40), np.arange(40) % 2)
    folds = make_folds(problem, 5, 0, Design())
    assert limit_evaluated_rows(folds, problem.labeled, 6, 0)[0][1].tolist() == folds[0][1].tolist()
    assert evaluation_note(problem) == []
    few = limit_evaluated_rows(folds, problem.labeled, 10**7, 0)
    assert max(len(part) for fold in few for part in fold) == 10


def test_time_folds_train_on_earlier_rows():
    time = np.random.default_rng(0).permutation(60).astype(float)
    table, problem = problem_of(numbers(60), np.arange(60) % 2, time=time)
    folds = repeated_folds(problem, 0, Design(time=table.row_columns.time, unit="times"))
    assert len(folds) == 5
    assert all(time[train].max() < time[test].min() for train, test in folds)


def test_repeated_fold_error_corrects_for_overlap():
    values = np.array([[1.0, 2.0, 3.0, 4.0]])
    folds = [(np.arange(8), np.arange(2))] * 4
    assert corrected_error(values, folds)[0] == pytest.approx(np.sqrt(np.var([1, 2, 3, 4], ddof=1) * (1 / 4 + 2 / 8)))


def test_associations_match_spearman_and_cramers_v():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 400))
    codes, others = rng.integers(0, 3, 400), rng.integers(0, 60, 400)
    X = np.column_stack([a, -np.exp(a), b, codes, codes, others])
    found = associations(X, np.array([False, False, False, True, True, True]))
    assert found[0, 1] == pytest.approx(1)
    assert found[0, 2] == pytest.approx(abs(spearmanr(a, b).statistic))
    assert found[3, 4] == pytest.approx(1, abs=1e-6)
    assert found[3, 5] < 0.2  # 60 categories would have 0.27 without the correction
    assert np.sqrt(chi2_contingency(pd.crosstab(codes, others)).statistic / 400 / 2) > 0.25
    assert found[0, 5] < 0.2
    np.testing.assert_allclose(found, found.T)
    ranks = rankdata(a + codes)
    F = f_oneway(*(ranks[codes == code] for code in range(3))).statistic
    eta = F * 2 / (F * 2 + 400 - 3)
    between = associations(np.column_stack([a + codes, codes]), np.array([False, True]))
    assert between[0, 1] == pytest.approx(np.sqrt(1 - (1 - eta) * 399 / 397))


def test_near_duplicates_predict_each_other():
    """A group determines its mean and a city its country; the reverse does not hold."""
    rng = np.random.default_rng(1)
    group, city = rng.integers(30, size=600), rng.integers(20, size=600)
    mean = rng.normal(size=30)[group] + 0.1 * rng.normal(size=600)
    X = np.column_stack([group, mean, city, city // 4, rng.permutation(20)[city]])
    nominal = np.array([True, False, True, True, True])
    assert associations(X, nominal)[[0, 2], [1, 3]] == pytest.approx([1, 1], abs=0.02)
    problem = replace(problem_of(X, np.arange(600) % 2)[1], features=encode_features(X, nominal))
    found = find_redundancy(problem, np.arange(5))
    assert found.groups() == [[2, 4]]
    assert sorted(map(sorted, found.groups("correlated"))) == [[0, 1], [2, 3, 4]]
    problem = replace(problem, features=encode_features(X[:, [4, 2]], [1]))  # numbers of categories
    assert find_redundancy(problem, np.arange(2)).groups() == [[0, 1]]


def test_duplicated_rows_are_found_unless_values_are_coarse():
    X, y = numbers(30, 4), np.arange(30) % 2
    rows = np.repeat(np.arange(30), 3)
    table, problem = problem_of(X[rows], y[rows])
    found = detect_dependence(table, problem)
    assert found.n_duplicates == 60
    assert found.design.unit == "groups"
    coarse = (X[rows] > 0) * 1.0
    table, problem = problem_of(coarse, y[rows])
    assert detect_dependence(table, problem).n_duplicates == 0
    age = pd.DataFrame({"age": np.arange(300) % 40, "is_ill": np.arange(300) % 7 == 0})
    table, problem = problem_of(age, np.arange(300) % 2)
    assert detect_dependence(table, problem).n_duplicates == 0


@pytest.mark.parametrize("measure", ["r2", "rrmse"])
def test_gain_from_unlabelled_rows_is_positive_for_all_measures(measure, monkeypatch):
    """Without unlabelled rows the irrelevant features come first, with them the relevant one."""
    X = numbers(80, 8)
    _, problem = problem_of(X, np.where(np.arange(80) < 30, X[:, 0] + 0.1 * X[:, 1], np.nan), task="regression")
    ranks = iter([np.tile(np.arange(8.0, 0, -1), (5, 1)), np.tile(np.arange(1.0, 9), (5, 1))])
    monkeypatch.setattr(Procedure, "fold_ranks", lambda *_, **__: next(ranks))
    with ParallelFits() as work:
        asked = (make_folds(problem, 5, 0, Design()), work, RankingSettings(measure=measure))
        found = compare_with_unlabeled(Procedure(problem, Dependence(), [RankingMethod("relief")]), *asked)
        supervised = Procedure(problem, Dependence(), [RankingMethod("information_gain")])
        assert compare_with_unlabeled(supervised, *asked) == {}
    assert 0 < found["low"] < found["change"] < found["high"]
    assert found["n_rows"] == 50


def test_indicators_are_of_the_most_frequent_categories(monkeypatch):
    monkeypatch.setattr(redundancy, "_MAX_LEVELS", 2)
    columns = redundancy.indicators(np.array([0.0, 1.0, 1.0, 2.0, 2.0, 2.0, np.nan]))
    np.testing.assert_array_equal(columns.sum(axis=0), [3, 2])
