"""Delimited text: CSV and others, with or without a header line."""

from itertools import chain

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from sslrank.core.amounts import joint_unit, plain_amount, read_amounts
from sslrank.core.errors import DataError
from sslrank.core.frames import is_number
from sslrank.core.messages import listed, nearest
from sslrank.core.missing_words import NA_WORDS
from sslrank.datasets.readers.cells import lines_of, marks_of, split_text, without_lines
from sslrank.datasets.readers.guesses import COMMA, GROUPED, POINT, THOUSANDS, WITH_UNIT
from sslrank.datasets.readers.header import read_header
from sslrank.datasets.readers.kinds import read_limits
from sslrank.datasets.readers.source import blocks, decode, read_lines
from sslrank.datasets.readers.table import Column, ParsedTable, column_label, convert, text_columns


def read(
    path,
    delimiter=",",
    header=True,
    names=None,
    nominal=(),
    numeric=(),
    missing=None,
    row_names=None,
    encoding="utf-8",
    duplicates="refuse",
    decimal=".",
    skip_lines=None,
    below=None,
    *,
    lines=None,
):
    r"""Read a delimited text file.

    A column is numeric if all its values are finite numbers, and nominal if they are texts. An ambiguous column is an
    error that shows the doubtful values; see :func:`sslrank.datasets.readers.kinds.infer`. Blanks around values are
    ignored.

    Parameters
    ----------
    path : path-like
    delimiter : str
        One character; ``" "`` stands for any run of blanks.
    header : bool
        Whether the first line has the names.
    names : list of str, optional
        Names instead of the header's; without either they are x1, x2, ...
    nominal : list of str, or "all"
        Columns that are nominal although they look like numbers.
    numeric : list of str
        Columns that must be numeric; any other text in them is an error.
    missing : list of str, optional
        Texts that mean a missing value, quoted or not. By default an empty field and ``?``; and ``NA``,
        ``N/A``, ``n/a``, ``#N/A``, ``<NA>``, ``NaN``, ``nan``, ``NULL`` and ``null`` where they are not quoted,
        as R and pandas write them, or where the other values of the column are numbers. So a quoted
        ``"NA"`` among texts is a text.
    row_names : bool, optional
        Whether the first column names the rows and is left out. By default it is left out, with a note,
        if it has no name and its values are 0, 1, ... or 1, 2, ... or all different texts: so pandas and R
        write row names.
    encoding : str
    duplicates : {"refuse", "rename"}
        What to do with a repeated name of a column.
    decimal : {".", ","}
        The decimal mark of numbers. With a comma, a number with a point is refused, as it may mean thousands.
    skip_lines : str, optional
        Lines that are not data, such as a title, units, totals or a footer: ``1-3,45``; -1 is the last one.
    below : {"limit", "half"}, optional
        Read ``<2`` among numbers, below a limit of detection, as that limit or half of it; ``>9`` is 9.
    lines : ndarray of bool, optional
        Lines of the file to read, by default all.

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable
        ``notes`` name the columns left out.

    Raises
    ------
    DataError
        If rows are ragged, names are given twice, a numeric column has another text, or the kind of a column
        is in doubt.

    Examples
    --------
    >>> from pathlib import Path
    >>> size = Path("data.csv").write_text("a;shade\n1,5;light\n2,0;dark\n")
    >>> read("data.csv", delimiter=";", decimal=",").frame
         a  shade
    0  1.5  light
    1  2.0   dark
    """
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\n\r':
        raise DataError(f"the delimiter must be one character, not a quote, got {delimiter!r}")
    if decimal not in (".", ","):
        raise DataError(f"the decimal mark must be a point or a comma, got {decimal!r}")
    text, numbers = read_lines(path, lines, encoding)
    notes = []
    if skip_lines:
        kept = dict(zip(numbers, lines_of(text), strict=False))
        kept, notes = without_lines(kept, skip_lines, text.count("\n") + (not text.endswith("\n")))
        numbers, text = [*kept] or [1], "".join(kept.values())
    first, starts, values = split_text(text, numbers, delimiter, header, missing)
    head = read_header(first, starts, values, names, row_names, duplicates)
    table = _table(head, starts, values, nominal, numeric, missing, decimal, below)
    table.notes += notes
    return table


def read_rows(rows, header, names, nominal, numeric, missing, row_names, duplicates, below=None):
    """Make a table of rows of text cells, given as (line, cells), the header's first; parameters as of :func:`read`."""
    head = next(rows) if header else None
    first = next(rows, (0, []))
    lines, values = text_columns(chain([first] * bool(first[1]), rows), max(len(first[1]), 1), marks_of(missing))
    head = read_header(head, lines, values, names, row_names, duplicates)
    return _table(head, lines, values, nominal, numeric, missing, below=below)


