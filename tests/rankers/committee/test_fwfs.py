import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from rankers.committee.test_ssfi import problem
from sslrank import get_ranker
from sslrank.rankers.committee.fwfs import FwFS, forward_search, most_frequent


@pytest.mark.parametrize("estimator", [None, GaussianNB(), DecisionTreeClassifier()])
def test_ranking_is_the_selection_order(estimator):
    X, y = problem()
    params = {"n_selected": 4, "start_features": 2, "forward_steps": 2, "sampling_times": 3}
    ranker = FwFS(estimator=estimator, random_state=0, **params).fit(X, y)
    assert ranker.selected_[0] in (0, 1)
    assert len(set(ranker.selected_)) == 4
    assert ranker.feature_importances_[ranker.selected_].tolist() == [4, 3, 2, 1]
    assert (np.delete(ranker.feature_importances_, ranker.selected_) == 0).all()


def test_defaults_follow_the_paper():
    X, y = problem(n_features=7)
    ranker = FwFS(random_state=0)
    assert (ranker.n_selected, ranker.sampling_rate, ranker.sampling_times) == (10, 0.5, 10)
    assert (ranker.forward_steps, ranker.start_features) == (6, 5)
    assert sorted(ranker.fit(X, y).selected_) == list(range(7))


def test_categories_of_a_feature_are_added_together():
    colour = np.arange(60) % 3
    frame = pd.DataFrame(np.random.default_rng(0).integers(0, 4, (60, 5)), columns=list("abcde"))
    frame = frame.assign(colour=colour).astype("category")
    params = {"n_selected": 1, "start_features": 1, "forward_steps": 1, "sampling_times": 2}
    ranker = FwFS(random_state=0, **params).fit(frame, np.where(np.arange(60) < 30, colour, -1))
    assert ranker.selected_.tolist() == [5]
    with pytest.raises(ValueError, match="forward_steps"):
        ranker.set_params(forward_steps=0).fit(frame, colour)


class CountingLearner:
    """Errors that are known beforehand, so that a search can be followed."""

    def __init__(self, errors, n_features):
        self.errors = errors
        self.design = type("Design", (), {"n_features": n_features})
        self.calls = []

    def forward_step(self, selected, candidates, folds, n_folds, labels, seed):
        self.calls.append((tuple(selected), sorted(candidates), n_folds, seed))
        return min(candidates, key=lambda f: self.errors[f]), 0


def test_forward_search_adds_one_feature_at_a_time():
    learner = CountingLearner([3, 1, 0, 2], 4)
    labels = np.array([0, 1, 0, 1, -1], dtype=np.int32)
    rows = np.arange(4, dtype=np.int32)
    assert forward_search(learner, labels, rows, [1], 3, 3, seed=0) == [1, 2, 3]
    assert [call[:3] for call in learner.calls] == [((1,), [0, 2, 3], 3), ((1, 2), [0, 3], 3)]
    assert forward_search(learner, labels, rows, [], 9, 9, seed=0) == [2, 1, 3, 0]
    assert learner.calls[-1][2] == 4  # no more folds than rows


def test_searches_vote_on_features():
    assert most_frequent([[4, 2], [2, 4], [4, 1]], 6) == 4
    assert most_frequent([[4, 2], [5, 2], [4, 5]], 6) == 4  # twice each; 4 was first, first
    assert most_frequent([[3, 2], [2, 3]], 6) == 2  # equal in all: the smaller


@pytest.mark.parametrize("name", ["fwfs", "ssfi"])
def test_values_beyond_float32_with_missing_are_accepted(name):
    """scikit-learn's trees, which take missing values, hold float32; a power of two changes no tree."""
    X, y = problem(n_features=5)
    X[::7, 1] = np.nan
    small = {"sampling_times": 2} if name == "fwfs" else {"n_estimators": 3, "max_iter": 2}
    ranker = get_ranker(name, random_state=0, **small)
    wanted = ranker.fit(X, y).feature_importances_.copy()
    X[:, 3] *= 2.0**400
    np.testing.assert_array_equal(ranker.fit(X, y).feature_importances_, wanted)
