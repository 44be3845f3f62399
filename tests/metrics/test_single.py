import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from coded import coded_problem
from sslrank.core.targets import encode_targets
from sslrank.core.tasks import TASKS
from sslrank.metrics import single as measures
from sslrank.metrics.averages import area_under_curve, fold_average
from sslrank.metrics.single import auprc_micro, f1_macro, rrmse

seeds = st.integers(0, 2**32 - 1)


@given(seed=seeds, n=st.integers(1, 40), classes=st.integers(1, 5))
def test_f1_and_accuracy_agree_with_scikit_learn(seed, n, classes):
    rng = np.random.default_rng(seed)
    true, predicted = rng.integers(0, classes, n), rng.integers(0, classes + 1, n)
    expected = metrics.f1_score(true, predicted, average="macro", zero_division=0)
    assert f1_macro(true, predicted) == pytest.approx(expected, abs=1e-12)
    assert measures.accuracy(true, predicted) == pytest.approx(metrics.accuracy_score(true, predicted))


@given(seed=seeds, n=st.integers(1, 30), labels=st.integers(1, 5), levels=st.integers(1, 6))
def test_auprc_agrees_with_scikit_learn(seed, n, labels, levels):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, (n, labels)).astype(float)
    true[0, 0] = 1
    votes = rng.integers(0, levels, (n, labels))  # many ties
    scores = votes / levels
    expected = metrics.average_precision_score(true.ravel(), scores.ravel())
    assert auprc_micro(true, scores) == pytest.approx(expected, abs=1e-12)
    assert auprc_micro(true, votes) == auprc_micro(true, scores)
    if n > 1 and labels > 1:
        by_labels = metrics.average_precision_score(true, scores, average="micro")
        assert auprc_micro(true, scores) == pytest.approx(by_labels, abs=1e-12)


def test_auprc_ignores_unknown_labels_and_needs_positives():
    true = np.array([[1, np.nan], [0, 1]])
    assert auprc_micro(true, np.array([[0.9, 1.0], [0.1, 0.8]])) == 1.0
    assert np.isnan(auprc_micro(np.zeros((3, 2)), np.ones((3, 2))))


@given(seed=seeds, n=st.integers(2, 30), targets=st.integers(1, 4))
def test_rrmse_is_the_root_of_one_minus_r2(seed, n, targets):
    rng = np.random.default_rng(seed)
    true, predicted = rng.normal(size=(n, targets)), rng.normal(size=(n, targets))
    true[:, -1] = 3.0  # does not vary
    r2 = metrics.r2_score(true, predicted, multioutput="raw_values")
    assert rrmse(true, predicted) == pytest.approx(np.mean(np.sqrt(1 - r2)))


def test_rrmse_matches_hand_computation():
    # errors 1 and 1, population variance of (0, 2) is 1
    assert rrmse([0.0, 2.0], [1.0, 1.0]) == 1.0
    assert rrmse([5.0, 5.0], [5.0, 5.0]) == 0.0
    assert rrmse([5.0, 5.0], [5.0, 6.0]) == 1.0
    assert rrmse(np.array([[0, np.nan], [2, np.nan]]), np.array([[0.0, 1], [2, 1]])) == 0.0
    assert np.isnan(rrmse([np.nan], [1.0]))
    assert rrmse(np.array([0, 40], dtype=np.uint8), np.array([20, 20], dtype=np.uint8)) == 1.0  # without overflow
    assert measures.r2([[1, 5], [2, 5], [3, 5]], [[1, 0], [2, 0], [2, 0]]) == 0.5  # without the constant target


@pytest.mark.parametrize("task", TASKS)
def test_tasks_have_measures_for_their_predictions(task):
    measure = measures.measure_for(task)
    assert task in measure.tasks
    assert measure.sign == (1.0 if measure.higher_is_better else -1.0)
    _, targets = coded_problem(task)
    perfect = targets.values
    if task == "classification":
        perfect = np.eye(targets.n_classes)[perfect[:, 0].astype(int)]
    assert measures.score(targets, perfect) == (1.0 if measure.higher_is_better else 0.0)


def test_unknown_measures_are_refused():
    with pytest.raises(ValueError, match="no measure for task 'none'"):
        measures.measure_for("none")
    with pytest.raises(ValueError, match="unknown measure 'auc'"):
        measures.get_measure("auc", "multilabel")
    with pytest.raises(ValueError, match="not for 'regression'"):
        measures.get_measure("accuracy", "regression")
    assert measures.get_measure(None, "regression").name == "rrmse"
    assert measures.get_measure(measures.MEASURES["accuracy"], "classification").name == "accuracy"


