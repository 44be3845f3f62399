"""What readers give, and the parsing that the text formats share.

Rows of text become columns of strings in :func:`split_rows`, and columns of strings become numbers or
categories in :func:`convert`; every complaint names file, line and column.
"""

import re
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from sslrank.data.dataset import DataError, nominal_dtype
from sslrank.hints import nearest


@dataclass(frozen=True)
class Column:
    """Declaration of a column.

    Attributes
    ----------
    name : str
    kind : str
        "numeric", "nominal", "string", "hierarchical", or "auto": numeric if it can be, else nominal.
    categories : tuple of str or None
        Declared values of a nominal column (None: those that occur) or nodes of a hierarchical one.
    """

    name: str
    kind: str = "auto"
    categories: tuple | None = None


@dataclass
class Table:
    """A parsed file.

    Attributes
    ----------
    frame : DataFrame
        float64 columns (numeric), categoricals (nominal), or objects (strings, None where missing).
    hierarchies : dict of str to tuple of str
        The declared nodes of each hierarchical column; its values are strings such as ``a/b@c``.
    path : Path or None
    numbers : list of int or None
        Line of the file that each row came from, for messages.
    targets : tuple of str
        The targets that the file itself names, if it does.
    """

    frame: pd.DataFrame
    hierarchies: dict = field(default_factory=dict)
    path: object = None
    numbers: list | None = None
    targets: tuple = ()


@dataclass
class Rows:
    """Lines of data with their numbers in the file."""

    path: object
    lines: list
    numbers: list

    def fail(self, problem, row=None, column=None, advice=None):
        """Raise a :class:`DataError` about one row."""
        line = None if row is None else self.numbers[row]
        raise DataError(problem, file=self.path, line=line, column=column, advice=advice)


def place(position, name):
    """How messages write a column: number from 1, and name."""
    return f"{position + 1} ({name!r})"


def check_names(columns, path, lines=None, duplicates="refuse"):
    """Two columns of one name are refused, or renamed.

    Parameters
    ----------
    columns : list of Column
    path : path-like
    lines : list of int, optional
        Lines on which the columns are declared.
    duplicates : {"refuse", "rename"}
        "rename" appends _2, _3, ... to later columns of a name.

    Returns
    -------
    list of Column
    """
    if duplicates not in ("refuse", "rename"):
        raise DataError(f"option 'duplicates' must be refuse or rename, got {duplicates!r}", file=path)
    first, distinct = {}, []
    for j, column in enumerate(columns):
        if column.name in first:
            if duplicates == "refuse":
                raise DataError(
                    f"attribute {column.name!r} is declared twice (first as column {first[column.name] + 1})",
                    file=path,
                    line=lines[j] if lines else None,
                    column=place(j, column.name),
                    advice="Rename one of them, or set the reader's option 'duplicates' to rename",
                )
            number = 2
            while f"{column.name}_{number}" in first:
                number += 1
            column = replace(column, name=f"{column.name}_{number}")
        first[column.name] = j
        distinct.append(column)
    return distinct


def split_rows(rows, names, *, delimiter=",", quotes="'\"", missing=("?",), backslash=False):
    """Cut lines into columns of strings.

    Plain lines go through pyarrow's CSV parser; whatever it does not accept goes through
    :func:`split_line`, which either reads it or says what is wrong with which line.

    Parameters
    ----------
    rows : Rows
    names : list of str
        Names of the columns.
    delimiter : str
        One character.
    quotes : str
        Characters that may quote a field.
    missing : tuple of str
        Texts that mean a missing value.
    backslash : bool
        True for ARFF: inside quotes a backslash escapes the next character, and a quoted ``'?'`` is a value.
        False for CSV: a doubled quote stands for itself, and quotes mean nothing else.

    Returns
    -------
    list of pyarrow.StringArray
        One per column; null is missing.
    """
    if not rows.lines:
        rows.fail("there are no rows of data", advice="The file is incomplete; download it again")
    text = "\n".join(rows.lines)
    found = [quote for quote in quotes if quote in text]
    mark = re.escape(delimiter)
    blanks = (" " in text or "\t" in text) and re.search(rf"[ \t]{mark}|{mark}[ \t]", text)
    blanks = blanks and delimiter != "\t"
    if blanks and not found:
        text = re.sub(rf"[ \t]*{mark}[ \t]*", delimiter, text)
    if not found or (len(found) == 1 and not blanks and _is_clean(text, delimiter, found[0])):
        quote = found[0] if found else False
        columns = _split_fast(text, len(names), delimiter, quote, missing, not backslash)
        if columns is not None and len(columns[0]) == len(rows.lines):
            return columns
    fields = []
    for row, line in enumerate(rows.lines):
        values = split_line(line, delimiter, quotes, missing, backslash)
        if isinstance(values, str):
            rows.fail(values, row)
        if len(values) != len(names):
            rows.fail(
                f"the row has {len(values)} values, expected {len(names)} (one per attribute)",
                row,
                advice="A cut line means an incomplete file: download it again; else correct the row",
            )
        fields.append(values)
    return [pa.array(column, pa.string()) for column in zip(*fields, strict=True)]


def _is_clean(text, delimiter, quote):
    """Whether every quote belongs to a field that is quoted from end to end, without escapes."""
    mark = re.escape(delimiter)
    fields = re.findall(f"(?:^|{mark}){quote}[^{quote}\n]*{quote}(?={mark}|$)", text, re.MULTILINE)
    return "\\" not in text and 2 * len(fields) == text.count(quote)


