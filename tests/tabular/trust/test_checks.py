"""Each check of a table on both sides of its threshold: a finding on one side, none one row further."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, spearmanr

import sslrank
from sslrank.core.errors import DataError
from sslrank.tabular.fits.settings import RankingSettings
from sslrank.tabular.ranking import rank_own_table
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.column_map import map_columns
from sslrank.tabular.schema.reading import read_own
from sslrank.tabular.schema.roles import ColumnRoles
from sslrank.tabular.trust.checks import run_checks, stop_without_labels
from sslrank.tabular.trust.dependence import detect_dependence
from sslrank.tabular.trust.procedure import Procedure
from sslrank.tabular.trust.redundancy import find_redundancy


def numbers(n=60, d=4, seed=0):
    return pd.DataFrame(np.random.default_rng(seed).normal(size=(n, d)), columns=[f"f{j}" for j in range(d)])


def classes(n_labeled, n_unlabeled=0):
    """Two classes in turn, then rows without one."""
    return [0, 1] * (n_labeled // 2) + [0] * (n_labeled % 2) + [None] * n_unlabeled


def checks_of(X, y, **options):
    """The checks by code, of features that are the better the further left they are."""
    return checks_of_table(own_table(X, np.array(y, dtype=object), ColumnRoles(**options)))


def checks_of_table(table):
    problem = table.coded()
    order = np.arange(problem.X.shape[1])
    columns = map_columns(table, problem)
    procedure = Procedure(problem, detect_dependence(table, problem, columns), [], columns=columns)
    found = run_checks(table, procedure, find_redundancy(problem, order), order)
    return {check.code: check for check in found}


def check(code, X, y, **options):
    return checks_of(X, y, **options)[code]


def test_c01_reports_identifiers_left_out_or_ranked():
    X, y = numbers(), classes(60)
    assert check("C01", X, y).looked_at == "columns that identify rows, and ambiguous dates"
    X["id"] = np.arange(60)
    X["identifier with a unit"] = 1.0  # left out as a constant, whatever its name says
    left_out = check("C01", X, y)
    assert left_out.passed
    assert left_out.looked_at.endswith("left out: id (a row counter)")
    X["who"] = [f"p{i % 40}" for i in range(60)]
    ranked = check("C01", X, y)
    assert ranked.passed is False
    assert ranked.looked_at == left_out.looked_at
    assert ranked.finding == "who: more than half of the rows have a text of their own"


@pytest.mark.parametrize(("n_missing", "passed"), [(30, True), (31, False)])
def test_c02_reports_over_half_missing(n_missing, passed):
    X = numbers(100)
    X.loc[: n_missing - 1, "f2"] = np.nan
    found = check("C02", X, classes(60, 40))
    assert found.passed is passed
    assert ("f2" in found.finding) is not passed


def test_c02_uses_labelled_rows_only():
    X = numbers(100)
    X.loc[60:, "f1"] = np.nan  # missing in all unlabelled rows
    X.loc[60:, "f3"] = 7.0
    assert check("C02", X, classes(60, 40)).passed
    X.loc[:59, "f3"] = 7.0
    X.loc[60:, "f3"] = X.loc[60:, "f0"]
    assert check("C02", X, classes(60, 40)).finding == "empty or constant in the labelled rows: f3"


@pytest.mark.parametrize(("n_wrong", "passed"), [(6, False), (7, True)])
def test_c03_threshold_is_balanced_accuracy_097(n_wrong, passed):
    """A binary feature equals the class except in some rows of each; a tree is right in all others."""
    y = np.repeat([0, 1], 200)
    leak = y.copy()
    leak[:n_wrong], leak[-n_wrong:] = 1, 0
    order = np.random.default_rng(0).permutation(400)
    found = check("C03", numbers(400).assign(leak=leak.astype(float)).iloc[order], y[order])
    assert found.passed is passed
    assert found.finding.startswith("leak (0.97) alone predicts") is not passed


@pytest.mark.parametrize(("spread", "passed"), [(0.13, False), (0.25, True)])
def test_c03_uses_r_squared_for_numbers(spread, passed):
    y = np.repeat(np.arange(4.0), 50)
    order = np.random.default_rng(0).permutation(200)
    noisy = y + spread * np.tile([-1.0, 1.0], 100)  # the share of the variance is 1 - spread² / (1.25 + spread²)
    assert (spread**2 / (1.25 + spread**2) < 0.03) is not passed
    found = check("C03", numbers(200).assign(leak=y).iloc[order], noisy[order], task="regression")
    assert found.passed is False
    assert found.leads is not passed  # from an R squared of 0.9 on it may be another outcome
    assert found.condition.startswith("leak is another outcome") is passed
    weight = np.random.default_rng(1).normal(size=200)
    cut = numbers(200).assign(low=np.where(weight < -1, "low", "normal"))
    found = check("C03", cut, weight, task="regression")
    assert (found.leads, found.options) == (True, {"drop": ["low"]})


@pytest.mark.parametrize(
    ("n_better", "n_labeled", "passed"), [(9, 60, False), (10, 60, True), (9, 10, True), (9, 9, None)]
)
def test_c03_tests_top_ten_with_ten_labelled_rows(n_better, n_labeled, passed):
    y = np.arange(60) % 2
    leak = y if n_labeled == 60 else 0.1 * numbers()["f3"]
    X = numbers(d=n_better, seed=1).assign(leak=leak)
    assert check("C03", X, [*y[:n_labeled], *[None] * (60 - n_labeled)]).passed is passed


@pytest.mark.parametrize(("n_groups", "passed"), [(4, None), (5, False)])
def test_c03_needs_five_groups(n_groups, passed):
    y = classes(60)
    assert check("C03", numbers().assign(leak=y), y, groups=np.arange(60) % n_groups).passed is passed


@pytest.mark.parametrize(("noise", "gaps", "passed"), [(0.0, 0, False), (0.0, 30, False), (0.2, 0, True)])
def test_c03_reports_parts_of_the_target(noise, gaps, passed):
    X = numbers(80)
    X.loc[: gaps - 1, "f2"] = np.nan  # a part that is missing counts as 0
    y = 2 * X["f0"] + X["f2"].fillna(0) + noise * np.random.default_rng(3).normal(size=80)
    found = check("C03", X, y)
    assert found.passed is passed
    assert passed or found.condition == "f0, f2 are parts of the target"


def test_a_row_of_totals_is_named_by_c14_alone():
    X, y = numbers(80) + 10, np.random.default_rng(3).normal(10, 1, 80)
    X.loc[80], y = X.sum(), [*y, y.sum()]
    X["town"] = [*(f"town {i}" for i in range(80)), "Total"]
    found = checks_of(X, y)
    assert [code for code in ("C03", "C14", "C16") if found[code].passed is False] == ["C14"]
    assert "row 80 looks like a total" in found["C14"].finding
    assert "X.drop" in found["C14"].advice


def test_c03_names_one_part_of_the_target():
    X = numbers(40)
    assert check("C03", X, 2 * X["f0"]).condition == "f0 is a part of the target"


def with_association(x, rho):
    """The ranks of a column, the lowest of them in reverse, so that Spearman's correlation is just `rho`."""
    count, ranks = round(len(x) * ((1 - rho) / 2) ** (1 / 3)), rankdata(x)
    twin = np.where(ranks <= count, count - ranks, ranks)
    assert spearmanr(x, twin).statistic == pytest.approx(rho, abs=0.004)
    return twin


