import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from sslrank import get_ranker
from sslrank.core.features import encode_features
from sslrank.rankers.committee.cotraining import growth_rates, select_confident
from sslrank.rankers.committee.learners import learner_columns
from sslrank.rankers.committee.ssfi import SSFI, committee_size


def problem(n_rows=120, n_features=12, n_labeled=6, n_classes=2, seed=0):
    """Classes that differ in features 0 and 1; the first rows of every class are labelled."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n_rows) % n_classes
    X = rng.normal(size=(n_rows, n_features))
    X[:, :2] += 6.0 * truth[:, None]
    y = truth.copy()
    y[n_labeled * n_classes :] = -1
    return X, y


def test_committee_size_follows_equation_1():
    # 10 ceil(log 0.01 / log(1 - 1 / sqrt(p))), by a pocket calculator; 72 and 1079 are emotions and slashdot
    sizes = [committee_size(p) for p in (1, 2, 4, 72, 100, 500, 1079, 2000)]
    assert sizes == [10, 40, 70, 370, 440, 1010, 1490, 2040]


def test_growth_rates_round_up_the_share_of_each_class():
    assert growth_rates(np.array([0, 0, 0, 1]), 2, 1).tolist() == [1, 1]
    assert growth_rates(np.array([0, 0, 0, 1]), 2, 4).tolist() == [3, 1]
    assert growth_rates(np.repeat([0, 1, 2], 3), 3, 6).tolist() == [2, 2, 2]


@given(
    st.lists(st.tuples(st.integers(-1, 2), st.sampled_from([0.5, 0.75, 1.0])), min_size=1, max_size=20),
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
    st.randoms(use_true_random=False),
)
def test_most_confident_rows_of_each_class_are_selected(rows, rates, random):
    label, confidence = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    pool = np.array(random.sample(range(len(rows)), random.randint(0, len(rows))), dtype=np.int32)
    chosen = select_confident(pool, label, confidence, np.array(rates))
    expected = []
    for k in range(3):
        of_class = [x for x in pool if label[x] == k]
        expected += sorted(of_class, key=lambda x: -confidence[x])[: rates[k]]
    assert chosen.tolist() == expected


def test_labelled_rows_only_give_supervised_committee():
    X, y = problem(n_labeled=30)
    known = y >= 0
    ranker = SSFI(random_state=0).fit(X[known], y[known])
    assert ranker.n_iter_ == 1  # which finds no rows to add
    assert set(np.argsort(ranker.ranking_)[:2]) == {0, 1}
    supervised = SSFI(random_state=0, supervised=True).fit(X, y)
    np.testing.assert_array_equal(ranker.feature_importances_, supervised.feature_importances_)


@pytest.mark.parametrize("name", ["ssfi", "fwfs"])
def test_single_labelled_class_raises(name):
    X, y = problem()
    with pytest.raises(ValueError, match="labelled rows of at least two classes"):
        get_ranker(name).fit(X, np.full(len(y), -1))
    with pytest.raises(ValueError, match="at least two classes"):
        get_ranker(name).fit(X, np.where(y == 1, -1, y))


def test_two_rows_per_class_are_accepted():
    X, y = problem(n_labeled=2)
    ranker = SSFI(random_state=0).fit(X, y)
    assert set(np.argsort(ranker.ranking_)[:2]) == {0, 1}
    X, y = problem(n_rows=40, n_labeled=1)  # half of the bags have one class
    assert np.isfinite(SSFI(n_estimators=50, random_state=0).fit(X, y).feature_importances_).all()


def test_row_in_every_bag_gets_no_label():
    X, y = problem(n_rows=14)  # one member: rows of its bag have nobody to label them
    ranker = SSFI(n_estimators=1, random_state=0).fit(X, y)
    assert ranker.n_iter_ == 1  # which finds no rows to add


@pytest.mark.parametrize(
    "estimator",
    [DecisionTreeClassifier(), pytest.param(KNeighborsClassifier(1), marks=pytest.mark.exhaustive), GaussianNB()],
)
def test_any_classifier_can_be_base_learner(estimator):
    X, y = problem()
    ranker = SSFI(estimator=estimator, n_estimators=20, max_iter=3, random_state=0)
    importances = ranker.fit(X, y).feature_importances_
    assert set(np.argsort(ranker.ranking_)[:2]) == {0, 1}
    again = clone(ranker).set_params(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(importances, again.feature_importances_)


def test_compiled_tree_ranks_like_scikit_learn():
    X, y = problem(n_rows=90, n_features=16)
    X[:, 2:6] += 1.5 * (np.arange(90) % 2)[:, None]
    options = {"n_estimators": 120, "max_iter": 2, "random_state": 0}
    ours = SSFI(**options).fit(X, y).feature_importances_
    theirs = SSFI(estimator=DecisionTreeClassifier(), **options).fit(X, y).feature_importances_
    assert np.corrcoef(ours, theirs)[0, 1] > 0.98


@pytest.mark.parametrize("estimator", [None, GaussianNB()])
def test_nominal_features_are_permuted_together(estimator):
    X, y = problem()
    colour = np.array(["red", "green", "blue"])[np.random.default_rng(0).integers(0, 3, len(y))]
    truth = np.arange(len(y)) % 2
    colour = np.where(truth == 1, np.where(colour == "red", "green", colour), "red")
    frame = pd.DataFrame(X[:, 2:], columns=[f"f{j}" for j in range(10)])
    frame.insert(4, "colour", pd.Categorical(colour))
    frame.loc[::9, "colour"] = None
    ranker = SSFI(n_estimators=20, estimator=estimator, random_state=0).fit(frame, y)
    assert ranker.feature_importances_.shape == (11,)
    assert ranker.ranking_[4] == 1
    design = learner_columns(encode_features(frame))
    assert (design.values[0, 4:7] == 0).all()