def test_score_without_known_targets_is_nan():
    targets = encode_targets(np.array([None, "a"], dtype=object), 2).rows([0])
    assert np.isnan(measures.score(targets, np.ones((1, 1))))
    assert np.isnan(measures.accuracy([], []))


def test_folds_are_weighted_by_size():
    assert fold_average([1.0, 0.0, np.nan], [1, 3, 100]) == 0.25
    assert fold_average([0.5], [1]) == 0.5
    assert np.isnan(fold_average([np.nan], [3]))
    assert np.isnan(fold_average([0.5], [0]))


def test_area_under_curve_matches_hand_computation():
    assert area_under_curve([200, 50, 100], [3.0, 1.0, 2.0]) == (75 + 250) / 150
    assert area_under_curve([50, 100, 200], [1.0, 1.0, 1.0]) == 1.0
    assert area_under_curve([50, 100, 200], [0.0, 1.0, 2.0], spacing="index") == 1.0
    assert area_under_curve([50, 100, 200], [0.0, 1.0, 2.0], spacing="log") == pytest.approx(1.0)
    assert area_under_curve([50, 100], [np.nan, 0.5]) == 0.5
    assert area_under_curve([50], [0.5]) == 0.5
    assert np.isnan(area_under_curve([50], [np.nan]))
    with pytest.raises(ValueError, match="spacing"):
        area_under_curve([1, 2], [1, 2], spacing="sqrt")
    with pytest.raises(ValueError, match="equal length"):
        area_under_curve([1, 2], [1])
    with pytest.raises(ValueError, match="2 points at one"):
        area_under_curve([50, 50], [0.5, 0.6])


@pytest.mark.parametrize(("rare", "common"), [("a", "b"), ("b", "a")])
def test_f1_positive_uses_the_rarer_class(rare, common):
    true = np.array([rare] * 4 + [common] * 9)
    predicted = np.array([rare] * 3 + [common] * 8 + [rare] * 2)
    expected = metrics.f1_score(true, predicted, pos_label=rare)
    assert measures.f1_positive(true, predicted) == pytest.approx(expected)


def test_f1_positive_is_macro_for_several_or_equally_frequent_classes():
    for true, predicted in (np.random.default_rng(0).integers(0, 3, (2, 50)), ([0, 0, 1, 1], [0, 0, 0, 1])):
        assert measures.f1_positive(true, predicted) == measures.f1_macro(true, predicted)


def test_classes_with_equal_shares_share_the_row():
    targets = encode_targets(["a", "a", "b", "c", None], 5)
    shares = np.array([[1, 1, 0], [2, 1, 0], [0, 1, 0], [1, 1, 1], [1, 0, 0]]) / 3.0
    rows, weights = [0, 0, 1, 2, 3, 3, 3], [3, 3, 6, 6, 2, 2, 2]
    true, predicted = np.array([0, 0, 1, 2])[rows], [0, 1, 0, 1, 0, 1, 2]
    for name, theirs in (
        ("accuracy", metrics.accuracy_score),
        ("balanced_accuracy", metrics.balanced_accuracy_score),
        ("f1_macro", functools.partial(metrics.f1_score, average="macro")),
    ):
        expected = theirs(true, predicted, sample_weight=weights)
        assert measures.MEASURES[name](targets, shares) == pytest.approx(expected), name
    renamed = encode_targets(["z", "z", "y", "x", None], 5)
    for name in ("accuracy", "balanced_accuracy", "f1_macro", "f1_positive", "auprc_rarer"):
        assert measures.MEASURES[name](renamed, shares[:, ::-1]) == measures.MEASURES[name](targets, shares), name
        nearly = shares + 1e-16 * np.arange(3)  # as sums in another order are
        assert measures.MEASURES[name](targets, nearly) == pytest.approx(measures.MEASURES[name](targets, shares)), name


def test_many_classes_with_equal_shares():
    """The least common multiple of their numbers exceeds 64 bits."""
    shares = np.tril(np.ones((60, 60)))
    true = encode_targets(list(range(60)), 60, task="classification")
    assert measures.score(true, shares, "accuracy") == pytest.approx(np.mean(1 / np.arange(1, 61)))


def test_measure_of_class_codes_must_take_weights():
    with pytest.raises(ValueError, match=r"measure 'hits': its function must take weights"):
        measures.Measure("hits", True, frozenset({"classification"}), "codes", lambda true, predicted: 0.0)
