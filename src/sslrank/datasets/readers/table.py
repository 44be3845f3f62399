"""The table that readers return, and the conversion of text cells that the text formats share.

:func:`text_columns` collects rows of cells as columns of strings, and :func:`convert` turns these into numbers or
categories. Messages name line and column; :func:`sslrank.datasets.readers.read` adds the file.
"""

import csv
from dataclasses import dataclass, field
from itertools import chain, count, islice

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from sslrank.core.errors import DataError
from sslrank.core.frames import is_number, make_frame, nominal_dtype, parse_number
from sslrank.core.messages import counted, excerpt, listed, nearest, quoted
from sslrank.core.missing_words import BLANKS
from sslrank.datasets.readers.kinds import WHOLE, has_codes, infer, refuse_doubts
from sslrank.datasets.readers.source import DOWNLOAD_AGAIN

csv.field_size_limit(2**31 - 1)  # of liac-arff too; the default is 131,072 characters


@dataclass(frozen=True)
class Column:
    """Declaration of a column.

    `kind` is "numeric", "nominal", "string", "hierarchical", or "auto": numeric if possible, otherwise nominal.
    `categories` are the declared values of a nominal column (None: those that occur) or the nodes of a hierarchical
    one.
    """

    name: str
    kind: str = "auto"
    categories: tuple | None = None


