"""Tests of features as scikit-learn estimators."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from coded import classes, features_of
from sslrank import FScore
from sslrank.hypothesis_tests import ConditionalTest, HalfSamples, MarginalTest
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
