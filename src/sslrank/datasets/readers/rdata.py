"""R's .RData, .rda and .rds files with a data frame, or a list of a matrix ``x`` and a vector ``y``."""

import numpy as np
import pandas as pd
import pyarrow as pa

from sslrank.core.errors import DataError
from sslrank.core.messages import listed
from sslrank.datasets.readers import child
from sslrank.datasets.readers.matlab import as_matrix, matrix_table
from sslrank.datasets.readers.parquet import table_of
from sslrank.datasets.readers.source import read_bytes


def read(path, features="x", target="y"):
    """Read a data frame, or a list with a matrix of features and a vector of classes. No R code is run.

    The file is parsed in a child process.

    Parameters
    ----------
    path : path-like
    features : str
        Element with the (n, D) matrix; features have the names of its columns, or x1, x2, ... without any.
    target : str
        Element with n numbers, strings or factor levels; R's NA is missing.

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable

    Raises
    ------
    DataError
        If the file is damaged, or holds neither such a list nor one data frame.
    """
    content = read_bytes(path)
    if not content.startswith((b"RDX2\nX\n", b"RDX3\nX\n", b"X\n")):
        raise DataError(
            "not a readable .rdata file: it begins neither with RDX2 nor with RDX3",
            advice="Write it by R's save() or saveRDS(), without ascii = TRUE",
        )
    arrays = child.parse("rdata", content, features, target)
    if "listed" in arrays:
        raise DataError(
            f"expected one data frame, or a list with elements {features!r} and {target!r}; the file holds "
            f"{listed(arrays['listed']) or 'nothing'}",
            advice="Save one data frame: saveRDS(frame, \"table.rds\"); in a study the reader's options 'features' and "
            "'target' name elements of a list",
        )
    if "frame" in arrays:
        names = arrays["frame"].tolist()
        return table_of(pa.table([_column(arrays, j) for j in range(len(names))], names=names))
    X = as_matrix(arrays["matrix"], features)
    return matrix_table(X, _target(arrays, target), features, target, arrays["names"].tolist())


def _column(arrays, j):
    values, missing = arrays[f"values {j}"], arrays.get(f"missing {j}")
    if missing is None:
        return pa.array(values, from_pandas=True)
    if (levels := arrays.get(f"levels {j}")) is not None:
        texts = np.where(missing, None, values.astype(object))
        return pa.array(pd.Categorical(texts, levels.astype(object), ordered=True))
    return pa.array(values.tolist(), pa.string(), mask=missing)


def _target(arrays, target):
    if "codes" in arrays:
        return pd.Categorical.from_codes(arrays["codes"], arrays["levels"].tolist())
    y = arrays["y"]
    if y.dtype.kind not in "biuf" or y.ndim != 1:
        raise DataError(f"{target!r} must be a vector of classes or numbers, found {y.dtype} {y.shape}")
    y = y.astype(np.float64)
    if np.isinf(y).any():
        raise DataError(f"{target!r} is infinite in row {int(np.argmax(np.isinf(y))) + 1}")
    return y