def _split_fast(text, n_columns, delimiter, quote, missing, quoted_missing):
    """Columns of strings, or None if pyarrow does not take the text."""
    content = text.encode()
    names = [str(j) for j in range(n_columns)]
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(content),
            arrow_csv.ReadOptions(column_names=names, block_size=len(content) + 1, use_threads=False),
            arrow_csv.ParseOptions(delimiter=delimiter, quote_char=quote, double_quote=False),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                null_values=list(missing),
                strings_can_be_null=True,
                quoted_strings_can_be_null=quoted_missing,
            ),
        )
    except pa.ArrowInvalid:
        return None
    return [column.combine_chunks() for column in table.columns]


def split_line(line, delimiter=",", quotes="'\"", missing=("?",), backslash=False):
    """The fields of one line: strings, None where missing.

    Returns
    -------
    list, or str
        A str says what is wrong with the line.
    """
    fields, position, end = [], 0, len(line)
    blank = " " if delimiter == "\t" else " \t"
    while True:
        while position < end and line[position] in blank:
            position += 1
        if position < end and line[position] in quotes:
            quote, start, parts = line[position], position, []
            position += 1
            while True:
                if position >= end:
                    return f"the quote ({quote}) opened at position {start + 1} of the line is not closed"
                character = line[position]
                if backslash and character == "\\" and position + 1 < end:
                    parts.append(ESCAPES.get(line[position + 1], line[position + 1]))
                    position += 2
                elif character == quote and not backslash and line[position + 1 : position + 2] == quote:
                    parts.append(quote)
                    position += 2
                elif character == quote:
                    position += 1
                    break
                else:
                    parts.append(character)
                    position += 1
            value = "".join(parts)
            fields.append(None if not backslash and value in missing else value)
            while position < end and line[position] in blank:
                position += 1
            if position < end and line[position] != delimiter:
                return f"expected {delimiter!r} after the closing quote at position {position + 1} of the line"
        else:
            stop = line.find(delimiter, position)
            stop = end if stop < 0 else stop
            value = line[position:stop].rstrip(blank)
            fields.append(None if value in missing else value)
            position = stop
        if position >= end:
            return fields
        position += 1  # the delimiter


#: What a character after a backslash stands for, unless for itself.
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def convert(rows, columns, values):
    """Turn columns of strings into a table.

    Parameters
    ----------
    rows : Rows
        For messages.
    columns : list of Column
    values : list of pyarrow.StringArray
        One per column.

    Returns
    -------
    Table
    """
    converted, hierarchies = [], {}
    for j, (column, strings) in enumerate(zip(columns, values, strict=True)):
        if column.kind in ("numeric", "auto"):
            numbers = _numbers(rows, j, column, strings)
            if numbers is not None:
                converted.append(numbers)
                continue
        if column.kind in ("nominal", "auto"):
            converted.append(_categories(rows, j, column, strings))
        else:
            converted.append(np.array(strings.to_pylist(), dtype=object))
            if column.kind == "hierarchical":
                hierarchies[column.name] = column.categories
    return Table(make_frame([column.name for column in columns], converted), hierarchies, rows.path, rows.numbers)


def make_frame(names, columns):
    """A DataFrame from arrays; all-numeric ones share one block, which keeps wide tables fast."""
    if all(isinstance(column, np.ndarray) and column.dtype == np.float64 for column in columns):
        values = np.empty((len(columns[0]), len(columns)), order="F")
        for j, column in enumerate(columns):
            values[:, j] = column
        return pd.DataFrame(values, columns=names)
    # Without a dtype, pandas would turn strings with None into its own type with NaN.
    columns = [
        pd.Series(column, dtype=object) if isinstance(column, np.ndarray) and column.dtype.kind == "O" else column
        for column in columns
    ]
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = names
    return frame


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def _numbers(rows, j, column, strings):
    try:
        numbers = pc.cast(strings, pa.float64())
    except pa.ArrowInvalid:
        numbers = None
    if numbers is not None:
        array = numbers.to_numpy(zero_copy_only=False)
        array = np.array(array, dtype=np.float64)
        if np.isfinite(array[np.asarray(strings.is_valid())]).all():
            return array
    elif column.kind == "auto":
        texts = (value for value in strings.to_pylist() if value is not None)
        if not all(_NUMBER.fullmatch(text.strip()) for text in texts):  # pyarrow knows no +1, for one
            return None
    plain = np.full(len(strings), np.nan)
    for row, value in enumerate(strings.to_pylist()):
        if value is None:
            continue
        if not _NUMBER.fullmatch(value.strip()):
            rows.fail(
                f"{value!r} is not a number; expected a finite number or the mark of a missing value",
                row,
                place(j, column.name),
                "Missing values are written ? in ARFF and KEEL files, ? or nothing in CSV files",
            )
        plain[row] = float(value)
        if not np.isfinite(plain[row]):
            rows.fail(f"{value!r} is beyond the range of float64", row, place(j, column.name))
    return plain


def _categories(rows, j, column, strings):
    encoded = strings.dictionary_encode()
    occurring = encoded.dictionary.to_pylist()
    declared = sorted(occurring) if column.categories is None else column.categories
    places = {category: code for code, category in enumerate(declared)}
    recode = np.array([places.get(value, -2) for value in occurring] + [-1])
    codes = recode[encoded.indices.fill_null(len(occurring)).to_numpy()]
    if (codes == -2).any():
        row = int(np.flatnonzero(codes == -2)[0])
        value = strings[row].as_py()
        shown = ", ".join(map(repr, declared[:20])) + (", ..." if len(declared) > 20 else "")
        rows.fail(
            f"value {value!r} is not among the declared ones: {shown}{nearest(value, declared)}",
            row,
            place(j, column.name),
            "Correct the value or declare it",
        )
    return pd.Categorical.from_codes(codes, dtype=nominal_dtype(tuple(declared)))
