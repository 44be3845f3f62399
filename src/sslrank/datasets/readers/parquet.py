"""Parquet tables: numbers are numeric; strings, categoricals, dates and times nominal."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers.source import DOWNLOAD_AGAIN, check_table, read_bytes
from sslrank.datasets.readers.table import Column, Table, check_names, make_frame, place

#: Cells of a piece, and rows at least.
_CELLS, _ROWS = 4_000_000, 250


def read(path, drop=()):
    """Read a Parquet file; nulls are missing values.

    Parameters
    ----------
    path : path-like
    drop : sequence of str
        Columns of which nothing is wanted, whatever they hold: all their values are missing.

    Returns
    -------
    sslrank.datasets.readers.table.Table

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
    content = pa.BufferReader(read_bytes(path))
    try:
        schema = pq.read_schema(content)
        check_names([Column(name) for name in schema.names], path)
        texts = [field.name for field in schema if _is_text(field.type)]
        file = pq.ParquetFile(content, read_dictionary=texts)  # a text that repeats is held once
        check_table(file.metadata.num_rows, len(schema), path)
        wanted = [name for name in schema.names if name not in drop]
        table = file.read(wanted if drop else None, use_threads=False)
        table.validate(full=True)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"not a readable Parquet file: {problem}", file=path, advice=DOWNLOAD_AGAIN) from None
    n_rows = file.metadata.num_rows
    if len(wanted) and table.num_rows != n_rows:
        problem = f"not a readable Parquet file: it declares {n_rows} rows and has {table.num_rows}"
        raise DataError(problem, file=path, advice=DOWNLOAD_AGAIN)
    if not schema.names or not n_rows:
        raise DataError(f"the table has {n_rows} rows and {len(schema.names)} columns", file=path)
    columns = [
        np.full(n_rows, np.nan) if name in drop else _column(table[name], path, name, place(j, name))
        for j, name in enumerate(schema.names)
    ]
    return Table(make_frame(schema.names, columns), {}, path)


def pieces(path, drop=()):
    """Yield tables of successive rows of a Parquet file; parameters and errors are those of :func:`read`."""
    n_rows = 0
    try:
        schema = pq.read_schema(path)
        check_names([Column(name) for name in schema.names], path)
        file = pq.ParquetFile(path, read_dictionary=[field.name for field in schema if _is_text(field.type)])
        wanted = [name for name in schema.names if name not in drop]
        for batch in file.iter_batches(max(_ROWS, _CELLS // max(len(wanted), 1)), columns=wanted):
            table = pa.Table.from_batches([batch])
            table.validate(full=True)
            columns = [
                np.full(len(table), np.nan)
                if name in drop
                else _column(table[name], path, name, place(j, name), first_row=n_rows + 1)
                for j, name in enumerate(schema.names)
            ]
            n_rows += len(table)
            yield Table(make_frame(schema.names, columns), {}, path)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"not a readable Parquet file: {problem}", file=path, advice=DOWNLOAD_AGAIN) from None
    if n_rows != file.metadata.num_rows or not n_rows:
        problem = f"not a readable Parquet file: it declares {file.metadata.num_rows} rows and has {n_rows}"
        raise DataError(problem, file=path, advice=DOWNLOAD_AGAIN)


def _is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _column(column, path, name, where, first_row=1):
    kind = column.type
    advice = f"Leave it out: --drop {name} on the command line, drop=[{name!r}] in the reader's options"
    if pa.types.is_temporal(kind) and not pa.types.is_duration(kind):
        return _categories(column.cast(pa.string()).dictionary_encode(), path, where)
    if pa.types.is_dictionary(kind):
        return _categories(column, path, where)
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if not (
        pa.types.is_decimal(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
    ):
        raise DataError(f"type {kind} is neither numbers nor text", file=path, column=where, advice=advice)
    try:
        values = column.cast(pa.float64()).to_numpy()
    except pa.ArrowException as error:  # an integer beyond 2^53
        problem = f"float64 cannot hold every value: {error}"
        raise DataError(problem, file=path, column=where, advice=f"{advice}; or write it as text") from None
    bad = np.asarray(column.is_valid()) & ~np.isfinite(values)
    if bad.any():
        row = int(np.argmax(bad))
        problem = f"row {row + first_row} has {values[row]}; expected a finite number or null"
        raise DataError(problem, file=path, column=where)
    return values


def _categories(column, path, where):
    kind = column.type.value_type
    if not (_is_text(kind) or pa.types.is_integer(kind)):
        raise DataError(f"categories of type {kind} are neither numbers nor text", file=path, column=where)
    encoded = column.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0)
    values = encoded.dictionary.to_pylist()
    codes = encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False).astype(np.int64)
    occurring = {values[code] for code in np.unique(codes) if code < len(values)} - {None}
    order = {value: code for code, value in enumerate(sorted(occurring))}
    recode = np.array([order.get(value, -1) for value in values] + [-1])
    return pd.Categorical.from_codes(recode[codes], categories=list(order))
