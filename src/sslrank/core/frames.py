"""Data frames from arrays, nominal columns, and cells of text as numbers and labels."""

import functools
import math
import re

import numpy as np
import pandas as pd

from sslrank.core.messages import excerpt

#: Linear time, because a digit matches one part only. ASCII digits, because float() accepts those of any script.
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def make_frame(names, columns):
    """Make a DataFrame from arrays; numeric arrays share one block, which is fast for wide tables."""
    is_number = [isinstance(values, np.ndarray) and values.dtype == np.float64 for values in columns]
    is_number = np.array(is_number, dtype=bool)
    if is_number.all():
        return pd.DataFrame(np.array(columns).T, columns=names)
    if is_number.any():
        parts = (make_frame(at, [columns[j] for j in at]) for at in map(np.flatnonzero, (is_number, ~is_number)))
        return pd.concat(parts, axis=1)[[*range(len(columns))]].set_axis(names, axis=1)
    # Without a dtype, pandas would turn strings with None into its own type with NaN.
    columns = [
        pd.Series(column, dtype=object) if isinstance(column, np.ndarray) and column.dtype.kind == "O" else column
        for column in columns
    ]
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = names
    return frame


def class_text(value):
    """Format a class label, integers without a decimal point; None if missing."""
    if value is None or value != value:
        return None
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def parse_number(text):
    """Convert text in decimal notation to a finite number.

    Unlike float(), it refuses ``nan``, ``inf``, ``1_000`` and digits of other scripts.
    """
    if not NUMBER.fullmatch(text):
        raise ValueError(f"{excerpt(text)} is not a number")
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{excerpt(text)} is beyond the range of float64")
    return number


def is_number(text):
    """Check if a text is a number; see :func:`parse_number`."""
    try:
        parse_number(text)
    except ValueError:
        return False
    return True


@functools.lru_cache(maxsize=256)
def nominal_dtype(categories):
    """Return the pandas type of a nominal feature.

    Columns with equal categories share it, which saves seconds for thousands of {0,1} columns.
    """
    return pd.CategoricalDtype(list(categories))


def sorted_categories(values):
    """Sort the categories of a Categorical as texts, without those that do not occur, which a file may declare."""
    values = values.remove_unused_categories().rename_categories(class_text)
    return values.astype(nominal_dtype(tuple(sorted(values.categories))))
