"""Parquet tables: numbers are numeric, strings and categoricals nominal."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sslrank.data.dataset import DataError
from sslrank.data.readers.source import DOWNLOAD_AGAIN
from sslrank.data.readers.table import Column, Table, check_names, make_frame, place


def read(path):
    """Read a Parquet file; nulls are missing values.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    sslrank.data.readers.table.Table

    Raises
    ------
    DataError
        If the file is damaged, or a column is neither finite numbers nor text.
    """
    try:
        table = pq.ParquetFile(path).read()
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"not a readable Parquet file: {error}", file=path, advice=DOWNLOAD_AGAIN) from None
    check_names([Column(name) for name in table.column_names], path)
    columns = []
    for j, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True)):
        kind = column.type
        if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
            values = column.cast(pa.float64()).to_numpy()
            valid = np.asarray(column.is_valid())
            if not np.isfinite(values[valid]).all():
                row = int(np.flatnonzero(valid & ~np.isfinite(values))[0])
                raise DataError(
                    f"row {row + 1} has {values[row]}; expected a finite number or null",
                    file=path,
                    column=place(j, name),
                )
            columns.append(values)
        elif pa.types.is_dictionary(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
            columns.append(pd.Categorical(column.to_pylist()))
        else:
            raise DataError(f"type {kind} is neither numbers nor text", file=path, column=place(j, name))
    return Table(make_frame(table.column_names, columns), {}, path)
