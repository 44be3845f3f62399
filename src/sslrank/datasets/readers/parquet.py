"""Parquet tables: numbers are numeric; strings, categoricals, dates and times nominal (ordered ones ordered)."""

from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sslrank.core.containers import as_text
from sslrank.core.errors import DataError
from sslrank.core.frames import make_frame
from sslrank.core.messages import counted
from sslrank.datasets.readers.source import check_table, read_bytes, readable
from sslrank.datasets.readers.table import ParsedTable, column_label, distinct_names

#: Number of cells of a piece, and its minimum number of rows.
_CELLS, _ROWS = 4_000_000, 250
_readable = partial(readable, "Parquet file", (OSError, pa.ArrowException, UnicodeDecodeError))


def read(path, drop=(), *, rows=None):
    """Read a Parquet file; nulls are missing values.

    Parameters
    ----------
    path : path-like
    drop : sequence of str
        Columns to skip; all their values become missing.
    rows : ndarray of bool, optional
        Rows to read, by default all.

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable

    Raises
    ------
    DataError
        If the file is damaged, or a column is neither finite numbers that float64 can hold nor text, dates or times.

    Examples
    --------
    >>> pd.DataFrame({"a": [1, None], "shade": ["light", "dark"]}).to_parquet("data.parquet")
    >>> read("data.parquet").frame
         a  shade
    0  1.0  light
    1  NaN   dark
    """
    with _readable():
        file, names, to_read = _open(pa.BufferReader(read_bytes(path)) if rows is None else path, drop)
        if rows is not None:
            return _table(_read_rows(file, rows, to_read), names, np.flatnonzero(rows))
        check_table(file.metadata.num_rows, len(names))
        table = file.read(to_read if drop else None, use_threads=False)
        if to_read:
            _check_rows(file, table.num_rows)
        return _table(table, names)


def find_labels(path, labeled, drop=()):
    """Find the labelled rows of a large file; see :func:`sslrank.datasets.readers.delimited.find_labels`."""
    with _readable():
        file, names, _ = _open(path, drop)
        labeled(ParsedTable(pd.DataFrame(columns=names)))
        table = file.read(labeled.columns, use_threads=False)
        _check_rows(file, table.num_rows)
        return labeled(_table(table, labeled.columns)), None, len(names)


def _read_rows(file, rows, to_read):
    """Read selected rows of a large file, one part of it in memory at a time."""
    tables, first = [], 0
    for batch in file.iter_batches(max(_ROWS, _CELLS // max(len(to_read), 1)), columns=to_read):
        mask = rows[first : first + len(batch)]
        tables.append(pa.Table.from_batches([batch]).filter(pa.array(mask)))
        first += len(batch)
    return pa.concat_tables(tables)


def _open(source, drop):
    """Open a file; return it (repeated texts held once), the names of its columns and of those to read."""
    schema = pq.read_schema(source)
    names = distinct_names(schema.names)
    texts = [field.name for field in schema if _is_text(field.type)]
    file = pq.ParquetFile(source, read_dictionary=texts, pre_buffer=False)  # otherwise the whole file is held in memory
    return file, names, [name for name in names if name not in drop]


def _check_rows(file, n_rows):
    if n_rows != file.metadata.num_rows:
        raise OSError(f"it declares {file.metadata.num_rows} rows and has {n_rows}")


def table_of(table):
    """Convert a table of Arrow; errors are those of :func:`read`."""
    return _table(table, distinct_names(table.column_names))


def _table(table, names, rows=None):
    """Convert the columns that were read; all values of the others are missing."""
    if not names or not table.num_rows:
        raise DataError(f"the table has {counted(table.num_rows, 'row')} and {counted(len(names), 'column')}")
    table.validate(full=True)
    read = set(table.column_names)
    columns = [
        _column(table[name], name, column_label(j, name), rows) if name in read else np.full(table.num_rows, np.nan)
        for j, name in enumerate(names)
    ]
    return ParsedTable(make_frame(names, columns))


def _is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _column(column, name, where, rows=None):
    kind = column.type
    advice = f"Leave it out: --drop {name} on the command line, drop=[{name!r}] in the reader's options"
    is_binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind)
    if pa.types.is_duration(kind) or is_binary:
        texts = [None if pd.isna(value) else as_text(value) for value in column.to_pandas()]
        return _categories(pa.chunked_array([pa.array(texts, pa.string())]).dictionary_encode(), where)
    if pa.types.is_temporal(kind):
        return _categories(column.cast(pa.string()).dictionary_encode(), where)
    if pa.types.is_dictionary(kind) or _is_text(kind):
        return _categories(column.dictionary_encode() if _is_text(kind) else column, where)
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if not (pa.types.is_decimal(kind) or pa.types.is_primitive(kind)):
        raise DataError(f"type {kind} is neither numbers nor text", column=where, advice=advice)
    try:
        values = column.cast(pa.float64()).to_numpy()
    except pa.ArrowException as error:  # an integer beyond 2^53
        problem = f"float64 cannot hold every value: {error}"
        raise DataError(problem, column=where, advice=f"{advice}; or write it as text") from None
    bad = np.asarray(column.is_valid()) & ~np.isfinite(values)
    if bad.any():
        row = int(np.argmax(bad))
        number = 1 + (row if rows is None else rows[row])
        problem = f"row {number} has {values[row]}; expected a finite number or null"
        raise DataError(problem, column=where)
    return values


def _categories(column, where):
    kind = column.type.value_type
    if not (_is_text(kind) or pa.types.is_integer(kind)):
        raise DataError(f"categories of type {kind} are neither numbers nor text", column=where)
    encoded = column.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0)
    values = encoded.dictionary.to_pylist()
    codes = encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False).astype(np.int64)
    occurring = {values[code] for code in np.unique(codes) if code < len(values)} - {None}
    is_ordered = column.type.ordered
    order = {value: code for code, value in enumerate(values if is_ordered else sorted(occurring))}
    recode = np.array([order.get(value, -1) for value in values] + [-1])
    return pd.Categorical.from_codes(recode[codes], categories=list(order), ordered=is_ordered)