def find_labels(
    path,
    labeled,
    delimiter=",",
    header=True,
    names=None,
    missing=None,
    row_names=None,
    encoding="utf-8",
    duplicates="refuse",
    **_,
):
    """Find the labelled rows of a large file, converting only the target's columns.

    Parameters
    ----------
    path : path-like
    labeled : callable
        Gives the mask of labelled rows of a :class:`~sslrank.datasets.readers.table.ParsedTable`. Called with no rows,
        it sets its attribute `columns`, the names of the targets.
    delimiter, header, names, missing, row_names, encoding, duplicates
        As in :func:`read`.

    Returns
    -------
    mask : ndarray of shape (n,), bool
    lines : ndarray of shape (n + 1,), int
        The line on which each row begins, and the one after the last.
    n_columns : int
    """
    masks, starts, head = [], [], None
    for line, content in blocks(path, quoted=delimiter != " "):
        text, is_first = decode(content, encoding, line), head is None
        if text.isspace():
            continue
        numbers = range(line, line + text.count("\n") + 1)
        first, lines, values = split_text(text, numbers, delimiter, header and is_first, missing)
        if is_first:
            head = read_header(first, lines, values, names, row_names, duplicates)
            labeled(ParsedTable(pd.DataFrame(columns=head.names)))
        label_columns = {name: values[head.start + head.names.index(name)].to_pandas() for name in labeled.columns}
        masks.append(labeled(ParsedTable(pd.DataFrame(label_columns, dtype=object).apply(_as_numbers))))
        starts.append(lines)
    return np.concatenate(masks), np.concatenate([*starts, [line + content.count(b"\n")]]), len(head.names)


def _as_numbers(column):
    """Convert a column of texts to numbers if all are numbers."""
    numbers = pd.to_numeric(column, errors="coerce")
    return numbers.astype(np.float64) if (numbers.notna() == column.notna()).all() else column


def _table(head, lines, values, nominal, numeric, missing, decimal=".", below=None):
    """Convert columns of strings to a table, without a first column that only names the rows."""
    columns, values = _columns(head.names, nominal, numeric), values[head.start :][: len(head.names)]
    for j, column in enumerate(columns):
        where = column_label(head.start + j, column.name)
        if decimal == "," and column.kind != "nominal":
            values[j] = _with_points(values[j], lines, where)
        if below is not None and column.kind != "nominal":
            values[j] = read_limits(values[j], 0.5 if below == "half" else 1.0)
        if column.kind == "numeric":
            values[j] = _without_signs(values[j], decimal, where)
    table = convert(columns, values, lines, NA_WORDS if missing is None else (), head.start)
    table.notes += head.notes
    return table


def _columns(names, nominal, numeric):
    """Declare the kind of each column; a DataError says that one of the given names is no column."""
    kinds = dict.fromkeys([] if nominal == "all" else nominal, "nominal") | dict.fromkeys(numeric, "numeric")
    if unknown := [name for name in kinds if name not in names]:
        raise DataError(f"there is no column {unknown[0]!r}{nearest(unknown[0], names)}")
    return [Column(name, "nominal" if nominal == "all" else kinds.get(name, "auto")) for name in names]


def _with_points(strings, lines, column):
    """Replace decimal commas with points in a column of text; after 1.234,50, a point is between thousands."""
    if pc.any(pc.match_substring_regex(strings, GROUPED)).as_py():
        strings = pc.if_else(
            pc.match_substring_regex(strings, THOUSANDS), pc.replace_substring(strings, ".", ""), strings
        )
    row = pc.index(pc.match_substring_regex(strings, POINT), True).as_py()
    if row >= 0:
        raise DataError(
            f"{strings[row].as_py()!r} has a point, though the decimal mark is a comma",
            line=lines[row],
            column=column,
            advice="Write numbers without marks between thousands",
        )
    is_comma, has_unit = (pc.match_substring_regex(strings, form) for form in (COMMA, WITH_UNIT))
    if pc.all(pc.or_(pc.or_(is_comma, has_unit), pc.match_substring_regex(strings, "^[+-]?[0-9]+$"))).as_py():
        is_comma = pc.or_(is_comma, has_unit)
    return pc.if_else(is_comma, pc.replace_substring(strings, ",", "."), strings)


def _without_signs(strings, decimal, column):
    """Remove currency signs, units and thousands separators from a column declared numeric."""
    encoded = strings.dictionary_encode()
    values = encoded.dictionary.to_pylist()
    amounts, is_clear = read_amounts(values)
    if decimal == "," or not is_clear:
        amounts = [plain_amount(value, decimal) for value in values]
    if joint_unit(numbers := [amount for amount in amounts if is_number(amount[0])]) is None:
        signs = dict.fromkeys(sign or "none" for _, sign in numbers)
        raise DataError(f"the numbers have different signs or units: {listed(signs)}", column=column)
    return pa.array([number for number, _ in amounts], pa.string()).take(encoded.indices)
