"""Tests of features as scikit-learn estimators."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from coded import classes, features_of
from sslrank import FScore
from sslrank.hypothesis_tests import ConditionalTest, HalfSamples, MarginalTest, PairTest
from sslrank.hypothesis_tests.conditional import conditional_tests
from sslrank.hypothesis_tests.related import find_related


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 6))
    return X, (X[:, 1] + 0.5 * rng.normal(size=90) > 0).astype(int)


def test_estimators_give_the_numbers_of_rank(table):
    X, y = table
    found, added = MarginalTest().fit(X, y), ConditionalTest().fit(X, y)
    np.testing.assert_array_equal(found.q_values_, find_related(features_of(X), classes(y)).q_values)
    np.testing.assert_array_equal(added.p_values_, conditional_tests(features_of(X), classes(y)).p_values)
    assert found.transform(X).shape == (90, found.get_support().sum())
    assert clone(found).get_params() == found.get_params()
    assert make_pipeline(MarginalTest(), LogisticRegression()).fit(X, y).score(X, y) > 0.8


def test_frames_and_partly_labelled_targets_are_read(table):
    X, y = table
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(shade=np.where(X[:, 0] > 0, "dark", "light"))
    labels = pd.Series(np.where(np.arange(90) % 3, y, -1))
    found = MarginalTest().fit(frame, labels)
    assert found.feature_names_in_.tolist() == [*"abcdef", "shade"]
    assert found.get_feature_names_out().tolist() == ["b"]
    rows = np.arange(90) % 3 > 0
    np.testing.assert_array_equal(found.p_values_, MarginalTest().fit(frame[rows], labels[rows]).p_values_)


def test_the_design_changes_what_is_exchanged(table):
    X, y = table
    week = np.arange(90) % 9
    panel = MarginalTest().fit(X, y, groups=np.arange(90) // 9, time=week)
    assert panel.exchanged_.startswith("Permutations exchange the 10 groups as a whole")
    assert MarginalTest().fit(X, y, strata=week).exchanged_.endswith("within 9 strata.")
    with pytest.raises(ValueError, match="Give their groups"):
        MarginalTest().fit(X, y, time=week)


def test_adjusting_and_events(table):
    X, y = table
    assert MarginalTest().fit(X[:, :1], y, adjust=X[:, 1]).p_values_[0] > 0.05
    time = np.exp(-X[:, 1]) * np.random.default_rng(1).exponential(size=90)
    for test in (MarginalTest(), ConditionalTest()):
        assert test.fit(X, time, event=np.arange(90) % 3 > 0).q_values_.argmin() == 1
    late = MarginalTest().fit(X, time + 1, event=np.ones(90), entry=np.ones(90))
    np.testing.assert_allclose(late.p_values_, MarginalTest().fit(X, time, event=np.ones(90)).p_values_)


ESTIMATORS = [MarginalTest(), ConditionalTest(), PairTest(), HalfSamples(LogisticRegression(), n_pairs=1)]
BACKWARD = pd.Series(np.arange(90) % 2, index=range(89, -1, -1))
GAP = np.where(np.arange(90) == 4, np.nan, 1.0)
NO_GROUP = np.where(np.arange(90) == 4, None, "a")
TIMES = {"y": np.arange(1.0, 91), "event": np.ones(90)}


def test_design_may_take_half_of_the_rows(table):
    pair, columns = np.arange(90) // 2, np.random.default_rng(0).normal(size=(90, 50))
    for design in ({"strata": pair}, {"groups": pair, "time": np.arange(90) % 2}, {"adjust": columns}):
        for test in (MarginalTest(), ConditionalTest()):
            assert np.all(test.fit(*table, **design).p_values_ <= 1)
        assert PairTest().fit(*table, **design).p_value_ <= 1
    with pytest.raises(ValueError, match=r"level must be above 0 and at most 0.05, got 0.2"):
        PairTest(level=0.2).fit(*table)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"sample_weight": -np.ones(90)}, "Negative values in data passed to `sample_weight`"),
        ({"sample_weight": np.zeros(90)}, "non-zero number|is 0 in every labelled row"),
        ({"sample_weight": np.arange(90) == 0, "y": np.arange(90) % 2 - (np.arange(90) == 0)}, "0 in every labelled"),
        ({"sample_weight": GAP}, "Input sample_weight contains NaN"),
        ({"sample_weight": np.ones(99)}, "X has 90 rows, sample_weight has 99"),
        ({"strata": np.arange(9)}, "X has 90 rows, strata has 9"),
        ({"groups": BACKWARD}, "X and groups have different indices: row 0 is 0 in X, 89 in groups. Pass groups.loc"),
        ({"y": BACKWARD}, "X and y have different indices"),
        ({"groups": "non"}, "groups must have a value for each row, or be \"none\", got 'non'"),
        ({"time": "none"}, "time must have a value for each row, got 'none'"),
        ({"groups": NO_GROUP}, "row 5 has no group .1 row in all"),
        ({"groups": np.zeros((90, 2))}, r"groups must .* got shape \(90, 2\)"),
        ({"y": None}, "y has no labelled row"),
        ({"y": np.full(90, np.nan)}, "y has no labelled row"),
        ({"entry": np.zeros(90)}, "entry needs event"),
        ({**TIMES, "entry": np.full(90, 3.0)}, r"row 1 enters at 3, not before its follow-up time 1 \(3 in all"),
        ({**TIMES, "entry": np.where(np.arange(90) == 4, np.nan, 0)}, "row 5 has no entry"),
        ({**TIMES, "y": None}, "y has no labelled row"),
        ({**TIMES, "strata": NO_GROUP}, "row 5 has no stratum"),
        ({"adjust": GAP}, "Input adjust contains NaN"),
        ({"adjust": np.ones(180)}, "X has 90 rows, adjust has 180"),
    ],
)
def test_what_does_not_belong_to_the_rows_is_refused(table, given, problem):
    X, y = table
    for estimator in ESTIMATORS if given.keys() <= {"y", "groups", "time", "strata"} else ESTIMATORS[:3]:
        with pytest.raises(ValueError, match=problem):
            estimator.fit(pd.DataFrame(X), **({"y": y} | given))


def test_unlabelled_rows_need_no_group(table):
    X, y = table
    y[:30], groups = -1, np.where(np.arange(90) < 30, None, ["a", "b", "c", "d", "e", "f"] * 15)
    found = MarginalTest().fit(X, y, groups=groups)
    np.testing.assert_array_equal(found.p_values_, MarginalTest().fit(X[30:], y[30:], groups=groups[30:]).p_values_)


@pytest.mark.parametrize("test", [MarginalTest(), ConditionalTest()])
def test_equal_weights_are_no_weights(table, test):
    X, y = table
    plain = clone(test).fit(X, y).p_values_
    np.testing.assert_array_equal(test.fit(X, y, sample_weight=np.full(90, 3)).p_values_, plain)
    assert (test.fit(X, y, sample_weight=1 + np.arange(90) % 3).p_values_ != plain).any()


def test_the_unit_of_a_feature_that_equals_the_target_changes_nothing(table):
    """Without residuals the other features are tested alone only, not against rounding errors."""
    X, _ = table
    y = 3 * X[:, 1] + 1
    found = MarginalTest().fit(X, y).p_values_
    for unit in (3, 7.3, 1 / 3):
        np.testing.assert_array_equal(MarginalTest().fit(X * [1, unit, 1, 1, 1, 1], y).p_values_, found)


def test_half_samples_take_any_importance(table):
    X, y = table
    found = HalfSamples(LogisticRegression(), n_pairs=5).fit(X, y)
    assert found.ranks_[1] == 1
    assert (found.low_ <= found.ranks_).all()
    assert (found.ranks_ <= found.high_).all()
    same = HalfSamples(LogisticRegression(), n_pairs=5, importance_getter=lambda model, X, y: abs(model.coef_[0]))
    np.testing.assert_array_equal(same.fit(X, y).half_ranks_, found.half_ranks_)


@pytest.mark.parametrize(("model", "labels"), [(LogisticRegression(), {0, 1}), (FScore(), {-1, 0, 1})])
def test_only_rankers_get_unlabelled_rows_and_halves_share_no_group(table, model, labels):
    X, y = table
    groups, seen = np.repeat(np.arange(30), 3), []

    def importances(model, X, y):
        seen.append((set(X[:, 0]), set(y)))
        return X.var(axis=0)

    y[np.arange(90) % 9 > 5] = -1  # each third group has no label
    HalfSamples(model, n_pairs=2, importance_getter=importances).fit(np.column_stack([groups, X]), y, groups=groups)
    assert all(given == labels for _, given in seen)
    labeled = [names - {*range(2, 30, 3)} for names, _ in seen]
    assert len(labeled[4]) == 20
    assert not [a & b for a, b in (labeled[:2], labeled[2:4]) if a & b]
