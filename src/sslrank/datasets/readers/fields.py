"""Lines of a text file cut into the fields of columns."""

import re

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from sslrank.datasets.readers.source import check_table

#: What a character after a backslash stands for, unless for itself.
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def split_rows(rows, names, *, delimiter=",", quotes="'\"", missing=("?",), quoted_missing=(), backslash=False):
    """Cut lines into columns of strings.

    Blanks around a field do not belong to it. Plain lines go through pyarrow's CSV parser; whatever it does
    not accept goes through :func:`split_line`, which either reads it or says what is wrong with which line.

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
        Fields that mean a missing value where they are not quoted.
    quoted_missing : tuple of str
        Fields that mean it where they are quoted.
    backslash : bool
        True for ARFF: inside quotes a backslash escapes the next character. False for CSV: a doubled quote
        stands for itself, and quotes mean nothing else.

    Returns
    -------
    list of pyarrow.StringArray
        One per column; null is missing.
    """
    if not rows.lines:
        rows.fail("there are no rows of data", advice="The file is incomplete; get it again")
    check_table(len(rows.lines), len(names), rows.path)
    blank = _blank(delimiter)
    text = "\n".join(line.strip(blank) for line in rows.lines)
    found = [quote for quote in quotes if quote in text]
    mark = re.escape(delimiter)
    blanks = blank and re.search(rf"[{blank}]{mark}|{mark}[{blank}]", text)
    if blanks and not found:  # each run of blanks is looked at once
        text = re.sub(rf"{mark}[{blank}]+", delimiter, text)
        text = re.sub(rf"(?<![{blank}])[{blank}]+{mark}", delimiter, text)
    if not found or (len(found) == 1 and not blanks and _is_clean(text, delimiter, found[0])):
        quote = found[0] if found else False
        columns = None
        if not found and len(names) > len(rows.lines):
            columns = _split_wide(text, len(rows.lines), len(names), delimiter, missing)
        elif delimiter.isascii():
            columns = _split_fast(text, len(names), delimiter, quote, missing)
        if columns is not None and len(columns[0]) == len(rows.lines):
            if found and quoted_missing:
                marks = pa.array(quoted_missing, pa.string())
                columns = [pc.if_else(pc.is_in(column, marks), None, column) for column in columns]
            return columns
    fields = []
    for row, line in enumerate(rows.lines):
        values = split_line(line, delimiter, quotes, missing, quoted_missing, backslash)
        if isinstance(values, str):
            rows.fail(values, row)
        if len(values) != len(names):
            rows.fail(
                f"the row has {len(values)} values, expected {len(names)} (one per attribute)",
                row,
                advice="A cut line means an incomplete file: get it again; else correct the row",
            )
        fields.append(values)
    return [pa.array(column, pa.string()) for column in zip(*fields, strict=True)]


def _blank(delimiter):
    """The blanks that may stand around a field."""
    return {" ": "", "\t": " "}.get(delimiter, " \t")


def _split_wide(text, n_rows, n_columns, delimiter, missing):
    """Columns of strings without quotes, cheap per column; None if a row has another number of fields."""
    rows = [line.split(delimiter) for line in text.split("\n")]
    if any(len(row) != n_columns for row in rows):
        return None
    cells = pa.array([cell for column in zip(*rows, strict=True) for cell in column], pa.string())
    cells = pc.if_else(pc.is_in(cells, pa.array(missing, pa.string())), None, cells)
    return [cells.slice(j * n_rows, n_rows) for j in range(n_columns)]


def _is_clean(text, delimiter, quote):
    """Whether every quote belongs to a field that is quoted from end to end, without escapes."""
    mark = re.escape(delimiter)
    fields = re.findall(f"(?:^|{mark}){quote}[^{quote}\n]*{quote}(?={mark}|$)", text, re.MULTILINE)
    return "\\" not in text and 2 * len(fields) == text.count(quote)


def _split_fast(text, n_columns, delimiter, quote, missing):
    """Columns of strings, or None if pyarrow does not take the text."""
    if text.startswith("\ufeff"):  # pyarrow would drop a byte order mark, here part of the first value
        return None
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
                quoted_strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None
    return [column.combine_chunks() for column in table.columns]


def split_line(line, delimiter=",", quotes="'\"", missing=("?",), quoted_missing=(), backslash=False):
    """The fields of one line: strings, None where missing.

    Returns
    -------
    list, or str
        A str says what is wrong with the line.
    """
    fields, position, end = [], 0, len(line)
    blank = _blank(delimiter)
    while True:
        while position < end and line[position] in blank:
            position += 1
        if position < end and line[position] in quotes:
            quote, start, parts = line[position], position, []
            position += 1
            while True:
                if position >= end:
                    problem = f"the quote ({quote}) opened at position {start + 1} of the line is not closed"
                    return f"{problem}; a value must end on its line"
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
            fields.append(None if value in quoted_missing else value)
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