@pytest.mark.parametrize(
    ("rho", "is_copy", "is_correlated"),
    [(0.96, True, False), (0.94, False, True), (0.81, False, True), (0.79, False, False)],
)
def test_c04_and_c05_use_association_thresholds(rho, is_copy, is_correlated):
    X = numbers(300)
    for sign in (1, -1):
        found = checks_of(X.assign(twin=sign * with_association(X["f0"], rho)), classes(300))
        assert (found["C04"].passed, found["C05"].passed) == (not is_copy, not is_correlated)


@pytest.mark.parametrize("share", [0.05, 0.4])
def test_c04_finds_rescaled_duplicates_with_gaps(share):
    X, rng = numbers(120), np.random.default_rng(1)
    X["inches"] = (X["f0"] / 2.54 + 1).mask(rng.random(120) < share)
    X["f0"] = X["f0"].mask(rng.random(120) < share)
    y = (numbers(120)["f0"] > 0).astype(int)
    found = sslrank.rank(X, y, methods="f_score", effort="quick", repeats=0)
    near_duplicates = next(each for each in found.checks if each.code == "C04")
    assert {"f0", "inches"} <= set(near_duplicates.finding.replace(",", " ").split())
    assert found.to_frame().set_index("feature").loc[["f0", "inches"], "conditional_q"].max() < 0.1


