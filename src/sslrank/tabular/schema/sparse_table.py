"""Choose rows and columns of a large sparse table, to rank them as a dense table."""

import numpy as np
from scipy import sparse

from sslrank.core.messages import counted
from sslrank.core.random_state import derive_seed

#: Columns of large sparse tables that differ from their most frequent value in fewer labelled rows are left out: with
#: two equally large classes, an exact test of five rows against the others has p of at least 1/32.
MIN_NONCONSTANT_ROWS = 5
#: Maximum number of cells of the labelled rows.
MAX_LABELED_CELLS = 100_000_000


def is_large_sparse(X, max_cells):
    """Check if a table is sparse and would be large as a dense one."""
    return sparse.issparse(X) and X.shape[0] * X.shape[1] > max_cells


def choose_part(X, labeled, max_cells, keep=(), seed=0):
    """Choose rows and columns of a large sparse table: all labelled rows, and the columns that vary in them.

    The choice ignores the target's values, so the tests of features stay valid.

    Parameters
    ----------
    X : sparse matrix of shape (n, D)
    labeled : ndarray of shape (n,), bool
    max_cells : int
        Maximum number of cells of the result; unlabelled rows are sampled to meet it.
    keep : sequence of int
        Columns to keep in any case.
    seed : int

    Returns
    -------
    rows, columns : ndarray of int
        Ascending.
    note : str
        What was left out.
    """
    X = sparse.csr_array(X)
    counts = rows_that_differ(X[np.flatnonzero(labeled)])
    fewest = min(MIN_NONCONSTANT_ROWS, max(1, int(labeled.sum()) // 10))
    max_columns = max(1, MAX_LABELED_CELLS // int(labeled.sum()))
    enough = np.flatnonzero(counts >= fewest)
    frequent_columns = np.sort(enough[np.argsort(-counts[enough], kind="stable")[:max_columns]])
    columns = np.union1d(frequent_columns, np.asarray(keep, dtype=np.intp))
    unlabeled = np.flatnonzero(~labeled)
    limit = max(max_cells // max(len(columns), 1) - int(labeled.sum()), 0)
    drawn = np.random.default_rng(derive_seed(seed, "rows of a sparse table")).permutation(unlabeled)[:limit]
    smallest_count = int(counts[frequent_columns].min()) if len(frequent_columns) else fewest
    note = (
        f"ranked columns: {len(columns)} of {X.shape[1]}, those that differ from their most frequent value in at least "
        f"{counted(smallest_count, 'labelled row')}"
    )
    if len(drawn) < len(unlabeled):
        note += f"; unlabelled rows used: {len(drawn)} of {len(unlabeled)}, drawn at random"
    return np.sort(np.concatenate([np.flatnonzero(labeled), drawn])), columns, note


def rows_that_differ(X):
    """Count the rows in which each column differs from its most frequent value.

    Parameters
    ----------
    X : csr_array

    Returns
    -------
    ndarray of shape (D,)
    """
    columns = sparse.csc_array(X)
    columns.sum_duplicates()
    columns.eliminate_zeros()
    n_rows = columns.shape[0]
    n_stored = np.diff(columns.indptr)
    numbers = n_stored.astype(np.int64)
    for j in np.flatnonzero(2 * n_stored > n_rows):  # the most frequent value may not be 0
        counts = np.unique(columns.data[columns.indptr[j] : columns.indptr[j + 1]], return_counts=True)[1]
        most = max(counts.max(), n_rows - n_stored[j])
        numbers[j] = n_rows - most
    return numbers
