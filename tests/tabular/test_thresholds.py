"""Each check of a table on both sides of its threshold: a finding on one side, none one row further."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, spearmanr

import sslrank
from sslrank.core.errors import DataError


def numbers(n=60, d=4, seed=0):
    return pd.DataFrame(np.random.default_rng(seed).normal(size=(n, d)), columns=[f"f{j}" for j in range(d)])


def classes(n_labeled, n_unlabeled=0):
    """Two classes in turn, then rows without one."""
    return np.array([0, 1] * ((n_labeled + 1) // 2), dtype=object)[:n_labeled].tolist() + [None] * n_unlabeled


def check(code, X, y, **options):
    """One check of a ranking of all rows."""
    found = sslrank.rank(X, np.array(y), methods="f_score", effort="order", random_state=0, n_jobs=1, **options)
    return next(each for each in found.checks if each.code == code)


def with_association(x, rho, noise):
    """Mix a column with noise until Spearman's correlation is just `rho`."""
    low, high = 0.0, 1.0
    for _ in range(50):
        share = (low + high) / 2
        mixed = share * rankdata(x) / len(x) + (1 - share) * rankdata(noise) / len(x)
        low, high = (share, high) if spearmanr(x, mixed).statistic < rho else (low, share)
    assert abs(spearmanr(x, mixed).statistic - rho) < 0.002
    return mixed


# --- C02 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_missing", "passed"), [(30, True), (31, False)])
def test_c02_more_than_half_of_the_labelled_rows(n_missing, passed):
    X = numbers(100)
    X.loc[: n_missing - 1, "f2"] = np.nan
    found = check("C02", X, classes(60, 40))
    assert found.passed is passed
    assert ("f2" in found.finding) is not passed


def test_c02_is_about_labelled_rows():
    X = numbers(100)
    X.loc[60:, "f1"] = np.nan  # missing in all unlabelled rows
    X.loc[60:, "f3"] = 7.0
    assert check("C02", X, classes(60, 40)).passed
    X.loc[:59, "f3"] = 7.0
    X.loc[60:, "f3"] = X.loc[60:, "f0"]
    assert check("C02", X, classes(60, 40)).finding == "empty or constant in the labelled rows: f3"


# --- C03 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_wrong", "passed"), [(6, False), (7, True)])
def test_c03_balanced_accuracy_of_097(n_wrong, passed):
    """A feature of two values that is the class but in some rows of each: a tree is right in all others."""
    y = np.repeat([0, 1], 200)
    leak = y.copy()
    leak[:n_wrong], leak[-n_wrong:] = 1, 0
    order = np.random.default_rng(0).permutation(400)
    found = check("C03", numbers(400).assign(leak=leak.astype(float)).iloc[order], y[order])
    assert found.passed is passed
    assert found.finding.startswith("leak (0.97) alone predicts") is not passed


@pytest.mark.parametrize(("spread", "passed"), [(0.13, False), (0.25, True)])
def test_c03_r_squared_of_a_number(spread, passed):
    y = np.repeat(np.arange(4.0), 50)
    order = np.random.default_rng(0).permutation(200)
    noisy = y + spread * np.tile([-1.0, 1.0], 100)  # the share of the variance is 1 - spread² / (1.25 + spread²)
    assert (spread**2 / (1.25 + spread**2) < 0.03) is not passed
    found = check("C03", numbers(200).assign(leak=y).iloc[order], noisy[order], task="regression")
    assert found.passed is passed


@pytest.mark.parametrize(("n_better", "passed"), [(9, False), (10, True)])
def test_c03_looks_at_the_ten_best(n_better, passed):
    rng = np.random.default_rng(1)
    leak = np.repeat([-1.0, 0.0, 0.0, 1.0], 25)  # no class mean differs, so that F is 0
    y = (leak != 0).astype(int)
    others = rng.normal(size=(100, n_better)) + y[:, None]
    order = rng.permutation(100)
    X = pd.DataFrame(others).add_prefix("better").assign(leak=leak)
    assert check("C03", X.iloc[order], y[order]).passed is passed


@pytest.mark.parametrize(("n", "passed"), [(9, None), (10, True)])
def test_c03_needs_ten_labelled_rows(n, passed):
    assert check("C03", numbers(20), classes(n, 20 - n)).passed is passed


# --- C04, C05 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("rho", "is_copy", "is_correlated"),
    [(0.96, True, False), (0.94, False, True), (0.81, False, True), (0.79, False, False)],
)
def test_c04_and_c05_by_the_association(sign, rho, is_copy, is_correlated):
    X = numbers(300)
    X["twin"] = sign * with_association(X["f0"], rho, X["f3"])
    X = X.drop(columns="f3")
    assert check("C04", X, classes(300)).passed is not is_copy
    assert check("C05", X, classes(300)).passed is not is_correlated


