import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sslrank.core._select import smallest
from sslrank.core.distances import nearest_rows


def plain(block, k, own):
    """A stable sort of every row, without its own column."""
    found = []
    for r, row in enumerate(block):
        order = [c for c in np.argsort(row, kind="stable") if own < 0 or c != own + r]
        found.append(order[:k])
    return np.array(found, dtype=np.intp).reshape(len(block), k)


@given(
    seed=st.integers(0, 10**6),
    shape=st.tuples(st.integers(1, 8), st.integers(8, 60)),
    levels=st.sampled_from([1, 3, 1000]),
    k=st.integers(0, 7),
    own=st.sampled_from([-1, 0]),
    infinite=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_selection_equals_stable_sort(seed, shape, levels, k, own, infinite):
    rng = np.random.default_rng(seed)
    block = rng.integers(0, levels, shape).astype(float)
    block[rng.random(shape) < infinite] = np.inf
    np.testing.assert_array_equal(smallest(block, k, own), plain(block, k, own))


def test_too_many_columns_are_refused():
    block = np.zeros((2, 33))
    assert smallest(block, 33).shape == (2, 33)
    for k, own in ((34, -1), (33, 0), (-1, -1)):
        with pytest.raises(ValueError, match=r"k must be in 0\.\.3[23], got"):
            smallest(block, k, own)


@pytest.mark.parametrize("value", [1e200, np.nan])
def test_overflowing_distances_still_select_rows(value):
    X = np.random.default_rng(0).normal(size=(20, 3))
    X[0, 0] = value
    with np.errstate(all="ignore"):
        found = nearest_rows(X, 5)
    assert ((found >= 0) & (found < 20)).all()
    assert all(len(set(row)) == 5 and r not in row for r, row in enumerate(found.tolist()))


def test_ties_select_lowest_row_on_all_cpus():
    """Their products are exact, though means are none: the order of summation must not decide."""
    X = np.random.default_rng(0).integers(0, 4, size=(90, 8)).astype(float)
    squared = ((X[:, None] - X) ** 2).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    np.testing.assert_array_equal(nearest_rows(X, 6), np.argsort(squared, axis=1, kind="stable")[:, :6])
