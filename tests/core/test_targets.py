import re
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from sslrank.core.target_columns import guess_task, read_targets
from sslrank.core.targets import encode_targets

NAN = np.nan
ANIMALS = [[], [0], [0], [1, 2], [3]]  # a diamond with a tail


@pytest.mark.parametrize(
    ("y", "task", "labeled"),
    [
        ([0, 1, -1, 0, 1, 2, 2], "classification", [1, 1, 0, 1, 1, 1, 1]),
        ([0, 1, None, -1], "classification", [1, 1, 0, 0]),
        ([-2, 1, None, -1], "classification", [1, 1, 0, 0]),
        (np.array(["a", "b", -1, None], dtype=object), "classification", [1, 1, 0, 0]),
        (np.ma.masked_equal([0, 1, 7, 1], 7), "classification", [1, 1, 0, 1]),
        (np.ma.masked_equal([0.5, 1, 7, 1], 7), "regression", [1, 1, 0, 1]),
        (np.array([0.5, None, 2], dtype=object), "regression", [1, 0, 1]),
        (pd.Series([True, None, False], dtype="boolean"), "classification", [1, 0, 1]),
        (pd.Series(["x", None, "y"], dtype="string"), "classification", [1, 0, 1]),
        ([0.0, 1.0, NAN], "classification", [1, 1, 0]),
        ([0.5, 1.0, NAN], "regression", [1, 1, 0]),
        (["a", None, "b"], "classification", [1, 0, 1]),
        (np.array(["a", NAN, "b"], dtype=object), "classification", [1, 0, 1]),
        ([True, False], "classification", [1, 1]),
        (pd.Series(["x", None, "y"], dtype="category"), "classification", [1, 0, 1]),
        (pd.Series([0, 1, -1, None], dtype="Int64"), "classification", [1, 1, 0, 0]),
        ([[0, 1], [NAN, NAN], [NAN, 1]], "multilabel", [1, 0, 1]),
        ([[0.5, 1], [NAN, NAN], [2, NAN]], "multitarget", [1, 0, 1]),
        ([[1.5], [2.5]], "regression", [1, 1]),
        (sparse.csr_array(np.array([[0, 1], [1, 0]])), "multilabel", [1, 1]),
    ],
)
def test_task_and_missing_labels(y, task, labeled):
    targets = encode_targets(y, y.shape[0] if sparse.issparse(y) else len(y))
    assert targets.task == task
    assert targets.labeled.tolist() == [bool(flag) for flag in labeled]


def test_target_may_be_none():
    targets = encode_targets(None, 3)
    assert (targets.task, targets.values.shape, targets.n_classes) == ("none", (3, 0), 0)
    assert not targets.labeled.any()


@pytest.mark.parametrize(
    ("y", "labeled", "message"),
    [
        (np.array([-1, 1]), [0, 1], "no class but 1, as -1 means unlabelled among integers"),
        (np.array([0.0, 1, -1] * 2), [1] * 6, "y has a class -1"),
        (pd.Series([0, 1, -1] * 2, dtype="category"), [1] * 6, "y has a class -1"),
        ([0.0, -1.0, None] * 2, [1, 1, 0] * 2, "y has a class -1"),
        (["yes", "no", "nan"], [1, 1, 1], "y has a class 'nan'"),
        (["yes", "no", "?"], [1, 1, 1], "y has a class '?'"),
        (["yes", "no", ""], [1, 1, 1], "y has a class ''"),
        (["Yes", " yes", "no"], [1, 1, 1], "classes that differ only in capital letters or spaces: ' yes' and 'Yes'"),
    ],
)
def test_suspicious_classes_warn(y, labeled, message):
    with pytest.warns(UserWarning, match=re.escape(message)):
        assert encode_targets(y, len(y)).labeled.tolist() == [bool(flag) for flag in labeled]


