"""R's .RData and .rda files with a list of a matrix ``x`` and a vector ``y``."""

import warnings

import numpy as np
import pandas as pd

from sslrank.core.frames import make_frame
from sslrank.core.messages import counted
from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers.matlab import as_matrix
from sslrank.datasets.readers.source import DOWNLOAD_AGAIN, check_size, read_bytes
from sslrank.datasets.readers.table import Column, ParsedTable, check_column_names


def read(path, features="x", target="y"):
    """Read an R list with a matrix of features and a vector of classes. No R code is run.

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
    objects = _parse(read_bytes(path), path)
    for value in objects.values() if isinstance(objects, dict) else ():
        if isinstance(value, dict) and features in value and target in value:
            break
    else:
        raise DataError(
            f"there is no list with elements {features!r} and {target!r}",
            file=path,
            advice="Set the reader's options 'features' and 'target'",
        )
    matrix, names = _unlabelled(value[features])
    X = as_matrix(matrix, features, path)
    names = names or [f"x{j + 1}" for j in range(X.shape[1])]
    y = _classes(_unlabelled(value[target])[0], target, path)
    if len(y) != len(X):
        raise DataError(
            f"{features!r} has {counted(len(X), 'row')}, {target!r} has {counted(len(y), 'value')}", file=path
        )
    while target in names:
        target = f"target:{target}"
    check_column_names([Column(name) for name in names], path)
    return ParsedTable(make_frame([*names, target], [*X.T, y]), {}, path)


def _unlabelled(value):
    """The array inside what the package rdata makes of an R matrix or data frame, and the columns' names."""
    if isinstance(value, pd.DataFrame):
        return value.to_numpy(), [str(name) for name in value.columns]
    if hasattr(value, "coords"):  # an R array with dimnames
        last = value.dims[-1]
        names = [str(name) for name in value.coords[last].to_numpy()] if last in value.coords else None
        return value.to_numpy(), names if value.ndim == 2 else None
    return value, None


def _classes(y, target, path):
    if isinstance(y, pd.Categorical):
        return y.rename_categories([str(category) for category in y.categories])
    if isinstance(y, np.ma.MaskedArray):
        y = y.astype(np.float64).filled(np.nan)
    try:
        array = np.asarray(y)
    except ValueError:  # a list of vectors of different lengths
        array = np.array(None)
    if array.ndim == 2 and 1 in array.shape:
        array = array.ravel()
    if array.ndim != 1 or array.size == 0:
        found = type(y).__name__ if array.ndim == 0 else f"shape {array.shape}"
        raise DataError(f"{target!r} must be a vector of classes or numbers, found {found}", file=path)
    if array.dtype.kind in "biuf":
        array = array.astype(np.float64)
        if np.isinf(array).any():
            raise DataError(f"{target!r} is infinite in row {int(np.argmax(np.isinf(array))) + 1}", file=path)
        return array
    if not all(isinstance(label, str) or label is None for label in array):
        raise DataError(f"{target!r} must be a vector of classes or numbers, found {array.dtype}", file=path)
    return pd.Categorical(array)


def _parse(content, path):
    """The objects of a file, as the package rdata makes them."""
    import rdata

    if content[:7] not in (b"RDX2\nX\n", b"RDX3\nX\n"):
        raise DataError(
            "not a readable RData file: it begins neither with RDX2 nor with RDX3",
            file=path,
            advice="Write it by R's save(), without ascii = TRUE; the format of saveRDS() is not read",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # attributes that have no Python form
            return rdata.conversion.convert(_strict_parser(content[7:], path).parse_all())
    except (DataError, MemoryError):
        raise
    except Exception as error:  # whatever the parser met in a damaged file
        problem = str(error) or type(error).__name__
        raise DataError(f"not a readable RData file: {problem}", file=path, advice=DOWNLOAD_AGAIN) from None


def _strict_parser(content, path):
    """The parser of the package rdata, which takes declared sizes on trust, with checks of them."""
    from rdata.parser import DEFAULT_ALTREP_MAP, RObjectInfo, RObjectType
    from rdata.parser._xdr import ParserXDR

    def sequence(state, kind, dtype):
        n, start, step = (float(value) for value in state.value)
        check_size(8 * n, path, "declares a sequence of")
        values = (start + step * np.arange(int(n))).astype(dtype)
        return RObjectInfo(type=kind, object=False, attributes=False, tag=False, gp=0, reference=0), values

    class Parser(ParserXDR):
        def need(self, length, size):
            if length < 0 or length * size > len(content) - self.file.tell():
                raise ValueError(f"the file ends inside an object of {counted(length, 'value')}")

        def _parse_array_values(self, dtype, length):
            self.need(length, np.dtype(dtype).itemsize)
            return super()._parse_array_values(dtype, length)

        def parse_string(self, length):
            self.need(length, 1)
            return super().parse_string(length)

        def _parse_vector_value(self, *arguments):
            start = self.file.tell()
            self.need(self.parse_int(), 4)
            self.file.seek(start)
            return super()._parse_vector_value(*arguments)

        def _parse_bytecode(self, *arguments):
            raise ValueError("it holds compiled R code")

        def parse_all(self):
            found = super().parse_all()
            self.check_complete()
            return found

    constructors = {
        **DEFAULT_ALTREP_MAP,
        b"compact_intseq": lambda state: sequence(state, RObjectType.INT, np.int32),
        b"compact_realseq": lambda state: sequence(state, RObjectType.REAL, np.float64),
    }
    return Parser(memoryview(content), expand_altrep=True, altrep_constructor_dict=constructors)
