"""Convert tables from any container to one of three forms, and determine the kinds of columns.

Rankers (:func:`sslrank.core.features.encode_features`) and :func:`sslrank.rank` read tables with these functions, so
that pandas, polars, Arrow, NumPy, SciPy and lists with the same content give the same table.
"""

import datetime
from collections.abc import Mapping
from numbers import Complex, Number, Real

import narwhals as nw
import numpy as np
import pandas as pd
from scipy import sparse

from sslrank.core.extras import require
from sslrank.core.messages import counted, quoted

NUMERIC, NOMINAL, DATE = "numeric", "nominal", "date"
#: Names of dates, times of day, durations and periods in pandas' infer_dtype.
_DATES = {"datetime64", "datetime", "date", "timedelta64", "timedelta", "time", "period"}
#: Smallest integer from which float64 does not represent every integer.
MAX_EXACT_INTEGER = 2**53
_NUMBERS = {"integer", "floating", "mixed-integer-float", "decimal"}


def as_table(X):
    """Convert a table to one of three forms.

    Parameters
    ----------
    X : DataFrame, array-like or sparse matrix of shape (n, D)
        DataFrames of pandas and of all libraries supported by narwhals or Arrow's interface. Masked values of NumPy are
        missing. A structured array has a column per field.

    Returns
    -------
    DataFrame, sparse matrix or ndarray
        A DataFrame if columns have names or may be of different kinds, otherwise numbers.

    Raises
    ------
    ValueError
        If X is an array of texts (which would turn numbers into texts), a mapping, or has rows of different lengths.

    Examples
    --------
    >>> import numpy as np
    >>> as_table(np.array([(1.0, "u"), (2.0, "v")], dtype=[("a", float), ("b", "U1")])).columns.tolist()
    ['a', 'b']
    """
    original, X = X, to_pandas(X)
    if isinstance(X, pd.Series) and X is not original:
        raise ValueError(f"X is a {type(original).__name__}, expected a table with columns")
    if isinstance(X, pd.DataFrame | pd.Series) or sparse.issparse(X):
        return X
    if isinstance(X, Mapping):
        raise ValueError(f"X is a {type(X).__name__}, expected a table; pass pandas.DataFrame(X)")
    if not isinstance(X, np.ndarray):
        try:
            array = np.asarray(X)
        except ValueError as error:
            raise ValueError(f"X is a {type(X).__name__} whose rows differ in length: {error}") from None
        # a list of numbers and texts would become texts
        X = np.asarray(X, dtype=object) if array.dtype.kind in "US" and array.ndim == 2 else array
    if X.dtype.names is not None:
        return pd.DataFrame({name: X[name] for name in X.dtype.names})
    if np.ma.isMaskedArray(X):
        return pd.DataFrame(X)
    if X.dtype.kind in "US":
        raise ValueError(
            "X is a NumPy array of texts, in which numbers are texts too. Pass a DataFrame with numeric columns, or "
            "X.astype(float) if all of it is numbers"
        )
    return pd.DataFrame(X) if X.dtype.kind in "OmM" and X.ndim == 2 else X


def to_pandas(X):
    """Convert tables and columns of other libraries to pandas with Arrow types, without losing digits.

    Parameters
    ----------
    X : object

    Returns
    -------
    DataFrame or Series
        X itself if it is from pandas, or not supported by narwhals or Arrow's interface.

    Examples
    --------
    >>> import pyarrow as pa
    >>> to_pandas(pa.table({"a": [1, None], "shade": ["light", "dark"]}))
          a  shade
    0     1  light
    1  <NA>   dark
    """
    if isinstance(X, pd.DataFrame | pd.Series | np.ndarray):
        return X
    wrapped = nw.from_native(X, allow_series=True, pass_through=True)
    if wrapped is X and not hasattr(X, "__arrow_c_stream__") and not hasattr(X, "__arrow_c_array__"):
        return X
    require("readers", f"data of {type(X).__module__.partition('.')[0]}")
    import pyarrow as pa

    if wrapped is X:
        arrow = pa.table(X) if hasattr(X, "__arrow_c_stream__") else pa.array(X)
    else:
        arrow = wrapped.collect("pyarrow").to_native() if isinstance(wrapped, nw.LazyFrame) else wrapped.to_arrow()
    frame = arrow.to_pandas(types_mapper=pd.ArrowDtype)
    return frame.rename(getattr(X, "name", None)) if isinstance(frame, pd.Series) else frame