@pytest.mark.parametrize(
    ("n_duplicates", "finding"),
    [
        (0, ""),
        (1, "1 of 60 labelled rows is a duplicate of another"),
        (5, "5 of 60 labelled rows are duplicates of others"),
    ],
)
def test_c06_counts_duplicated_labelled_rows(n_duplicates, finding):
    X = numbers(100)
    X.iloc[50 : 50 + n_duplicates] = X.iloc[0]  # six equal rows are five duplicates
    X.iloc[80:85] = X.iloc[1]  # duplicates among the unlabelled rows do not count
    found = check("C06", X, classes(60, 40))
    assert (found.passed, found.finding) == (n_duplicates == 0, finding)


def test_c07_and_c08_report_given_groups_and_time():
    assert "20 groups as given" in check("C07", numbers(), classes(60), groups=np.arange(60) % 20).looked_at
    assert "time as given" in check("C08", numbers(), classes(60), time=np.arange(60.0)).looked_at


@pytest.mark.parametrize(("n", "passed"), [(30, True), (29, False)])
def test_c11_reports_few_labelled_rows(n, passed):
    assert check("C11", numbers(40), classes(n, 40 - n)).passed is passed
    stop_without_labels(own_table(numbers(40), np.array(classes(5, 35), dtype=object)))
    with pytest.raises(DataError, match="C11: 4 rows have a target; a ranking needs at least 5"):
        stop_without_labels(own_table(numbers(40), np.array(classes(4, 36), dtype=object)))


@pytest.mark.parametrize(
    ("n_labeled", "n_unlabeled", "passed"), [(29, 60, None), (60, 29, None), (60, 0, None), (30, 30, False)]
)
def test_c13_needs_30_labelled_and_unlabelled_rows(n_labeled, n_unlabeled, passed):
    X = numbers(n_labeled + n_unlabeled)
    X.iloc[n_labeled:] += 5
    assert check("C13", X, classes(n_labeled, n_unlabeled)).passed is passed


@pytest.mark.parametrize(("shift", "low", "high"), [(1.1333, 0.70, 0.75), (1.2889, 0.75, 0.80)])
def test_c13_threshold_is_auc_075(shift, low, high):
    X = numbers(240)
    X.loc[120:, "f1"] += shift
    found = check("C13", X, classes(120, 120))
    assert low < float(found.looked_at.partition("AUC ")[2][:4]) < high
    assert found.passed is (high == 0.75)


def test_c14_says_how_rows_of_a_file_are_left_out(tmp_path):
    X = numbers(60).assign(plot=[*"abcde" * 11, *"abcd", "Total"], y=classes(60))
    X.to_csv(tmp_path / "d.csv", index=False)
    X.to_parquet(tmp_path / "d.parquet")
    csv, parquet = (read_own(tmp_path / name, "y") for name in ("d.csv", "d.parquet"))
    assert checks_of_table(csv)["C14"].options == {"reader": "skip_lines=61"}
    answer = rank_own_table(parquet, RankingSettings(methods="f_score", effort="order")).answer
    assert answer.next_step == "If row 59 is a total of others:"
    assert answer.command == "leave totals out in a copy of the file; rows count from 0"


