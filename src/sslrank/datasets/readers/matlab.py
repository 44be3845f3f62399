"""MATLAB .mat files with a matrix of features and a column of classes.

Level 5 files (MATLAB 5 to 7.2) are parsed here, by "MAT-File Format" (The MathWorks): scipy's reader trusts
the sizes and indices in a file, so that a damaged one can end the process. The tests compare the two.
"""

import io
import zlib
from itertools import islice

import numpy as np
import scipy.io

from sslrank.core.frames import make_frame
from sslrank.core.messages import counted, nearest
from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers.source import DOWNLOAD_AGAIN, check_size, check_table, limit, read_bytes, readable_size
from sslrank.datasets.readers.table import ParsedTable

#: Code of a stored type -> its NumPy type.
_STORED = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_MATRIX, _COMPRESSED = 14, 15
#: Code of an array's class -> its name, and its NumPy type if it is numbers.
_CLASSES = {1: "cell array", 2: "struct", 3: "object", 4: "text", 16: "function", 17: "opaque object"}
_NUMBERS = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
_SPARSE = 5
_COMPLEX = 0x800


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
    sslrank.datasets.readers.table.ParsedTable

    Raises
    ------
    DataError
        If the file is damaged, or a variable is missing, no matrix of numbers, not finite, or of another
        length.

    Examples
    --------
    >>> scipy.io.savemat("data.mat", {"X": np.eye(2), "Y": [[1], [2]]})
    >>> read("data.mat").frame
        x1   x2    Y
    0  1.0  0.0  1.0
    1  0.0  1.0  2.0
    """
    content = read_bytes(path)
    if content[:8] == b"\x89HDF\r\n\x1a\n" or content[124:128] in (b"\x00\x02IM", b"\x02\x00MI"):
        raise DataError(
            "version 7.3 .mat files are HDF5, which is not supported",
            file=path,
            advice="Save it in MATLAB with the option '-v7'",
        )
    try:
        if 0 in content[:4]:
            listed, found = _read_level_4(content, (features, target), path)
        else:
            listed, found = _read_level_5(content, (features, target), path)
    except _Damaged as error:
        raise DataError(f"not a readable .mat file: {error}", file=path, advice=DOWNLOAD_AGAIN) from None
    for name in (features, target):
        if name not in found:
            raise DataError(
                f"there is no variable {name!r}, only {', '.join(listed[:20])}{nearest(name, listed[:1000])}",
                file=path,
                advice="Set the reader's options 'features' and 'target'",
            )
    X, y = (as_matrix(found[name], name, path) for name in (features, target))
    if y.size != len(X):
        raise DataError(
            f"{features!r} has {counted(len(X), 'row')}, {target!r} has {counted(y.size, 'value')}", file=path
        )
    names = [f"x{j + 1}" for j in range(X.shape[1])]
    while target in names:  # a target called x1
        target = f"target:{target}"
    return ParsedTable(make_frame([*names, target], [*X.T, y.ravel()]), {}, path)


class _Damaged(Exception):
    """The file is not as the format says; the message says where."""


def _read_level_4(content, wanted, path):
    """MATLAB 4: scipy's reader of these is plain Python."""
    try:
        listed = [item[0] for item in scipy.io.whosmat(io.BytesIO(content))]
        found = scipy.io.loadmat(io.BytesIO(content), variable_names=list(wanted))
    except Exception as error:  # scipy raises whatever its parser met
        raise _Damaged(str(error) or type(error).__name__) from None
    for name, array in found.items():
        if hasattr(array, "toarray"):
            check_table(*array.shape, path)
            found[name] = array.toarray()
    return listed, found


def _read_level_5(content, wanted, path):
    """Names of all variables, and the wanted ones as arrays; anything but numbers as a str that says what."""
    order = {b"\x00\x01IM": "<", b"\x01\x00MI": ">"}.get(content[124:128])
    if order is None:
        raise _Damaged("it does not begin as MATLAB files of version 4 to 7.2 do")
    listed, found = [], {}
    for code, element in _elements(memoryview(content)[128:], order):
        if code == _COMPRESSED:
            element = _unpack(element, path)
            ((code, element),) = _elements(element, order, count=1)
        if code != _MATRIX:
            raise _Damaged(f"a variable of unknown type {code}")
        name, array = _variable(element, order, wanted, path)
        if name in found:
            raise _Damaged(f"variable {name!r} is duplicated")
        listed.append(name)
        if array is not None:
            found[name] = array
    return listed, found


def _unpack(element, path):
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(element, limit() + 1)
    except zlib.error as error:
        raise _Damaged(error) from None
    check_size(len(content), path, "unpacks to more than")
    if not unpacker.eof:
        raise _Damaged("a compressed variable is cut")
    return memoryview(content)


