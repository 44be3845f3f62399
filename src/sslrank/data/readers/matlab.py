"""MATLAB .mat files with a matrix of features and a column of classes."""

import numpy as np
import scipy.io

from sslrank.data.dataset import DataError
from sslrank.data.readers.source import DOWNLOAD_AGAIN, read_bytes
from sslrank.data.readers.table import Table, make_frame
from sslrank.hints import nearest


def read(path, features="X", target="Y"):
    """Read two variables of a .mat file (up to version 7.2).

    Integer matrices become float64 here, once: arithmetic on their own types (often uint8) would wrap.
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
    sslrank.data.readers.table.Table

    Raises
    ------
    DataError
        If the file is damaged, or a variable is missing, no matrix of numbers, not finite, or of another
        length.
    """
    read_bytes(path)  # an empty file or an HTML page gets its own message
    try:
        content = scipy.io.loadmat(path, variable_names=[features, target])
    except NotImplementedError:
        raise DataError("version 7.3 .mat files are HDF5, which is not supported", file=path) from None
    except Exception as error:  # scipy raises whatever its parser met
        raise DataError(f"not a readable .mat file: {error}", file=path, advice=DOWNLOAD_AGAIN) from None
    arrays = {}
    for name in (features, target):
        if name not in content:
            listed = ", ".join(item[0] for item in scipy.io.whosmat(path))
            raise DataError(
                f"there is no variable {name!r}, only {listed}{nearest(name, listed.split(', '))}",
                file=path,
                advice="Set the reader's options 'features' and 'target'",
            )
        arrays[name] = as_matrix(content[name], name, path)
    X, y = arrays[features], arrays[target]
    if y.size != len(X):
        raise DataError(f"{features!r} has {len(X)} rows, {target!r} has {y.size} values", file=path)
    return Table(make_frame([*(f"x{j + 1}" for j in range(X.shape[1])), target], [*X.T, y.ravel()]), {}, path)


def as_matrix(array, name, path):
    """A two-dimensional float64 array; anything but finite numbers is refused."""
    if hasattr(array, "toarray"):
        array = array.toarray()
    array = np.asarray(array)
    if array.dtype.kind not in "biuf" or array.ndim != 2 or array.size == 0:
        raise DataError(f"{name!r} must be a matrix of numbers, found {array.dtype} of shape {array.shape}", file=path)
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise DataError(f"{name!r} has {array[row, column]} in row {row + 1}", file=path, column=int(column) + 1)
    return array
