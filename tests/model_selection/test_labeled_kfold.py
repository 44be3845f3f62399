"""Cross-validation with unlabelled rows in training."""

import numpy as np
import pytest

from sslrank import LabeledKFold


@pytest.mark.parametrize(
    "y",
    [
        np.array([-1] * 13 + [0, 1] * 10),
        np.array([np.nan] * 13 + [0.5, 1.5] * 10),
        np.array([None] * 13 + ["a", "b"] * 10, dtype=object),
        np.array([[np.nan, np.nan]] * 13 + [[0.0, 1.0]] * 20),
    ],
    ids=["codes", "numbers", "texts", "labels"],
)
def test_labelled_rows_are_tested_exactly_once(y):
    folds = list(LabeledKFold(4, random_state=0).split(np.zeros((33, 2)), y))
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(13, 33))
    for train, test in folds:
        assert sorted([*train, *test]) == list(range(33))
        assert set(range(13)) <= set(train)


def test_folds_are_stratified():
    y = np.array([0] * 8 + [1] * 4 + [-1] * 5)
    for _, test in LabeledKFold(4, random_state=1).split(y[:, None], y):
        assert sorted(y[test]) == [0, 0, 1]


def test_folds_depend_on_seed():
    y = np.arange(30) % 2
    one, two, other = ([test.tolist() for _, test in LabeledKFold(3, random_state=s).split(y, y)] for s in (1, 1, 2))
    assert one == two != other


def test_invalid_input_raises():
    y = np.array([0, 1, -1, -1])
    with pytest.raises(ValueError, match="2 labelled rows, too few for 3 folds"):
        list(LabeledKFold(3).split(y, y))
    with pytest.raises(ValueError, match="y is needed"):
        list(LabeledKFold(3).split(y))
    with pytest.raises(ValueError, match="n_splits must be an int >= 2"):
        LabeledKFold(1)


def test_group_folds_balance_target_deciles():
    y = np.repeat(np.random.default_rng(0).permutation(40), 3) - 1  # of the task, -1 is a number
    for _, test in LabeledKFold(4, task="regression", random_state=0).split(y[:, None], y, np.repeat(np.arange(40), 3)):
        assert np.bincount((y[test] + 1) // 4).tolist() == [3] * 10


@pytest.mark.parametrize("kind", ["classes", "numbers", "labels"])
def test_groups_are_not_split(kind):
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 25, 200).astype(str)
    y = {"classes": rng.integers(0, 2, 200), "numbers": rng.normal(size=200), "labels": rng.integers(0, 2, (200, 3))}
    y = y[kind].astype(float)
    y[:80] = np.nan
    folds = list(LabeledKFold(4, random_state=0).split(np.zeros((200, 1)), y, groups))
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(80, 200))
    for train, test in folds:
        assert not set(groups[train]) & set(groups[test])
        others = np.flatnonzero(~np.isin(groups, groups[test]))
        assert train.tolist() == others.tolist()
        assert 20 <= len(test) <= 40


def test_group_folds_are_approximately_stratified():
    groups = np.repeat(np.arange(40), 3)
    y = np.repeat(np.arange(40) % 4 == 0, 3).astype(int)
    for _, test in LabeledKFold(5, random_state=3).split(y[:, None], y, groups):
        assert (len(test), y[test].sum()) == (24, 6)


def test_largest_group_is_assigned_first():
    """One group of six rows and six of one row: assigned last, the large group would unbalance the folds."""
    groups = np.array([0] * 6 + [1, 2, 3, 4, 5, 6])
    numbers = np.random.default_rng(0).normal(size=(12, 2))  # of several numbers only the sizes of folds count
    for seed in range(10):
        folds = LabeledKFold(2, random_state=seed).split(numbers, numbers, groups)
        assert [len(test) for _, test in folds] == [6, 6]


def test_invalid_groups_raise():
    y = np.arange(8) % 2
    for groups, message in (
        (np.zeros(7), "one value per row, 8"),
        ([0, 0, 0, 1, 1, 1, 1, 1], "2 groups with labelled rows, too few for 3"),
        ([0.0, 1, 2, 3, 4, 5, np.nan, 7], "row 6 .* has no group"),
    ):
        with pytest.raises(ValueError, match=message):
            list(LabeledKFold(3).split(y, y, groups))