@pytest.mark.parametrize(("y", "codes"), [(np.array([1.0, -1.0, NAN]), [1, 0, NAN]), (["yes", NAN, "no"], [1, NAN, 0])])
def test_plain_classes_do_not_warn(y, codes, recwarn):
    np.testing.assert_array_equal(encode_targets(y, 3).values[:, 0], codes)
    assert not recwarn.list


def test_hierarchy_adds_ancestors_and_weights():
    y = np.zeros((2, 5))
    y[0, 4] = 1
    y[1] = NAN
    targets = encode_targets(y, 2, hierarchy=ANIMALS, alpha=0.5)
    assert targets.task == "hierarchical"
    np.testing.assert_array_equal(targets.values[0], np.ones(5))
    np.testing.assert_allclose(targets.weights, [1, 0.5, 0.5, 0.25, 0.125])


def test_hierarchy_weight_is_alpha_times_parent_mean():
    targets = encode_targets(np.ones((1, 3)), 1, hierarchy=[[], [0], [0, 1]], alpha=0.75)
    np.testing.assert_allclose(targets.weights, [1, 0.75, 0.75 * (1 + 0.75) / 2])


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        ([1, 2, 3], {}, "inconsistent numbers of samples"),
        ([1.5, np.inf], {}, "infinity"),
        ([[1, 2.0], [1, 0]], {"task": "multilabel"}, "labels must be 0, 1 or NaN .*, found 2"),
        ([[0, 1], [1, 0]], {"task": "hierarchical"}, "a hierarchy is needed"),
        ([0, 1], {"task": "clustering"}, "task must be"),
        ([[0, 1], [1, 0]], {"hierarchy": [[1], [0]]}, "cycle"),
        ([[0, 1], [1, 0]], {"hierarchy": [[], [7]]}, "label 1 has parent 7"),
        ([[0, 1], [1, 0]], {"hierarchy": [[]]}, "parents of 1 labels"),
        ([[0, 1], [1, 0]], {"task": "classification"}, "takes one target"),
        (["a", "b"], {"task": "regression"}, "must be numeric"),
        (np.zeros((2, 2, 2)), {}, "one or two dimensions"),
        (np.zeros((2, 0)), {"task": "multitarget"}, "no columns"),
        (pd.DataFrame(index=range(2)), {}, "no columns"),
        (pd.date_range("2020", periods=2), {}, "y holds dates or times"),
        (pd.Series(pd.period_range("2020", periods=2, freq="Y")), {}, "y holds dates or times"),
        (pd.Series([1, 2], dtype="timedelta64[s]"), {}, "y holds dates or times"),
        (np.array([1, 1j]), {}, "Complex data"),
        (np.array([1, 1j], dtype=object), {}, "Complex data"),
        ([{1}, {2, 3}], {}, "y holds a set.*MultiLabelBinarizer"),
        ([[1], [2, 3]], {}, "rows of y differ in length.*MultiLabelBinarizer"),
        (np.eye(2), {"hierarchy": [None, None]}, "the parents of label"),
        (np.eye(2), {"hierarchy": [[], [0.9]]}, "the parents of label"),
        (np.eye(2), {"hierarchy": [[], "0"]}, "the parents of label"),
        (np.array([[1, 0], [-1, -1]]), {}, "y has -1 among labels"),
    ],
)
def test_malformed_targets_are_refused(y, options, message):
    with pytest.raises(ValueError, match=message):
        encode_targets(y, 2, **options)


@st.composite
def hierarchies(draw):
    n_labels = draw(st.integers(1, 12))
    order = draw(st.permutations(range(n_labels)))
    parents = [[] for _ in range(n_labels)]
    for j, label in enumerate(order):
        if j:
            parents[label] = draw(st.lists(st.sampled_from(order[:j]), max_size=3, unique=True))
    return parents


