"""R's .RData and .rda files with a list of a matrix ``x`` and a vector ``y``."""

import numpy as np
import pandas as pd

from sslrank.core.frames import make_frame
from sslrank.core.messages import counted
from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers import child
from sslrank.datasets.readers.matlab import as_matrix
from sslrank.datasets.readers.source import read_bytes
from sslrank.datasets.readers.table import Column, ParsedTable, check_column_names


def read(path, features="x", target="y"):
    """Read an R list with a matrix of features and a vector of classes, in a child process. No R code is run.

    Parameters
    ----------
    path : path-like
    features : str
        Element with the (n, D) matrix; its column names are used when it has some, else x1, x2, ...
    target : str
        Element with n numbers, strings or factor levels; R's NA is missing.

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable

    Raises
    ------
    DataError
        If the file is damaged or holds no such list.
    """
    content = read_bytes(path)
    if content[:7] not in (b"RDX2\nX\n", b"RDX3\nX\n"):
        raise DataError(
            "not a readable .rdata file: it begins neither with RDX2 nor with RDX3",
            file=path,
            advice="Write it by R's save(), without ascii = TRUE; the format of saveRDS() is not read",
        )
    found = child.parse("rdata", path, content, features, target)
    if not found:
        raise DataError(
            f"there is no list with elements {features!r} and {target!r}",
            file=path,
            advice="Set the reader's options 'features' and 'target'",
        )
    X = as_matrix(found["matrix"], features, path)
    names = found["names"].tolist() or [f"x{j + 1}" for j in range(X.shape[1])]
    y = _target(found, target, path)
    if len(y) != len(X):
        raise DataError(
            f"{features!r} has {counted(len(X), 'row')}, {target!r} has {counted(len(y), 'value')}", file=path
        )
    while target in names:
        target = f"target:{target}"
    check_column_names([Column(name) for name in names], path)
    return ParsedTable(make_frame([*names, target], [*X.T, y]), {}, path)


def _target(found, target, path):
    if "codes" in found:
        return pd.Categorical.from_codes(found["codes"], found["levels"].tolist())
    y = found["y"]
    if y.dtype.kind not in "biuf" or y.ndim != 1:
        raise DataError(f"{target!r} must be a vector of classes or numbers, found {y.dtype} {y.shape}", file=path)
    y = y.astype(np.float64)
    if np.isinf(y).any():
        raise DataError(f"{target!r} is infinite in row {int(np.argmax(np.isinf(y))) + 1}", file=path)
    return y
