"""Large sparse tables: all labelled rows and the columns that vary enough are ranked."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import sslrank
from sslrank.tabular.schema import arrays
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.roles import ColumnRoles
from sslrank.tabular.schema.sparse_table import choose_part, rows_that_differ


@pytest.fixture
def words():
    """Counts of words by Zipf's law, of which two tell the class."""
    rng = np.random.default_rng(0)
    X = sparse.random_array((400, 3_000), density=0.002, random_state=rng, format="lil")
    X[:, 7], X[:, 11] = (rng.random((400, 1)) < 0.4) * 1.0, (rng.random((400, 1)) < 0.4) * 1.0
    X = sparse.csr_array(X)
    score = X[:, [7]].toarray().ravel() - X[:, [11]].toarray().ravel() + 0.3 * rng.normal(size=400)
    y = np.where(score > 0, "yes", "no").astype(object)
    y[rng.permutation(400)[100:]] = None
    return X, y


def test_rows_that_differ_counts_values_other_than_mode():
    X = np.array([[0, 1, 2, 0], [0, 1, 2, 3], [0, 1, 5, 0], [1, 1, 0, 4]])
    expected = [len(column) - np.unique(column, return_counts=True)[1].max() for column in X.T]
    assert rows_that_differ(sparse.csr_array(X)).tolist() == expected


def test_choose_part_keeps_labelled_rows_and_varying_columns(words):
    X, y = words
    labeled = pd.notna(y)
    rows, columns, note = choose_part(X, labeled, max_cells=1_500)
    assert set(np.flatnonzero(labeled)) <= set(rows)
    assert {7, 11} <= set(columns)
    varies = rows_that_differ(X[labeled])
    assert columns.tolist() == np.flatnonzero(varies >= 5).tolist()
    assert len(rows) * len(columns) <= max(1_500, labeled.sum() * len(columns))
    assert note.startswith(f"ranked columns: {len(columns)} of 3000")


def test_sparse_ranking_equals_dense_part(words, monkeypatch):
    X, y = words
    monkeypatch.setattr(arrays, "MAX_CELLS", 100_000)
    table = own_table(X, y, ColumnRoles(keep=["x3000"]))
    assert "x3000" in table.X.columns
    assert {"x8", "x12"} <= set(table.X.columns)
    assert any("ranked columns: " in note for note in table.notes)
    assert table.n_unread + len(table.X) == 400
    options = {"effort": "quick", "repeats": 0}
    ranking = sslrank.rank(X, y, **options)
    assert set(ranking.to_frame()["feature"][:2]) == {"x8", "x12"}
    columns = [int(name[1:]) - 1 for name in ranking.table.X.columns]
    dense = sslrank.rank(pd.DataFrame(X[:, columns].toarray(), columns=ranking.table.X.columns), y, **options)
    pd.testing.assert_frame_equal(ranking.to_frame(), dense.to_frame())


def test_groups_weights_and_time_are_subset_with_rows(words, monkeypatch):
    X, y = words
    monkeypatch.setattr(arrays, "MAX_CELLS", 200)
    groups = np.arange(400) % 50
    table = own_table(X, pd.Series(y), ColumnRoles(groups=groups, weights=list(range(1, 401))))
    assert len(table.X) == 100
    np.testing.assert_array_equal(np.unique(table.weights.astype(int) - 1), np.flatnonzero(pd.notna(y)))
    of_rows = groups[table.weights.astype(int) - 1]
    np.testing.assert_array_equal(
        table.row_columns.groups[:, None] == table.row_columns.groups, of_rows[:, None] == of_rows
    )