# --- C06 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_duplicates", "finding"),
    [
        (0, ""),
        (1, "1 of 60 labelled rows is a duplicate of another"),
        (5, "5 of 60 labelled rows are duplicates of others"),
    ],
)
def test_c06_counts_labelled_rows_that_are_duplicates_of_others(n_duplicates, finding):
    X = numbers(100)
    X.iloc[50 : 50 + n_duplicates] = X.iloc[0]  # six equal rows are five duplicates
    X.iloc[80:85] = X.iloc[1]  # duplicates among the unlabelled rows do not count
    found = check("C06", X, classes(60, 40))
    assert found.passed is (n_duplicates == 0)
    assert found.finding == finding


# --- C11 ------------------------------------------------------------------------------------------------------


def test_c11_five_labelled_rows_are_needed():
    assert check("C11", numbers(40), classes(5, 35)).passed is False
    with pytest.raises(DataError, match="C11: 4 rows have a target; a ranking needs at least 5"):
        check("C11", numbers(40), classes(4, 36))
    with pytest.raises(DataError, match="C11: all 20 labelled rows have the target '0'"):
        check("C11", numbers(40), [0] * 20 + [None] * 20)


@pytest.mark.parametrize(("n", "passed"), [(30, True), (29, False)])
def test_c11_from_30_labelled_rows_on_nothing_is_said(n, passed):
    assert check("C11", numbers(40), classes(n, 40 - n)).passed is passed


@pytest.mark.parametrize(
    ("n_labeled", "n_unlabeled", "passed"), [(29, 60, None), (60, 29, None), (60, 0, None), (30, 30, False)]
)
def test_c13_needs_30_rows_of_each_kind(n_labeled, n_unlabeled, passed):
    X = numbers(n_labeled + n_unlabeled)
    X.iloc[n_labeled:] += 5
    assert check("C13", X, classes(n_labeled, n_unlabeled)).passed is passed


@pytest.mark.parametrize(("shift", "low", "high"), [(1.1333, 0.70, 0.75), (1.2889, 0.75, 0.80)])
def test_c13_an_auc_of_075(shift, low, high):
    X = numbers(240)
    X.loc[120:, "f1"] += shift
    found = check("C13", X, classes(120, 120))
    assert low < float(found.looked_at.partition("AUC ")[2][:4]) < high
    assert found.passed is (high == 0.75)


# --- copies with gaps, C14, C15, parts of the target -----------------------------------------------------------------


@pytest.mark.parametrize("share", [0.05, 0.2, 0.4])
def test_c04_a_copy_in_other_units_with_gaps_of_its_own_is_a_copy(share):
    X, rng = numbers(120), np.random.default_rng(1)
    X["inches"] = (X["f0"] / 2.54 + 1).mask(rng.random(120) < share)
    X["f0"] = X["f0"].mask(rng.random(120) < share)
    y = (numbers(120)["f0"] > 0).astype(int)
    found = sslrank.rank(X, y, methods="f_score", effort="quick", random_state=0, n_jobs=1)
    copies = next(each for each in found.checks if each.code == "C04")
    assert {"f0", "inches"} <= set(copies.finding.replace(",", " ").split())
    assert found.to_frame().set_index("feature").loc[["f0", "inches"], "conditional_q"].max() < 0.1


@pytest.mark.parametrize(("name", "passed"), [("Total", False), ("f", True)])
def test_c14_a_row_of_totals_is_named(name, passed):
    X = numbers(60).assign(plot=[*"abcde" * 11, *"abcd", name])
    found = check("C14", X, classes(60))
    assert found.passed is passed
    assert passed or ("row 59 looks like a total" in found.finding and "X.drop" in found.advice)


@pytest.mark.parametrize(("shift", "passed"), [(1.5, False), (0.0, True)])
def test_c15_gaps_that_say_the_target(shift, passed):
    X, rng = numbers(200), np.random.default_rng(2)
    y = np.array(classes(200)).astype(int)
    X["scan"] = rng.normal(size=200)
    X.loc[rng.random(200) < np.where(y == 1, 0.5 + shift / 4, 0.5 - shift / 4), "scan"] = np.nan
    found = check("C15", X, y)
    assert found.passed is passed
    assert passed or ("scan is known" in found.finding and found.condition == "scan is measured because of the target")


@pytest.mark.parametrize(("noise", "passed"), [(0.0, False), (0.2, True)])
def test_c03_parts_of_the_target(noise, passed):
    X = numbers(80)
    y = 2 * X["f0"] + X["f2"] + noise * np.random.default_rng(3).normal(size=80)
    found = check("C03", X, y)
    assert found.passed is passed
    assert passed or found.condition == "f0, f2 are parts of the target"