@pytest.mark.parametrize(("slope", "passed"), [(0.0, False), (0.5, True)])
def test_c16_reports_correlations_of_a_few_far_values(slope, passed):
    X = numbers(100)
    X.loc[[3, 70], "f0"] = 9.0
    y = slope * X["f0"] + np.random.default_rng(5).normal(size=100)
    y[[3, 70]] = 40.0, 55.0
    found = check("C16", X, y)
    assert found.passed is passed
    assert passed or (found.condition, found.leads) == ("rows 3, 70 are errors or not comparable", True)
    X.loc[[3, 70], "f1"], X.loc[~X.index.isin([3, 70]), "f2"] = np.nan, np.nan  # f2 is known only in the far rows
    assert check("C16", X, y).finding == found.finding
    assert check("C16", X, y.clip(-3, 3)).passed


@pytest.mark.parametrize(("shift", "passed"), [(1.5, False), (0.0, True)])
def test_c15_reports_missingness_related_to_target(shift, passed):
    X, rng = numbers(200), np.random.default_rng(2)
    y = np.array(classes(200)).astype(int)
    X["scan"] = rng.normal(size=200)
    X.loc[rng.random(200) < np.where(y == 1, 0.5 + shift / 4, 0.5 - shift / 4), "scan"] = np.nan
    found = check("C15", X, y)
    assert found.passed is passed
    assert passed or "scan is known" in found.finding
    assert found.condition == ("" if passed else "scan is measured because of the target")  # its values are noise
    X["scan"] = np.where(X["scan"].isna(), np.nan, y + 0.5 * rng.normal(size=200))
    assert check("C15", X, y).condition == ""  # known values are related


def test_c15_needs_a_difference_that_matters():
    rng = np.random.default_rng(0)
    y = np.arange(9000) % 2
    X = pd.DataFrame({"a": rng.normal(size=9000), "b": rng.normal(size=9000)})
    X.loc[rng.random(9000) < 0.02 + 0.02 * y, "a"] = np.nan
    assert check("C15", X, y).passed


def test_c03_names_other_times_of_events():
    rng = np.random.default_rng(0)
    time, X = rng.exponential(size=80), numbers(80, 3)
    event = (rng.random(80) < 0.7) * 1
    start = rng.exponential(size=80)
    assert check("C03", X, time, event=event).passed
    found = check("C03", X.assign(weeks=time / 7), time, event=event)
    assert (found.options, found.passed) == ({"drop": ["weeks"]}, False)
    found = check("C03", X.assign(entry=10 * start, exit=10 * start + time), time, event=event)
    assert set(found.options["drop"]) == {"entry", "exit"}
    relapse = event * (rng.random(80) < 0.8)
    found = check("C03", X.assign(relapse=relapse, sex=rng.integers(0, 2, 80), weeks=time / 7), time, event=event)
    assert found.options["drop"] == ["weeks", "relapse"]
    cause = X.assign(cause=np.where(event == 1, rng.choice(["a", "b", "c"], 80), None))
    assert check("C03", cause, time, event=event).options["drop"] == ["cause"]
    progression = np.where(rng.random(80) < 0.5, time * rng.random(80) ** 0.2, np.nan)
    assert check("C03", X.assign(progression=progression), time, event=event).options["drop"] == ["progression"]


def test_order_of_rows_leads_only_with_a_column_of_times():
    steps = np.random.default_rng(3).normal(size=(150, 4))
    for i in range(1, 150):
        steps[i] += 0.95 * steps[i - 1]
    X = pd.DataFrame(steps[:, :3]).add_prefix("x")
    ranking = sslrank.rank(X, steps[:, 3], effort="order")
    found = next(check for check in ranking.checks if check.code == "C08")
    assert (found.passed, found.condition, ranking.answer.caveats) == (False, "", ())
    by_stage = X.assign(stage=np.repeat(["i", "ii", "iii"], 50))
    found = next(check for check in sslrank.rank(by_stage, steps[:, 3], effort="order").checks if check.code == "C08")
    assert (found.passed, "sorted by stage" in found.looked_at) == (None, True)
