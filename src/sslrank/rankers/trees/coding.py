"""Encode features as small integers, from which the tests of trees are derived."""

from itertools import pairwise

import numpy as np
from scipy import sparse

from sslrank.rankers.trees._ranks import rank_columns
from sslrank.rankers.trees._table import FeatureTable

#: Rows are stored as lists of entries if at most this share of the values differs from the mode of their column.
SPARSE_BELOW = 0.15


def encode_table(features, *, allow_sparse=True):
    """Encode the features of all rows, once per dataset.

    Parameters
    ----------
    features : sslrank.core.features.Features
    allow_sparse : bool, default=True
        Allow the sparse form. It is used if few values differ from their column's most frequent value, none is missing,
        and no feature has more than two categories.

    Returns
    -------
    FeatureTable
    """
    n_rows, n_features = features.shape
    nominal = features.nominal
    if sparse.issparse(features.values):
        columns = sparse.csc_array(features.values)
        columns.sum_duplicates()
        if allow_sparse and not np.isnan(columns.data).any() and columns.nnz <= SPARSE_BELOW * n_rows * n_features:
            codes, values, default_code = _code_sparse_columns(columns)
            rows, start = columns.indices.astype(np.int32), columns.indptr.astype(np.int64)
            return _sparse_table(values, nominal, n_rows, start, rows, codes, default_code)
        dense = columns.toarray()
    else:
        dense = features.values
    dense = np.ascontiguousarray(dense)
    low, high, two_valued = _two_valued_columns(dense)
    if allow_sparse and len(two_valued) + np.count_nonzero(low == high) == n_features and not nominal.any():
        table = _two_valued_table(low, high, two_valued, n_rows)
        if table is not None:
            return table
    codes = np.empty((n_features, n_rows), dtype=np.int32)
    values, modes, listed = [], np.zeros(n_features, dtype=np.int32), 0
    other = [j for j in range(n_features) if not nominal[j] and j not in two_valued]
    ranked = rank_columns(dense, other, codes)
    for j in range(n_features):
        if nominal[j]:
            column = dense[:, j]
            known = ~np.isnan(column)
            codes[j] = np.where(known, column, -1)
            distinct = np.empty(0)
            counts = np.bincount(codes[j][known], minlength=1)
        elif j in two_valued:
            codes[j] = two_valued[j]
            n_high = np.count_nonzero(two_valued[j])
            distinct, counts = np.array([low[j], high[j]]), np.array([n_rows - n_high, n_high])
        elif j in ranked:
            distinct, modes[j], most = ranked.pop(j)
            values.append(distinct)
            listed += n_rows - most
            continue
        else:  # some are missing
            distinct, codes[j], counts = _code_column(dense[:, j])
        values.append(distinct)
        modes[j] = np.argmax(counts) if len(counts) else 0
        listed += n_rows - (counts.max() if len(counts) else 0)
    n_codes = np.array(
        [features.n_categories[j] if nominal[j] else len(values[j]) for j in range(n_features)],
        dtype=np.int32,
    )
    few = listed <= SPARSE_BELOW * n_rows * n_features
    if allow_sparse and few and not (nominal & (n_codes > 2)).any() and codes.min(initial=0) >= 0:
        values = [
            np.arange(k, dtype=np.float64) if is_nominal else v
            for k, is_nominal, v in zip(n_codes, nominal, values, strict=True)
        ]
        differs = codes != modes[:, None]
        feature, rows = np.nonzero(differs)
        start = np.concatenate([[0], np.cumsum(np.bincount(feature, minlength=n_features))]).astype(np.int64)
        return _sparse_table(values, nominal, n_rows, start, rows.astype(np.int32), codes[differs], modes)
    value_start = np.concatenate([[0], np.cumsum([len(v) for v in values])]).astype(np.int64)
    together = np.zeros(value_start[-1] + 1)
    for j, start in enumerate(value_start[:-1]):  # freed one at a time, as they can be as large as X
        together[start : value_start[j + 1]] = values[j]
        values[j] = None
    return FeatureTable(
        n_codes,
        nominal.astype(np.uint8),
        together,
        value_start,
        codes,
        n_rows,
        numbers=dense,
    )


def _two_valued_columns(dense):
    """Find two-valued columns: ends of all columns, and {column: rows with the larger value}."""
    low, high = dense.min(axis=0, initial=np.inf) + 0.0, dense.max(axis=0, initial=-np.inf) + 0.0
    start = dense[:64]  # excludes most columns
    candidates = np.flatnonzero((low < high) & ((start == low) | (start == high)).all(axis=0))
    if 2 * len(candidates) > dense.shape[1]:  # a copy costs more than checking all columns
        candidates = np.arange(dense.shape[1])
    part = dense if len(candidates) == dense.shape[1] else dense[:, candidates]
    at_high = part == high[candidates]
    two = (at_high | (part == low[candidates])).all(axis=0) & (low < high)[candidates]  # NaN equals neither
    by_column = np.ascontiguousarray(at_high.T)
    return low, high, {int(j): rows for j, rows, good in zip(candidates, by_column, two, strict=True) if good}


