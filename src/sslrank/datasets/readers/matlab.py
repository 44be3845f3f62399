"""MATLAB .mat files with a matrix of features and a column of classes."""

import numpy as np

from sslrank.core.errors import DataError
from sslrank.core.frames import make_frame
from sslrank.core.messages import counted, nearest
from sslrank.datasets.readers import child
from sslrank.datasets.readers.source import check_table, read_bytes
from sslrank.datasets.readers.table import ParsedTable, distinct_names


def read(path, features="X", target="Y"):
    """Read two variables of a .mat file (up to version 7.2), by SciPy in a child process.

    Integer matrices become float64, as arithmetic in their own type (often uint8) would overflow.
    Features are named x1, x2, ...; the target keeps the name of its variable.

    Parameters
    ----------
    path : path-like
    features : str
        Variable with the (n, D) matrix.
    target : str
        Variable with n numbers.

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable

    Raises
    ------
    DataError
        If the file is damaged, or a variable is missing, no matrix of numbers, not finite, or of another
        length.

    Examples
    --------
    >>> from scipy.io import savemat
    >>> savemat("data.mat", {"X": np.eye(2), "Y": [[1], [2]]})
    >>> read("data.mat").frame
        x1   x2    Y
    0  1.0  0.0  1.0
    1  0.0  1.0  2.0
    """
    content = read_bytes(path)
    if content[:8] == b"\x89HDF\r\n\x1a\n" or content[124:128] in (b"\x00\x02IM", b"\x02\x00MI"):
        raise DataError(
            "version 7.3 .mat files are HDF5, which is not supported", advice="Save it in MATLAB with the option '-v7'"
        )
    variables = child.parse("mat", content, features, target)
    listed = variables["listed"].tolist()
    for name in (features, target):
        if name not in listed:
            raise DataError(
                f"there is no variable {name!r}, only {', '.join(listed[:20])}{nearest(name, listed[:1000])}",
                advice="Set the reader's options 'features' and 'target'",
            )
    X, y = (as_matrix(variables[f"variable {name}"], name) for name in (features, target))
    return matrix_table(X, y.ravel(), features, target)


def matrix_table(X, y, features, target, names=()):
    """Join an (n, D) matrix and the column `target`; the features are called x1, x2, ... if they have no names."""
    if len(y) != len(X):
        raise DataError(f"{features!r} has {counted(len(X), 'row')}, {target!r} has {counted(len(y), 'value')}")
    names = names or [f"x{j + 1}" for j in range(X.shape[1])]
    while target in names:  # a target called x1
        target = f"target:{target}"
    return ParsedTable(make_frame([*distinct_names(names), target], [*X.T, y]))


def as_matrix(array, name):
    """Convert an array to an (n, D) float64 matrix; an array with one text describes a variable that is not a matrix.

    Raises DataError unless all values are finite numbers in the range of float64.
    """
    if array.dtype.kind not in "biuf" or array.ndim != 2 or array.size == 0:
        value = array if array.dtype.kind == "U" else f"{array.dtype} of shape {array.shape}"
        raise DataError(f"{name!r} must be a matrix of numbers, found {value}")
    check_table(*array.shape)
    matrix = array.astype(np.float64)
    bad = ~np.isfinite(matrix)
    problem = "expected finite numbers"
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        bad, problem = (array > 2**53) | (array < -(2**53)), "which float64 cannot hold"
    if bad.any():
        row, column = np.argwhere(bad)[0]
        value = array[row, column] if array.dtype.kind in "iu" else matrix[row, column]
        raise DataError(f"{name!r} has {value} in row {row + 1}, {problem}", column=int(column) + 1)
    return matrix