def plain(column):
    """Convert a sparse or Arrow column to a plain Series, except for numbers."""
    if isinstance(column.dtype, pd.SparseDtype):
        return column.sparse.to_dense()
    is_arrow = isinstance(column.dtype, pd.ArrowDtype) and not pd.api.types.is_numeric_dtype(column.dtype)
    return column.astype(object) if is_arrow else column


def read_column(column, name, nominal=False):
    """Determine the kind of a column and read its values.

    Parameters
    ----------
    column : Series
    name : str or int
        Name in messages.
    nominal : bool, default=False
        Read the column as categories, whatever its values.

    Returns
    -------
    kind : {"numeric", "nominal", "date"}
    values : ndarray of float64 or Categorical
        NaN is missing. Categories of texts and numbers are sorted; a categorical column keeps its own.

    Raises
    ------
    ValueError
        If the column holds complex numbers, or numbers and texts.
    TypeError
        If it holds other objects.

    Examples
    --------
    >>> import pandas as pd
    >>> read_column(pd.Series([1, None, 2.5], dtype=object), "a")
    ('numeric', array([1. , nan, 2.5]))
    """
    column = plain(column)
    kind = column.dtype
    if isinstance(kind, pd.CategoricalDtype):
        return NOMINAL, column.array
    if kind.kind in "mM" or isinstance(kind, pd.PeriodDtype):
        return DATE if not nominal else NOMINAL, pd.Categorical(column)
    if pd.api.types.is_bool_dtype(kind) or isinstance(kind, pd.IntervalDtype):
        return NOMINAL, pd.Categorical(column)
    if pd.api.types.is_complex_dtype(kind):
        raise ValueError(f"Complex data not supported: column {name!r} of X")
    if pd.api.types.is_numeric_dtype(kind):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        if kind.kind in "iu" and inexact(column, values) is not None:
            return _read_objects(column.astype(object).to_numpy(), name, nominal)
        return (NOMINAL, pd.Categorical(values)) if nominal else (NUMERIC, values)
    return _read_objects(column.astype(object).to_numpy(), name, nominal)


def inexact(integers, floats):
    """Find an integer that float64 cannot represent, such as a 64-bit code; two codes could become equal.

    Parameters
    ----------
    integers : ndarray or Series of integers
    floats : ndarray of float64
        The same as float64.

    Returns
    -------
    int or None

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([7, 2**60 + 1])
    >>> inexact(codes, codes.astype(np.float64))
    1152921504606846977
    """
    large = np.argwhere(np.abs(floats) >= MAX_EXACT_INTEGER)
    if not len(large):
        return None
    values = integers if isinstance(integers, np.ndarray) else integers.array
    pairs = ((values[tuple(index)], floats[tuple(index)]) for index in large)
    return next((int(value) for value, number in pairs if int(value) != int(number)), None)


def _read_objects(values, name, nominal):
    kind = kind_of_objects(values)
    missing = pd.isna(values)
    if kind == "complex":
        raise ValueError(f"Complex data not supported: column {name!r} of X")
    if kind == "number":
        numbers = np.array([np.nan if gone else float(value) for gone, value in zip(missing, values, strict=True)])
        codes = (
            value
            for value in values[~missing]
            if isinstance(value, int | np.integer) and abs(value) >= MAX_EXACT_INTEGER
        )
        if (code := next((value for value in codes if int(float(value)) != value), None)) is not None:
            if not nominal:
                raise ValueError(
                    f"column {name!r} of X: float64 cannot hold {code}, the nearest number is {int(float(code))}. If "
                    "these are categories, make them texts: column.astype(str)"
                )
            return NOMINAL, pd.Categorical(np.where(missing, None, [as_text(value) for value in values]))
        return (NOMINAL, pd.Categorical(numbers)) if nominal else (NUMERIC, numbers)
    if kind == "boolean":
        return NOMINAL, pd.Categorical(np.where(missing, None, values))
    if kind == "object":
        not_scalar = next(value for value in values[~missing] if not _is_scalar(value))
        raise TypeError(
            f"column {name!r} of X holds a {type(not_scalar).__name__}, but each argument must be a string or a number"
        )
    if kind == "mixed" and not nominal:
        number = next(value for value in values[~missing] if _is_number(value))
        other = next(value for value in values[~missing] if not _is_number(value))
        raise ValueError(
            f"column {name!r} of X holds numbers and others, such as {quoted(number)} and {quoted(other)}. Make them "
            "numbers: pandas.to_numeric(column, errors='coerce'); or texts: column.astype(str)"
        )
    texts = pd.Categorical([None if gone else as_text(value) for gone, value in zip(missing, values, strict=True)])
    return DATE if kind == DATE and not nominal else NOMINAL, texts