def _two_valued_table(low, high, two_valued, n_rows):
    """Build the sparse table of columns of at most two values; None if too many rows differ from the mode."""
    n_features = len(low)
    at_high = np.zeros((n_features, n_rows), dtype=bool)
    for j, rows in two_valued.items():
        at_high[j] = rows
    n_high = np.count_nonzero(at_high, axis=1)
    modes = 2 * n_high > n_rows
    listed = np.where(modes, n_rows - n_high, n_high)
    if listed.sum() > SPARSE_BELOW * n_rows * n_features:
        return None
    start = np.concatenate([[0], np.cumsum(listed)])
    rows = np.flatnonzero(at_high != modes[:, None]) - np.repeat(n_rows * np.arange(n_features), listed)
    values = [np.array([low[j], high[j]][: 1 + (j in two_valued)]) for j in range(n_features)]
    codes = np.repeat(~modes, listed).astype(np.int32)
    nominal = np.zeros(n_features, dtype=bool)
    return _sparse_table(values, nominal, n_rows, start, rows.astype(np.int32), codes, modes)


def _code_column(column):
    """Encode a numeric column: distinct values, codes (-1 for NaN) and counts."""
    column = column + 0.0  # a copy without missing values and negative zeros
    order = np.argsort(column)
    ordered = column[order]
    known = len(ordered) - np.isnan(ordered).sum()
    codes = np.full(len(column), -1, dtype=np.int32)
    if not known:
        return np.empty(0), codes, np.empty(0, dtype=np.int64)
    ordered = ordered[:known]
    new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    codes[order[:known]] = np.cumsum(new) - 1
    first = np.flatnonzero(new)
    return ordered[first], codes, np.diff(first, append=known)


def _code_sparse_columns(columns):
    """Encode the entries of a CSC array; return codes and, by column, distinct values (with 0) and the code of 0."""
    n_rows, n_features = columns.shape
    data, start, counts = columns.data, columns.indptr, np.diff(columns.indptr)
    codes = np.empty(len(data), dtype=np.int32)
    values, default_code = [], np.zeros(n_features, dtype=np.int32)
    first = data[np.minimum(start[:-1], len(data) - 1)] if len(data) else np.zeros(n_features)
    differs = data != np.repeat(first, counts)
    same = np.bincount(np.repeat(np.arange(n_features), counts), weights=differs, minlength=n_features) == 0
    for j, (lo, hi) in enumerate(pairwise(start)):
        if same[j] and 0 < hi - lo < n_rows and first[j] != 0:  # no sorting for sets of words, fingerprints
            values.append(np.array([0.0, first[j]] if first[j] > 0 else [first[j], 0.0]))
            default_code[j] = first[j] < 0
            codes[lo:hi] = first[j] > 0
            continue
        distinct = np.unique(data[lo:hi])
        if hi - lo < n_rows or not len(distinct):
            distinct = np.unique(np.append(distinct, 0.0))
        values.append(distinct)
        default_code[j] = np.searchsorted(distinct, 0.0) if 0.0 in distinct else -2
        codes[lo:hi] = np.searchsorted(distinct, data[lo:hi])
    return codes, values, default_code


def _sparse_table(values, nominal, n_rows, start, rows, codes, default_code):
    n_features = len(values)
    default_code = np.asarray(default_code, dtype=np.int32)
    feature = np.repeat(np.arange(n_features, dtype=np.int32), np.diff(start))
    kept = codes != default_code[feature]  # stored zeros are not entries
    if not kept.all():
        feature, rows, codes = feature[kept], rows[kept], codes[kept]
        start = np.concatenate([[0], np.cumsum(np.bincount(feature, minlength=n_features))]).astype(np.int64)
    row_start, by_row = _by_row(rows, start, n_rows)
    n_codes = np.array([len(v) for v in values], dtype=np.int32)
    by_position = None
    if n_codes.max(initial=0) <= 2:
        counts = np.diff(start)
        feature_at = np.argsort(-counts, kind="stable").astype(np.int32)
        position_start = np.concatenate([[0], np.cumsum(counts[feature_at])])
        moved = np.arange(len(rows)) + np.repeat(start[:-1][feature_at] - position_start[:-1], counts[feature_at])
        position = np.repeat(np.arange(n_features, dtype=np.int32), counts[feature_at])
        row_position = position[_by_row(rows[moved], position_start, n_rows)[1]]
        by_position = (feature_at, np.append(row_position, np.int32(0)))  # rows without entries begin there too
    return FeatureTable(
        n_codes,
        nominal.astype(np.uint8),
        np.concatenate([*values, np.zeros(1)]),
        np.concatenate([[0], np.cumsum(n_codes)]).astype(np.int64),
        None,
        n_rows,
        default_code,
        (start, rows, codes),
        (row_start, np.append(feature[by_row], np.int32(0)), codes[by_row]),
        by_position,
    )


def _by_row(rows, start, n_rows):
    """Order entries by row instead of by column: the start of each row, and the order of its entries."""
    by_row = sparse.csc_array(
        (np.arange(1, len(rows) + 1, dtype=np.int32), rows, start), shape=(n_rows, len(start) - 1)
    ).tocsr()
    return by_row.indptr.astype(np.int64), by_row.data - 1
