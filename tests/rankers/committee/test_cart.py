import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from sslrank.rankers.committee import _cart


def grow(X, labels, weights=None, seed=0, columns=None, min_samples_split=2):
    values = np.ascontiguousarray(X.T, dtype=np.float64)
    columns = np.arange(len(values)) if columns is None else columns
    weights = np.ones(len(X)) if weights is None else weights
    return _cart.grow(
        values,
        _cart.sort_columns(values),
        np.asarray(columns, dtype=np.int32),
        np.asarray(weights, dtype=np.int32),
        np.asarray(labels, dtype=np.int32),
        int(max(labels)) + 1,
        seed,
        min_samples_split,
    )


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("min_samples_split", [2, 10, 30, 1000])
def test_tree_equals_scikit_learn_without_ties(n_classes, min_samples_split):
    """With one column, only the thresholds of one column compete: no choice is random."""
    rows = np.arange(80, dtype=np.int32)
    for seed in range(10):
        rng = np.random.default_rng([n_classes, min_samples_split, seed])
        X = rng.normal(size=(80, 1)).astype(np.float32).astype(np.float64)
        labels = rng.integers(0, n_classes, 80)
        weights = rng.integers(0, 3, 80)
        tree = grow(X, labels, weights, min_samples_split=min_samples_split)
        train = np.repeat(rows, weights)
        theirs = DecisionTreeClassifier(min_samples_split=min_samples_split, random_state=0)
        theirs.fit(X[train], labels[train])
        np.testing.assert_array_equal(tree.predict(rows), theirs.predict(X))
        assert tree.n_nodes == theirs.tree_.node_count


@given(
    st.integers(1, 25).flatmap(
        lambda n: st.tuples(
            st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=n, max_size=n),
            st.lists(st.integers(0, 3), min_size=n, max_size=n),
            st.lists(st.integers(0, 2), min_size=n, max_size=n),
        )
    )
)
def test_tree_fits_consistent_training_rows(data):
    X, labels, weights = (np.array(part) for part in data)
    if not weights.any():
        with pytest.raises(ValueError, match="at least one row"):
            grow(X, labels, weights)
        return
    tree = grow(X, labels, weights, seed=7)
    predicted = tree.predict(np.arange(len(X), dtype=np.int32))
    for point in np.unique(X, axis=0):
        same = (point == X).all(axis=1)
        votes = np.bincount(labels[same], weights[same], minlength=4)
        if votes.any():  # the first of the most frequent classes among equal rows
            assert (predicted[same] == votes.argmax()).all()


def test_equally_good_columns_are_drawn_uniformly():
    X = np.tile(np.array([0.0, 0, 1, 1])[:, None], 5)
    chosen = [grow(X, [0, 0, 1, 1], seed=seed).columns[0] for seed in range(1000)]
    assert np.abs(np.bincount(chosen, minlength=5) - 200).max() < 60
    assert chosen == [grow(X, [0, 0, 1, 1], seed=seed).columns[0] for seed in range(1000)]


def test_thresholds_separate_adjacent_doubles():
    both = np.array([0, 1], dtype=np.int32)
    huge = np.finfo(float).max
    odd = np.nextafter(1.0, 2.0)  # the middle of it and of the next number is rounded to the latter
    for low, high in ((1.0, odd), (odd, np.nextafter(odd, 2.0)), (huge / 2, huge)):
        assert grow(np.array([[low], [high]]), [0, 1]).predict(both).tolist() == [0, 1]


def test_tree_without_columns_predicts_majority_class():
    tree = grow(np.zeros((4, 1)), [1, 1, 0, 0], columns=[])
    assert tree.n_nodes == 1
    assert tree.predict(np.arange(4, dtype=np.int32)).tolist() == [0, 0, 0, 0]


def test_permuted_columns_use_donor_rows():
    X = np.array([[0.0, 5], [0, 5], [1, 5], [1, 5]])
    tree = grow(X, [0, 0, 1, 1])
    rows, donors = np.array([0, 3], dtype=np.int32), np.array([2, 0], dtype=np.int32)
    assert tree.predict_permuted(rows, donors, 0, 1).tolist() == [1, 0]
    assert tree.predict_permuted(rows, donors, 1, 2).tolist() == [0, 1]
