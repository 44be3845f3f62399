"""Parsers that trust a file's declarations, run in a child process with limits on memory and time.

A damaged file can crash the process or demand any amount of memory. The child returns arrays of numbers and strings,
without pickles. It runs this file alone, without the rest of the package.
"""

import io
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

#: CPU seconds that a child may use, and further seconds for each MB of the file.
_SECONDS, _SECONDS_A_MB = 60, 2
_TOO_LARGE = "there is no memory for its arrays"


def parse(parser, content, *names):
    """Call a parser of this file in a child.

    Parameters
    ----------
    parser : {"mat", "rdata"}
    content : bytes
    *names : str
        Further arguments of the parser.

    Returns
    -------
    dict of str to ndarray

    Raises
    ------
    DataError
        If the file is damaged, or its arrays exceed the limit.
    """
    from sslrank.core.errors import DataError
    from sslrank.datasets.readers.source import DOWNLOAD_AGAIN, check_size, limit

    seconds = _SECONDS + _SECONDS_A_MB * len(content) // 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "arrays.npz"
        command = [sys.executable, "-P", __file__, parser, str(target), str(limit()), str(seconds), *names]
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        try:
            process = subprocess.run(command, input=content, capture_output=True, env=environment, timeout=10 * seconds)
            output = process.stderr.decode(errors="replace").strip().splitlines()
            problem = output[-1] if output else f"it ended the parser ({process.returncode})"
        except subprocess.TimeoutExpired:
            problem = f"it took more than {10 * seconds} s"
        if target.exists() and process.returncode == 0:
            with np.load(target, allow_pickle=False) as arrays:
                return dict(arrays)
    check_size(limit() + (problem == _TOO_LARGE), "has arrays of more than")
    raise DataError(f"not a readable .{parser} file: {problem}", advice=DOWNLOAD_AGAIN)


def mat(content, *names):
    """Read the variables of a .mat file by name (a text for one that is no matrix), and all names as ``listed``."""
    import scipy.io

    variables = scipy.io.loadmat(io.BytesIO(content), variable_names=list(names))
    listed = [name for name, *_ in scipy.io.whosmat(io.BytesIO(content))]
    arrays = {}
    for name in set(names) & set(variables):
        array = variables[name]
        if hasattr(array, "tocsc"):
            array.tocsc().check_format()  # else an index that is out of range is lost, or ends the process
            array = array.toarray()
        arrays[f"variable {name}"] = array
    return {"listed": np.array(listed, dtype=str), **arrays}


def rdata(content, features, target):
    """Matrix, names of its columns, and target (values, or codes and levels) of the first list that has both.

    Without such a list, the columns of the one data frame; without that, the names of what the file has as ``listed``.
    """
    import pandas as pd
    from rdata import conversion, parser

    constructors = {**parser.DEFAULT_ALTREP_MAP, b"compact_intseq": _sequence}
    objects = conversion.convert(parser.parse_data(content, altrep_constructor_dict=constructors))
    objects = objects if type(objects) is dict else {"": objects}  # saveRDS() gives no name
    lists = [value for value in objects.values() if isinstance(value, dict) and {features, target} <= set(value)]
    frames = [value for value in objects.values() if isinstance(value, pd.DataFrame)]
    if not lists:
        return _columns(frames[0]) if len(frames) == 1 else {"listed": np.array(list(objects), dtype=str)}
    (matrix, names), (y, _) = map(_plain, (lists[0][features], lists[0][target]))
    arrays = {"matrix": matrix, "names": np.array(names, dtype=str)}
    if isinstance(y, pd.Categorical):
        return arrays | {"codes": np.asarray(y.codes), "levels": np.array(y.categories, dtype=str)}
    if isinstance(y, np.ma.MaskedArray):
        y = y.astype(np.float64).filled(np.nan)
    try:
        y = np.asarray(y)
    except ValueError:  # a list of vectors of different lengths
        y = np.array(None)
    y = y.ravel() if y.ndim == 2 and 1 in y.shape else y
    if y.dtype.kind in "OU" and y.ndim == 1 and all(isinstance(value, str) or value is None for value in y):
        codes, levels = pd.factorize(y, sort=True)
        return arrays | {"codes": codes, "levels": np.array(levels, dtype=str)}
    return arrays | {"y": y}


def _columns(frame):
    """Return the columns of a data frame by number: float64, or texts, where they are missing and ordered levels."""
    import pandas as pd

    arrays = {"frame": np.array(list(map(str, frame.columns)), dtype=str)}
    for j, (_, column) in enumerate(frame.items()):
        if column.dtype.kind in "iuf":
            arrays[f"values {j}"] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            gone = column.isna().to_numpy()
            texts = ["" if is_gone else str(value) for is_gone, value in zip(gone, column, strict=True)]
            arrays |= {f"values {j}": np.array(texts, dtype=str), f"missing {j}": gone}
            if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
                arrays[f"levels {j}"] = np.array(column.cat.categories, dtype=str)
    return arrays


def _sequence(state):
    """Expand R's n:m, also where it descends, which the package rdata makes empty."""
    from rdata.parser import RObjectInfo, RObjectType

    n, start, step = (int(value) for value in state.value)
    info = RObjectInfo(type=RObjectType.INT, object=False, attributes=False, tag=False, gp=0, reference=0)
    return info, (start + step * np.arange(n)).astype(np.int32)


def _plain(value):
    """Return array and column names of an R matrix or data frame, given as by the package rdata."""
    if hasattr(value, "columns"):
        return value.to_numpy(), list(map(str, value.columns))
    if hasattr(value, "coords"):  # an R array with dimnames
        last = value.dims[-1]
        return value.to_numpy(), list(map(str, value.coords[last].to_numpy())) if last in value.coords else []
    return value, []


def _main(parser, target, limit, seconds, *names):
    content = sys.stdin.buffer.read()
    call = {"mat": mat, "rdata": rdata}[parser]
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit_bytes = pages * resource.getpagesize() + 3 * int(limit) + (1 << 28)
        resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        pass  # this system has no such limits
    warnings.simplefilter("ignore")
    try:
        result = call(content, *names)
        for name, array in result.items():
            if array.dtype == object:
                result[name] = np.array(f"objects of shape {array.shape}")
        np.savez(target, allow_pickle=False, **result)
    except MemoryError:
        sys.exit(_TOO_LARGE)
    except Exception as error:  # whatever the parser met in a damaged file
        sys.exit(f"{type(error).__name__}: {error}".splitlines()[0])


if __name__ == "__main__":
    _main(*sys.argv[1:])