def kind_of_objects(values):
    """Determine the kind of objects in an array, ignoring missing values.

    Parameters
    ----------
    values : ndarray of object

    Returns
    -------
    {"number", "complex", "boolean", "text", "date", "mixed", "object"}
        "number" if all values are missing, "text" for other scalars, "mixed" for numbers and other scalars, "object"
        for lists, sets and the like.

    Examples
    --------
    >>> import numpy as np
    >>> kind_of_objects(np.array(["a", None], dtype=object)), kind_of_objects(np.array(["a", 1], dtype=object))
    ('text', 'mixed')
    """
    inferred = pd.api.types.infer_dtype(values, skipna=True)
    if inferred in _NUMBERS or inferred == "empty":
        return "number"
    if inferred in ("string", "bytes"):
        return "text"
    if inferred in _DATES:
        return DATE
    if inferred in ("boolean", "complex"):
        return inferred
    known = values[~pd.isna(values)]
    if not all(map(_is_scalar, known)):
        return "object"
    numbers = [_is_number(value) for value in known]
    if all(numbers):
        return "number" if all(_is_real(value) for value in known) else "complex"
    if any(numbers):
        return "mixed"
    is_date = [isinstance(value, datetime.date | datetime.time | datetime.timedelta | pd.Period) for value in known]
    return DATE if all(is_date) else "text"


def _is_number(value):
    return isinstance(value, Number) and not isinstance(value, bool | np.bool_)


def _is_real(value):
    return isinstance(value, Real) or not isinstance(value, Complex)  # Decimal is neither


def _is_scalar(value):
    return np.isscalar(value) or (
        not isinstance(value, tuple | frozenset) and getattr(value, "__hash__", None) is not None
    )


def as_text(value):
    """Convert a value to text; decode bytes as UTF-8.

    Parameters
    ----------
    value : object

    Returns
    -------
    str

    Examples
    --------
    >>> as_text(b"light"), as_text(2.5)
    ('light', '2.5')
    """
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def take_rows(values, rows):
    """Select rows of a target, or of values by row, in any container.

    Parameters
    ----------
    values : array-like, Series, DataFrame, polars or Arrow column, or sparse matrix
    rows : ndarray of int

    Returns
    -------
    ndarray, Series, DataFrame or csr_array

    Examples
    --------
    >>> take_rows(pd.DataFrame({"a": [1, 2, 3]}), [2, 0])["a"].tolist()
    [3, 1]
    """
    values = to_pandas(values)
    if isinstance(values, pd.DataFrame | pd.Series):
        return values.iloc[rows].reset_index(drop=True)
    if sparse.issparse(values):
        return sparse.csr_array(values)[rows]
    values = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=object)
    return values[rows]


def check_same_index(X, y, name="y"):
    """Raise if the pandas indices of X and y differ although they have the same length.

    Parameters
    ----------
    X, y : object
        Only a DataFrame or a Series has an index to compare.
    name : str, default="y"
        What messages call y.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> import pandas as pd
    >>> check_same_index(pd.DataFrame({"a": [1, 2]}), pd.Series([0, 1]))
    """
    kinds = pd.DataFrame | pd.Series
    if isinstance(X, kinds) and isinstance(y, kinds) and len(X) == len(y) and not X.index.equals(y.index):
        differs = next((i for i, pair in enumerate(zip(X.index, y.index, strict=True)) if pair[0] != pair[1]), 0)
        raise ValueError(
            f"X and {name} have different indices: row {differs} is {quoted(X.index[differs])} in X, "
            f"{quoted(y.index[differs])} in {name}. "
            f"Pass {name}.loc[X.index] to pair rows by index, {name}.to_numpy() to pair them by position"
        )


def check_row_values(X, values, name, other="", dimensions=(1,)):
    """Raise unless there is a value for each row of X, in its order.

    Parameters
    ----------
    X : DataFrame, sparse matrix or ndarray
        A table of :func:`as_table`.
    values : object
    name, other : str
        Name of the parameter, and what else it may be, for the message.
    dimensions : tuple of int
        Possible numbers of dimensions.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> check_row_values(np.zeros((3, 1)), [1, 2], "groups")
    Traceback (most recent call last):
        ...
    ValueError: X has 3 rows, groups has 2
    """
    if np.ndim(values) not in dimensions:
        got = f"shape {np.shape(values)}" if np.ndim(values) else quoted(values)
        raise ValueError(f"{name} must have a value for each row{other}, got {got}")
    if len(values) != X.shape[0]:
        raise ValueError(f"X has {counted(X.shape[0], 'row')}, {name} has {len(values)}")
    check_same_index(X, values, name)
