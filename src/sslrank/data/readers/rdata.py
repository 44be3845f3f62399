"""R's .RData and .rda files with a list of a matrix ``x`` and a vector ``y``."""

import warnings

import numpy as np
import pandas as pd

from sslrank.data.dataset import DataError
from sslrank.data.readers.matlab import as_matrix
from sslrank.data.readers.source import DOWNLOAD_AGAIN, read_bytes
from sslrank.data.readers.table import Table, make_frame


def read(path, features="x", target="y"):
    """Read an R list with a matrix of features and a vector of classes. No R code is run.

    Parameters
    ----------
    path : path-like
    features : str
        Element with the (n, D) matrix; its column names are used when it has some, else x1, x2, ...
    target : str
        Element with n numbers, strings or factor levels.

    Returns
    -------
    sslrank.data.readers.table.Table

    Raises
    ------
    DataError
        If the file is damaged or holds no such list.
    """
    import rdata

    content = read_bytes(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # attributes that have no Python form
            objects = rdata.conversion.convert(rdata.parser.parse_data(content))
    except Exception as error:  # whatever the parser met in a damaged file
        raise DataError(f"not a readable RData file: {error}", file=path, advice=DOWNLOAD_AGAIN) from None
    for value in objects.values() if isinstance(objects, dict) else ():
        if isinstance(value, dict) and features in value and target in value:
            break
    else:
        raise DataError(f"there is no list with elements {features!r} and {target!r}", file=path)
    matrix, y = value[features], value[target]
    names = None
    if hasattr(matrix, "coords"):  # an R matrix with dimnames
        names = (
            [str(name) for name in matrix.coords[matrix.dims[1]].to_numpy()]
            if matrix.dims[1] in matrix.coords
            else None
        )
        matrix = matrix.to_numpy()
    elif isinstance(matrix, pd.DataFrame):
        names, matrix = [str(name) for name in matrix.columns], matrix.to_numpy()
    X = as_matrix(matrix, features, path)
    names = names or [f"x{j + 1}" for j in range(X.shape[1])]
    if len(y) != len(X):
        raise DataError(f"{features!r} has {len(X)} rows, {target!r} has {len(y)} values", file=path)
    if not isinstance(y, pd.Categorical):
        y = np.asarray(y).ravel()
        y = y.astype(np.float64) if y.dtype.kind in "biuf" else pd.Categorical([str(label) for label in y])
    return Table(make_frame([*names, target], [*X.T, y]), {}, path)