@dataclass
class ParsedTable:
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
        The targets named in the file itself, if any.
    notes : list of str
        Remarks for the user on how the file was read.
    n_unread : int
        Number of unlabelled rows of a large file that were not sampled into the table.
    signs : dict of str to str
        Currency or per cent sign that was taken from the numbers of a column.

    Examples
    --------
    >>> table = ParsedTable(pd.DataFrame({"a": [1.0, 2.0]}), notes=["a comma is the decimal mark"])
    >>> table.frame.shape, table.n_unread
    ((2, 1), 0)
    """

    frame: pd.DataFrame
    hierarchies: dict = field(default_factory=dict)
    path: object = None
    numbers: list | None = None
    targets: tuple = ()
    notes: list = field(default_factory=list)
    n_unread: int = 0
    signs: dict = field(default_factory=dict)


def text_columns(rows, n_columns, missing, blanks=" \t"):
    """Collect rows, given as (line, cells), as the lines and columns of strings in which null is missing.

    Cells in `missing` mean a missing value; the characters `blanks` around a cell do not belong to it.
    """
    lines, blocks = [], []
    while block := list(islice(rows, max(1, 500_000 // n_columns))):
        for line, cells in block:
            if len(cells) != n_columns:
                title = f"; if all lines above it are a title: --reader skip_lines=1-{line - 1}"
                raise DataError(
                    f"the row has {counted(len(cells), 'value')}, expected {n_columns} (one per column)",
                    line=line,
                    advice="A cut line means an incomplete file: get it again; else correct the row, or leave it out, "
                    f"if it is no data: --reader skip_lines={line}{title * (line <= 10)}",
                )
        lines += [line for line, _ in block]
        try:
            columns = zip(*(cells for _, cells in block), strict=True)
            flat = pa.array([cell for column in columns for cell in column], pa.string())
        except UnicodeEncodeError as error:  # half of a surrogate pair, from an escape
            raise DataError(f"not a text: {error}", line=block[0][0]) from None
        flat = clean_cells(flat, missing, blanks)
        blocks.append([flat.slice(j * len(block), len(block)) for j in range(n_columns)])
    if not blocks:
        raise DataError("there are no rows of data", advice=DOWNLOAD_AGAIN)
    return lines, [pa.concat_arrays(pieces) for pieces in zip(*blocks, strict=True)]


def clean_cells(cells, missing, blanks=" \t"):
    """Trim an array of strings of `blanks`, and make those in `missing` null."""
    cells = pc.ascii_trim(cells, blanks)
    return pc.if_else(pc.is_in(cells, pa.array(missing, pa.string())), None, cells)


def column_label(position, name):
    """Format a column for messages: its number from 1, and its name."""
    return f"{position + 1} ({name!r})"


def distinct_names(names, lines=None, duplicates="refuse"):
    """Check that names of columns are distinct; with the `duplicates` "rename", append _2, _3, ... to later ones.

    `lines` are those on which the columns are declared.
    """
    if duplicates not in ("refuse", "rename"):
        raise DataError(f"option 'duplicates' must be refuse or rename, got {duplicates!r}")
    first = {}
    for j, name in enumerate(names):
        if name in first:
            if duplicates == "refuse":
                is_value = lines is None and (is_number(name) or name in BLANKS)
                no_names = "If the first line has values instead of names: --reader header=false. " if is_value else ""
                raise DataError(
                    f"the column name {name!r} is declared twice (first as column {first[name] + 1})",
                    line=lines[j] if lines else None,
                    column=column_label(j, name),
                    advice=f"{no_names}Rename one of them, or have _2 appended: --reader duplicates=rename on "
                    "the command line, 'duplicates: rename' in the reader's options",
                )
            number = next(number for number in count(2) if f"{name}_{number}" not in first)
            name = f"{name}_{number}"
        first[name] = j
    return list(first)


def convert(columns, values, lines, words=(), start=0):
    """Turn columns of strings into a table; `words` are texts that mean a missing value in numeric columns.

    `lines` are those of the rows, and `start` the number of columns to the left. A DataError says that a value is not
    what its column declares, or that the kind of a column is in doubt.
    """
    converted, hierarchies, kinds = _plain_numbers(columns, values), {}, {}
    for j, (column, strings) in enumerate(zip(columns, values, strict=True)):
        kind = column.kind
        if converted[j] is None and kind == "auto":
            kinds[column.name] = infer(strings, words)
            kind, read = kinds[column.name].kind, kinds[column.name].read
            if read:
                encoded = strings.dictionary_encode()
                plain = [read.get(text, text) for text in encoded.dictionary.to_pylist()]
                strings = pa.array(plain, pa.string()).take(encoded.indices)
        if converted[j] is not None or kind == "numeric":
            if converted[j] is None:
                converted[j] = _numbers(strings, lines, column_label(start + j, column.name), words)
            _check_exact(strings, converted[j], lines, start + j, column.name)
        elif kind == "nominal":
            converted[j] = _categories(strings, column.categories, lines, column_label(start + j, column.name))
        else:
            converted[j] = np.array(strings.to_pylist(), dtype=object)
            if kind == "hierarchical":
                hierarchies[column.name] = column.categories
    refuse_doubts(columns, kinds, lines, start)
    frame = make_frame([column.name for column in columns], converted)
    signs = {name: kind.sign for name, kind in kinds.items() if kind.sign}
    return ParsedTable(frame, hierarchies, numbers=lines, notes=_notes_on_kinds(kinds), signs=signs)


def _notes_on_kinds(kinds):
    """Write notes on columns of numbers in other forms, and with words that mean missing."""
    read = {name: kind.read for name, kind in kinds.items() if kind.read}
    amounts = {name: found for name, words in read.items() if (found := [item for item in words.items() if item[1]])}
    marks = {name: found for name, words in read.items() if (found := [text for text in words if words[text] is None])}
    notes = []
    if amounts:
        text, number = next(iter(amounts.values()))[0]
        notes.append(f"{listed(amounts)}: read as numbers, {quoted(text)} as {number}; --nominal if not")
    if marks:
        words = listed(map(quoted, dict.fromkeys(chain(*marks.values()))))
        notes.append(f"{listed(marks)}: {words} among numbers, read as missing; --nominal if not")
    return notes


def _plain_numbers(columns, values):
    """Convert columns that may be numeric and have finite numbers only to float; None for the others.

    Many narrow columns are converted at once, and halved where that fails: thousands of columns of a few
    rows cost as little as one long column.
    """
    parsed = [None] * len(columns)
    n_rows = len(values[0])
    step = max(1, 1_000_000 // n_rows)
    may_be_numeric = [j for j, column in enumerate(columns) if column.kind in ("numeric", "auto")]
    waiting = [may_be_numeric[start : start + step] for start in range(0, len(may_be_numeric), step)]
    while waiting:
        block = waiting.pop()
        strings = pa.concat_arrays([values[j] for j in block]) if len(block) > 1 else values[block[0]]
        try:
            numbers = pc.cast(strings, pa.float64())
        except pa.ArrowInvalid:
            numbers = None
        if numbers is not None and not (any(columns[j].kind == "auto" for j in block) and has_codes(strings)):
            array = np.array(numbers.to_numpy(zero_copy_only=False), dtype=np.float64)
            if numbers.null_count == len(array) - np.isfinite(array).sum():
                for i, j in enumerate(block):
                    parsed[j] = array[i * n_rows : (i + 1) * n_rows]
                continue
        if len(block) > 1:
            waiting += [block[: len(block) // 2], block[len(block) // 2 :]]
    return parsed


def _numbers(strings, lines, column, words):
    """Convert a column to numbers that pyarrow does not convert as a whole, such as +1."""
    numbers = np.full(len(strings), np.nan)
    for row, text in enumerate(strings.to_pylist()):
        if text is None or text in words:
            continue
        try:
            numbers[row] = parse_number(text.strip(" \t"))
        except ValueError as error:
            raise DataError(
                f"{error}; expected a finite number or the mark of a missing value",
                line=lines[row],
                column=column,
                advice="Correct it; if it means a missing value, add --reader missing="
                f"{excerpt(text)} (in ARFF and KEEL files write ?)",
            ) from None
    return numbers


def _check_exact(strings, numbers, lines, j, name):
    """Refuse whole numbers that float64 would change: two codes could become one."""
    for row in np.flatnonzero(np.abs(numbers) >= 2.0**53):
        text = strings[int(row)].as_py().strip(" \t")
        if WHOLE.fullmatch(text) and int(text) != int(numbers[row]):
            raise DataError(
                f"float64 cannot hold {excerpt(text)}, the nearest number is {int(numbers[row])}",
                line=lines[row],
                column=column_label(j, name),
                advice=f"If these are categories, say --nominal {name} on the command line, nominal=[{name!r}] in the "
                "reader's options",
            )


def _categories(strings, declared, lines, column):
    """Convert a column to categories: the declared ones, or those that occur."""
    encoded = strings.dictionary_encode()
    occurring = encoded.dictionary.to_pylist()
    declared = sorted(occurring) if declared is None else declared
    code_of = {category: code for code, category in enumerate(declared)}
    recode = np.array([code_of.get(value, -2) for value in occurring] + [-1])
    codes = recode[encoded.indices.fill_null(len(occurring)).to_numpy()]
    if (codes == -2).any():
        row = int(np.flatnonzero(codes == -2)[0])
        value = strings[row].as_py()
        hint = nearest(value[:100], declared[:1000])
        raise DataError(
            f"value {excerpt(value)} is not among the declared ones: {listed(map(excerpt, declared))}{hint}",
            line=lines[row],
            column=column,
            advice="Correct the value or declare it",
        )
    return pd.Categorical.from_codes(codes, dtype=nominal_dtype(tuple(declared)))