def _elements(buffer, order, count=None):
    """(type, content) of each element; exactly `count`, or as many as there are."""
    position, found = 0, 0
    while position < len(buffer) and (count is None or found < count):
        if position + 8 > len(buffer):
            raise _Damaged("it ends inside the head of an element")
        head = np.frombuffer(buffer[position : position + 8], f"{order}u4")
        if head[0] >> 16:  # a small element: size, type and content in 8 bytes
            code, size, start = int(head[0] & 0xFFFF), int(head[0] >> 16), position + 4
            position += 8
            if size > 4:
                raise _Damaged(f"a small element of {size} bytes")
        else:
            code, size, start = int(head[0]), int(head[1]), position + 8
            position = start + size + (0 if code == _COMPRESSED else -size % 8)
        if start + size > len(buffer):
            missing = readable_size(start + size - len(buffer))
            raise _Damaged(f"an element of {readable_size(size)} misses its last {missing}")
        found += 1
        yield code, buffer[start : start + size]
    if count is not None and (found < count or position < len(buffer)):
        raise _Damaged(f"a variable has {found} elements or more, expected {count}")


def _numbers(element, order):
    """The stored numbers of an element."""
    code, content = element
    if code not in _STORED:
        raise _Damaged(f"numbers of unknown type {code}")
    kind = np.dtype(order + _STORED[code])
    if len(content) % kind.itemsize:
        raise _Damaged(f"{len(content)} bytes hold no whole number of values of {kind.itemsize} bytes")
    return np.frombuffer(content, kind)


def _variable(element, order, wanted, path):
    """Name and array of a variable; None if it is not wanted, a str if its values are not real numbers."""
    head = list(islice(_elements(element, order), 3))
    if [code for code, _ in head] != [6, 5, 1] or len(head[0][1]) != 8:
        raise _Damaged("a variable without flags, shape and name")
    flags = int(_numbers(head[0], order)[0])
    code, shape, name = flags & 0xFF, _numbers(head[1], order), bytes(head[2][1]).decode("latin-1")
    if code not in _CLASSES and code not in _NUMBERS and code != _SPARSE:
        raise _Damaged(f"variable {name!r} is of unknown class {code}")
    if name not in wanted:
        return name, None
    if code in _CLASSES or flags & _COMPLEX:
        return name, "complex numbers" if flags & _COMPLEX else _CLASSES[code]
    if len(shape) != 2:
        return name, f"an array of {counted(len(shape), 'dimension')}"
    if (shape < 0).any():
        raise _Damaged(f"variable {name!r} has an impossible shape")
    n_rows, n_columns = (int(size) for size in shape)
    check_table(n_rows, n_columns, path)
    if code == _SPARSE:
        return name, _sparse(name, list(_elements(element, order, 6))[3:], order, n_rows, n_columns)
    values = _numbers(list(_elements(element, order, 4))[3], order)
    if values.size != n_rows * n_columns:
        raise _Damaged(f"variable {name!r} is {n_rows} x {n_columns} and has {counted(values.size, 'value')}")
    kind = np.dtype(_NUMBERS[code])
    if values.size and kind.kind in "iu":
        bounds = np.iinfo(kind)
        if values.dtype.kind == "f" or int(values.min()) < bounds.min or int(values.max()) > bounds.max:
            raise _Damaged(f"variable {name!r} has values that its type {kind.name} has not")
    return name, values.reshape((n_rows, n_columns), order="F")


def _sparse(name, elements, order, n_rows, n_columns):
    """A dense matrix of a sparse one: rows of the values, where each column starts, values."""
    rows, starts, values = (_numbers(element, order) for element in elements)
    if rows.dtype.kind == "f" or starts.dtype.kind == "f":
        raise _Damaged(f"sparse variable {name!r} has broken indices")
    rows, starts = rows.astype(np.int64), starts.astype(np.int64)
    if len(starts) != n_columns + 1 or starts[0] != 0 or (np.diff(starts) < 0).any():
        raise _Damaged(f"the columns of sparse variable {name!r} do not follow each other")
    count = int(starts[-1])
    if count > len(rows) or count > len(values):
        raise _Damaged(f"sparse variable {name!r} should have {counted(count, 'value')}")
    rows, values = rows[:count], values[:count]
    places = np.repeat(np.arange(n_columns), np.diff(starts)) * n_rows + rows
    if count and (rows.min() < 0 or rows.max() >= n_rows or (np.diff(places) <= 0).any()):
        raise _Damaged(f"the rows of sparse variable {name!r} are out of range or not in order")
    dense = np.zeros(n_rows * n_columns, dtype=values.dtype.newbyteorder("="))
    dense[places] = values
    return dense.reshape((n_rows, n_columns), order="F")


def as_matrix(array, name, path):
    """Convert a variable to an (n, D) float64 array; a str instead of an array says what else it is.

    A DataError says that it holds anything but finite numbers that float64 can hold.
    """
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf" or array.ndim != 2 or array.size == 0:
        found = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else array
        raise DataError(f"{name!r} must be a matrix of numbers, found {found}", file=path)
    matrix = array.astype(np.float64)
    if isinstance(matrix, np.ma.MaskedArray):
        matrix = matrix.filled(np.nan)
    bad = ~np.isfinite(matrix)
    problem = "expected finite numbers"
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        bad, problem = (array > 2**53) | (array < -(2**53)), "which float64 cannot hold"
    if bad.any():
        row, column = np.argwhere(bad)[0]
        found = array[row, column] if array.dtype.kind in "iu" else matrix[row, column]
        raise DataError(f"{name!r} has {found} in row {row + 1}, {problem}", file=path, column=int(column) + 1)
    return matrix