@given(hierarchies(), st.integers(0, 2**32 - 1))
def test_hierarchy_closure_is_minimal(parents, seed):
    y = (np.random.default_rng(seed).random((6, len(parents))) < 0.2).astype(float)
    closed = encode_targets(y, 6, task="hierarchical", hierarchy=parents).values
    for label, above in enumerate(parents):
        for parent in above:
            assert (closed[:, parent] >= closed[:, label]).all()
    children = [[c for c, above in enumerate(parents) if label in above] for label in range(len(parents))]
    for label in range(len(parents)):
        added = (closed[:, label] == 1) & (y[:, label] == 0)
        assert all(closed[row, children[label]].any() for row in np.flatnonzero(added))


def test_many_integers_are_regression_with_warning():
    ages = np.arange(60)
    with pytest.warns(UserWarning, match="21 different whole numbers, taken for quantities"):
        encode_targets(np.arange(84) % 21, 84)
    with pytest.warns(UserWarning, match="60 different whole numbers, taken for quantities.*task='classification'"):
        assert encode_targets(ages, 60).task == "regression"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert encode_targets(ages, 60, task="classification").n_classes == 60
        assert encode_targets(ages, 60, task="regression").task == "regression"
        assert encode_targets(ages % 20, 60).n_classes == 20
        assert encode_targets(ages.astype(str), 60).n_classes == 60


@pytest.mark.parametrize("kind", [int, float, object, "Int64", "float32"])
def test_integer_dtype_does_not_change_task(kind):
    ages = pd.Series(np.arange(107)).astype(kind)
    few = pd.Series(np.arange(107) % 7).astype(kind)
    assert guess_task(read_targets(ages))[0] == "regression"
    assert guess_task(read_targets(few))[0] == "classification"


def test_minus_one_in_integer_regression_target_raises():
    y = np.where(np.arange(80) < 40, np.arange(80), -1)
    with pytest.raises(ValueError, match=r"y has -1 in 40 rows.*NaN instead if .*, task='regression' if it is"):
        encode_targets(y, 80)
    assert encode_targets(y, 80, task="regression").labeled.all()
    with pytest.warns(UserWarning, match="taken for quantities"):
        assert encode_targets(np.arange(80) - 40, 80).labeled.all()


def test_large_integers_stay_distinct():
    for y in (np.array([2**62, 2**62 + 1, 2**62]), pd.Series([2**62, 2**62 + 1, None], dtype="Int64")):
        assert encode_targets(y, 3).n_classes == 2


@pytest.mark.parametrize("exponent", [-900, 900])
def test_targets_with_overflowing_squares_are_rescaled(exponent):
    y = np.array([[0.5, 3.0], [1.0, 4.0], [np.nan, 5.0]])
    targets = encode_targets(y * [2.0**exponent, 1.0], 3, task="multitarget").within_range()
    np.testing.assert_array_equal(targets.values, y * [0.5, 1.0])
    same = encode_targets(y, 3, task="multitarget")
    assert same.within_range() is same


def test_occurring_classes_are_renumbered():
    targets = encode_targets(["a", "b", None, "c"], 4)
    part = targets.rows([0, 2, 3]).without_unused_categories()
    assert part.classes.tolist() == ["a", "c"]
    np.testing.assert_array_equal(part.values, [[0], [np.nan], [1]])
    assert targets.without_unused_categories() is targets
    numbers = encode_targets([0.5, 1.5], 2)
    assert numbers.without_unused_categories() is numbers


def test_survival_target_is_two_columns_or_structured_array():
    y = np.array([[3.0, 1], [1, 0], [2, 1], [np.nan, np.nan]])
    found = encode_targets(y, 4, task="survival")
    pairs = np.array([(e == 1, t) for t, e in y], dtype=[("died", bool), ("days", float)])
    np.testing.assert_array_equal(found.values, encode_targets(pairs, 4, task="survival").values)
    assert (found.task, found.kind, found.labeled.sum()) == ("regression", "survival", 3)
    for wrong, message in (([[1.0, 2]], "events 1 or 0"), ([[-1.0, 1]], "at least 0"), ([1.0], "takes two columns")):
        with pytest.raises(ValueError, match=message):
            encode_targets(wrong, 1, task="survival")
