"""Delimited text: CSV and others, with or without a header line.

pyarrow splits rows without quotes. Python's csv module in strict mode reads rows with quotes, and text that pyarrow
refuses, since pandas silently fills short rows and accepts text after a closing quote.
"""

import contextlib
import csv
import re
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from sslrank.core.amounts import plain_amount
from sslrank.core.frames import is_number
from sslrank.core.messages import counted, nearest
from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers.kinds import BLANKS, NA_WORDS, read_limits
from sslrank.datasets.readers.source import blocks, check_table, decode, read_bytes, read_lines
from sslrank.datasets.readers.table import (
    Column,
    ParsedTable,
    Rows,
    check_column_names,
    clean_cells,
    convert,
    place,
    text_columns,
)

MARKS = ",;\t|"
#: Number of lines used to guess the delimiter.
_LINES = 10
#: Number of cells trimmed in one call.
_CELLS = 1_000_000
_COMMA = r"^[+-]?([0-9]+,[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?$"
_POINT = r"^[+-]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
#: Names of columns without a name: by their position from 1, and as pandas names them.
_NAMELESS, _UNNAMED = "column {}", re.compile(r"Unnamed: [0-9]+")


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
    member=None,
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
    member : str, optional
        Name of the file to read in a zip archive.
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
    >>> size = Path("data.csv").write_text("a;shade\n1,5;light\n2,0;dark\n")
    >>> read("data.csv", delimiter=";", decimal=",").frame
         a  shade
    0  1.5  light
    1  2.0   dark
    """
    _check_marks(path, delimiter, decimal)
    text, numbers = read_lines(path, lines, encoding, member)
    if skipped := line_numbers(skip_lines, text.count("\n") + (not text.endswith("\n")), path):
        kept = [(number, line) for number, line in zip(numbers, _lines(text), strict=False) if number not in skipped]
        numbers, text = [number for number, _ in kept] or [1], "".join(line for _, line in kept)
    head, rows, values = _cells(path, text, numbers, delimiter, header, missing, names)
    head = _Header.of(path, head, rows, values, names, row_names, duplicates)
    return _table(path, head, rows, values, nominal, numeric, missing, decimal, below)


def find_labels(
    path,
    labeled,
    delimiter=",",
    header=True,
    names=None,
    missing=None,
    row_names=None,
    encoding="utf-8",
    member=None,
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
    delimiter, header, names, missing, row_names, encoding, member, duplicates
        As in :func:`read`.

    Returns
    -------
    mask : ndarray of shape (n,), bool
    lines : ndarray of shape (n + 1,), int
        The line on which each row begins, and the one after the last.
    n_columns : int
    """
    masks, lines, columns = [], [], None
    for line, content in blocks(path, member, quoted=delimiter != " "):
        text, is_first = decode(content, path, encoding, line), columns is None
        if text.isspace():
            continue
        numbers = range(line, line + text.count("\n") + 1)
        head, rows, values = _cells(path, text, numbers, delimiter, header and is_first, missing, names, is_first)
        if is_first:
            columns = _Header.of(path, head, rows, values, names, row_names, duplicates).names
            labeled(ParsedTable(pd.DataFrame(columns=columns)))
        wanted = {name: values[columns.index(name)].to_pandas() for name in labeled.columns}
        masks.append(labeled(ParsedTable(pd.DataFrame(wanted, dtype=object).apply(_as_numbers))))
        lines.append(rows.numbers)
    return np.concatenate(masks), np.concatenate([*lines, [line + content.count(b"\n")]]), len(columns)


def _as_numbers(column):
    """Convert a column of texts to numbers if all are numbers."""
    numbers = pd.to_numeric(column, errors="coerce")
    return numbers.astype(np.float64) if (numbers.notna() == column.notna()).all() else column


def line_numbers(text, n_lines, path):
    """Parse line numbers such as ``1-3,45`` or ``-1`` (the last line) into a set."""
    numbers = set()
    for part in str(text or "").replace(" ", "").split(","):
        match = re.fullmatch(r"(-?\d+)(?:-(\d+))?", part)
        if match is None and part:
            raise DataError(f"skip_lines is {text!r}, expected numbers of lines such as 1-3,45, or -1", file=path)
        if match:
            first = int(match[1]) if int(match[1]) > 0 else n_lines + 1 + int(match[1])
            numbers |= set(range(first, int(match[2] or first) + 1))
    return numbers


def _check_marks(path, delimiter, decimal):
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\n\r':
        raise DataError(f"the delimiter must be one character, not a quote, got {delimiter!r}", file=path)
    if decimal not in (".", ","):
        raise DataError(f"the decimal mark must be a point or a comma, got {decimal!r}", file=path)


def _checked_first(path, rows, delimiter, names):
    """Return the rows; raise DataError unless the first one has the delimiter."""
    number, first = next(rows, (None, None))
    if first is None:
        raise DataError("the file has nothing but blanks", file=path, advice="Is this the right file?")
    if len(first) == 1 and (names is None or len(names) > 1):
        other = next((mark for mark in MARKS[1:] if mark in first[0]), None)
        if other:
            raise DataError(
                f"the line has no {delimiter!r}, but {first[0].count(other)} {other!r}",
                file=path,
                line=number,
                advice=f"Say so: --reader delimiter={other!r} on the command line, or the reader's option "
                f"delimiter={other!r}",
            )
    return chain([(number, first)], rows)


def read_rows(path, rows, header, names, nominal, numeric, missing, row_names, duplicates, below=None):
    """Make a table of rows of text cells, given as (line, cells), the header's first; parameters as of :func:`read`."""
    head = next(rows) if header else None
    first = next(rows, (0, []))
    rows, values = text_columns(path, chain([first] * bool(first[1]), rows), max(len(first[1]), 1), _marks(missing))
    head = _Header.of(path, head, rows, values, names, row_names, duplicates)
    return _table(path, head, rows, values, nominal, numeric, missing, below=below)


def _cells(path, text, numbers, delimiter, header, missing, names, is_first=True):
    """Line and cells of the header, or None; lines and columns of strings of the data."""
    is_plain = delimiter.isascii() and delimiter != " " and _is_plainly_quoted(text, delimiter)
    rows = _rows(path, text if is_plain else _marked(text, delimiter, missing), delimiter, numbers)
    rows = _checked_first(path, rows, delimiter, names) if is_first else rows
    head = next(rows) if header else None
    first = next(rows, None)
    width = len((first or head)[1])
    check_table(text.count("\n"), width, path)
    is_plain = is_plain and first is not None
    if is_plain and (plain := _split_plain(path, text, numbers, delimiter, header, width, _marks(missing))) is not None:
        return head, *plain
    rows, values = text_columns(path, chain([first] if first else [], rows), width, _marks(missing))
    return head, rows, [pc.replace_substring(strings, "\0", "") for strings in values]


def _marks(missing):
    return (*BLANKS, *NA_WORDS) if missing is None else tuple(missing)


@dataclass(frozen=True)
class _Header:
    """Names of the columns; whether the first had none, and whether the header has none for the names of rows, as R's.

    Columns of empty cells that delimiters at the ends of lines make have no name.
    """

    names: list
    first_is_nameless: bool = False
    has_row_names: bool = False
    row_names: bool | None = None

    @classmethod
    def of(cls, path, head, rows, values, given, row_names, duplicates):
        """Determine the names from the header's line (None without one) and the columns of strings."""
        width, has_row_names = len(values), False
        n_filled = max((j + 1 for j, strings in enumerate(values) if strings.null_count < len(strings)), default=0)
        if head is None:
            names = list(given or [f"x{j + 1}" for j in range(width)])
        else:
            names = [_unquoted((name or "").strip(" \t").replace("\0", "")) for name in head[1]]
            has_row_names = len(names) + 1 == width and _lacks_row_names(path, head[0], names, rows, values, row_names)
            names = ["", *names] if has_row_names else names
            if any(names[width:]) or len(names) < n_filled:
                raise DataError(
                    f"the line has {counted(len(head[1]), 'name')}, and line {rows.numbers[0]} has "
                    f"{counted(width, 'value')}",
                    file=path,
                    line=head[0],
                    advice="If it is a title, --reader skip_lines=1 leaves it out; if names are missing, add them; if "
                    "the first values of the other lines are row names: --reader row_names=true on the command line, "
                    "row_names in the reader's options",
                )
            names = names if given is None else list(given)
        if any(names[width:]) or len(names) < n_filled:
            named = counted(len(names), "name is", "names are")
            raise DataError(f"{named} given for {counted(width, 'column')}", file=path, line=1)
        names = [*names, *[""] * width][:width]
        n_named = max((j + 1 for j, name in enumerate(names) if name), default=1)
        names = names if n_filled > n_named else names[:n_named]
        first_is_nameless = not names[0]
        names = [name or _NAMELESS.format(j + 1) for j, name in enumerate(names)]
        columns = check_column_names([Column(name) for name in names], path, duplicates=duplicates)
        return cls([column.name for column in columns], first_is_nameless, has_row_names, row_names)


def _lacks_row_names(path, number, names, rows, values, row_names):
    """True if the rows begin with names, as R writes them: the header has one name less than the rows have values.

    The last values are empty in each line if it ends in a delimiter. Raises DataError where they are empty in some.
    """
    if row_names is not None:
        return row_names
    name, *others = [strings[0].as_py() or "" for strings in values]
    is_empty = values[-1].is_null().to_numpy(zero_copy_only=False)
    looks_so = (name == "1" or not is_number(name or "0")) and len(names) > 1 and any(map(is_number, others))
    if is_empty.all() or not looks_so:
        return False
    if not is_empty.any():
        return True
    raise DataError(
        f"the header in line {number} has {len(names)} names, the rows have {len(values)} values, the last of which is "
        "empty here: is there a delimiter too many, or does the first value name the row?",
        file=path,
        line=rows.numbers[int(np.argmax(is_empty))],
        advice="If the first values are row names: --reader row_names=true on the command line, row_names in the "
        f"reader's options; else correct line {rows.numbers[int(np.argmin(is_empty))]}, which has a value too many",
    )


def _table(path, head, rows, values, nominal, numeric, missing, decimal=".", below=None):
    """Convert columns of strings to a table, without a first column that only names the rows."""
    columns, values = _columns(head.names, nominal, numeric, path), values[: len(head.names)]
    for j, column in enumerate(columns):
        if decimal == ",":
            values[j] = _with_points(rows, j, column, values[j])
        if below is not None and column.kind != "nominal":
            values[j] = read_limits(values[j], 0.5 if below == "half" else 1.0)
        if column.kind == "numeric":
            values[j] = _without_signs(rows, j, column, values[j], decimal)
    table = convert(rows, columns, values, NA_WORDS if missing is None else ())
    return _without_row_names(table, head)


def _marked(text, delimiter, missing):
    """Remove blanks around quoted cells, and put a NUL before quoted words such as "NA".

    The csv module does not report which cells were quoted, and takes a blank before or after a quote for a mistake.
    """
    first, last = text.find('"'), text.rfind('"')
    if first < 0:
        return text
    words = NA_WORDS if missing is None else ()
    blank, mark = _blank(delimiter), re.escape(delimiter)
    doubtful = re.compile(rf'[ \t]"|"[ \t]|"({"|".join(map(re.escape, words))})"')
    if not doubtful.search(text, max(first - 1, 0), last + 2):  # often only the header has quotes
        return text
    blanks = f"[{blank}]*" if blank else ""
    cell = re.compile(rf'(^|{mark}){blanks}"((?:[^"]|"")*+)"{blanks}(?={mark}|$)', re.MULTILINE)
    return cell.sub(lambda match: f'{match[1]}"{chr(0) if match[2] in words else ""}{match[2]}"', text)


def _blank(delimiter):
    """Characters that are stripped from both ends of a cell."""
    return {" ": "", "\t": " "}.get(delimiter, " \t")


def _split_plain(path, text, numbers, delimiter, header, n_columns, missing):
    """Rows and columns of text below its header, as of :func:`text_columns`; None for the csv module.

    Any difference in the number of rows or of cells in a row returns None, so that mistakes are reported in one place.
    """
    numbers = [int(number) for number, line in zip(numbers, _lines(text), strict=False) if not line.isspace()]
    numbers = numbers[1:] if header else numbers
    if not numbers:
        return None
    names = [str(j) for j in range(n_columns)]
    try:
        content = text.encode()
        table = pa.csv.read_csv(
            pa.py_buffer(content),
            pa.csv.ReadOptions(
                column_names=names,
                skip_rows_after_names=int(header),
                use_threads=False,
                block_size=min(len(content), 1 << 30),  # many columns in many blocks take three times as long
            ),
            pa.csv.ParseOptions(delimiter=delimiter, quote_char='"' if '"' in text else False),
            pa.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
        )
    except (UnicodeEncodeError, pa.ArrowInvalid):
        return None
    if table.num_rows != len(numbers):  # lines of blanks or delimiters only
        return None
    columns = [column.combine_chunks() for column in table.columns]
    parts, step = [], max(1, _CELLS // len(numbers))
    for start in range(0, len(columns), step):  # a call for each column takes long in wide tables
        block = columns[start : start + step]
        cells = clean_cells(pa.concat_arrays(block) if len(block) > 1 else block[0], missing)
        parts += [cells.slice(j * len(numbers), len(numbers)) for j in range(len(block))]
    return Rows(path, numbers), parts


def _is_plainly_quoted(text, delimiter):
    """True if quotes enclose whole cells of one line only, and none of these is a mark of missing values."""
    parts = f"\n{text}".split('"')
    words, edges = {*NA_WORDS, *BLANKS}, delimiter + "\n"
    return (
        len(parts) % 2 == 1
        and not any(
            (cell in words and before and after)  # otherwise two quotes stand for one in a cell
            or "\n" in cell
            or (before and before[-1] not in edges)
            or (after and after[0] not in edges)
            for before, cell, after in zip(parts[::2], parts[1::2], parts[2::2], strict=False)
        )
    )


def _lines(text):
    """Yield the lines of a text, one at a time; io.StringIO would need four bytes for each of its characters."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _rows(path, text, delimiter, numbers):
    """Line and cells of each row that is not blank; `numbers` are the line numbers in the file."""
    lines = _lines(text)
    lines = (" ".join(line.split()) + "\n" for line in lines) if delimiter == " " else lines
    reader = csv.reader(
        (line if line.strip() else "\n" for line in lines), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    while True:
        start = int(numbers[min(reader.line_num, len(numbers) - 1)])
        try:
            cells = next(reader, None)
        except csv.Error as error:
            is_open = "unexpected end" in str(error)
            raise DataError(
                'a quote (") that is opened here is not closed' if is_open else f"{error} that closes a value",
                file=path,
                line=start,
                advice="A quote inside of a quoted value is written twice",
            ) from None
        if cells is None:
            return
        if cells:
            yield start, cells


def guess_delimiter(path, member=None):
    r"""Guess the delimiter of a text file by its first lines.

    Parameters
    ----------
    path : path-like
    member : str, optional
        Name of the file to read in a zip archive.

    Returns
    -------
    str
        The candidate whose count in the first line recurs in most of the next lines; a tab for ``.tsv``; a blank if
        there is no other candidate, and a comma if there is none at all.

    Examples
    --------
    >>> size = Path("data.txt").write_text("a;b\n1;2\n")
    >>> guess_delimiter("data.txt")
    ';'
    """
    path = Path(path)
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if ".tsv" in suffixes[-2:]:
        return "\t"
    if suffixes and suffixes[-1] in (".gz", ".bz2", ".xz", ".zip"):
        lines = next(blocks(path, member, 1 << 16))[1].decode("latin-1").splitlines()  # marks are ASCII
    else:
        with path.open(encoding="latin-1") as stream:
            lines = [line for _, line in zip(range(10 * _LINES), stream, strict=False)]
    lines = [re.sub(r'"[^"]*"', "_", line) for line in lines if line.strip()][:_LINES] or [""]
    counts = {mark: [line.count(mark) for line in lines] for mark in MARKS}
    candidates = [mark for mark in MARKS if counts[mark][0]]
    if candidates:
        return max(candidates, key=lambda mark: (counts[mark].count(counts[mark][0]), counts[mark][0]))
    later = [mark for mark in MARKS if min(counts[mark][1:], default=0)]  # a title is the first line
    return later[0] if later else " " if " " in lines[0].strip() else ","


def guess_encoding(path, member=None):
    """Guess the encoding of a text file: UTF-16 by a byte order mark, cp1252 (Windows) if it is not UTF-8."""
    content = read_bytes(path, member)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    for encoding in ("utf-8", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            if encoding == "utf-8" or b"\0" not in content:
                content.decode(encoding)
                return encoding
    return "utf-8"


def guess_decimal(path, delimiter, member=None):
    r"""Guess the decimal mark by the first lines: a comma if it has no other function and no number has a point.

    Parameters
    ----------
    path : path-like
    delimiter : str
        Separator of the cells.
    member : str, optional
        Name of the file to read in a zip archive.

    Returns
    -------
    {",", "."}

    Examples
    --------
    >>> size = Path("data.csv").write_text("a;b\n1,5;2\n2,25;3\n")
    >>> guess_decimal("data.csv", ";")
    ','
    """
    if delimiter == ",":
        return "."
    lines = next(blocks(path, member, 1 << 18))[1].decode("latin-1").splitlines()
    parts = [line.split(None if delimiter == " " else delimiter) for line in lines[1:]]
    cells = [cell.strip(' "') for cells in parts for cell in cells]
    commas = [cell for cell in cells if re.match(_COMMA, cell)]
    thousands = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
    is_clear = not all(map(thousands.fullmatch, commas))
    return "," if is_clear and not any(re.match(_POINT, cell) for cell in cells) else "."


def _unquoted(name):
    """Strip single quotes around a name; double quotes have been removed before."""
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] == "'" else name


def _with_points(rows, j, column, strings):
    """Replace decimal commas with points in a column of text, unless it is nominal."""
    if column.kind == "nominal":
        return strings
    pointed = pc.fill_null(pc.match_substring_regex(strings, _POINT), False).to_numpy(zero_copy_only=False)
    if pointed.any():
        row = int(np.argmax(pointed))
        problem = f"{strings[row].as_py()!r} has a point, though the decimal mark is a comma"
        rows.fail(problem, row, place(j, column.name), "Write numbers without marks between thousands")
    is_comma = pc.match_substring_regex(strings, _COMMA)
    return pc.if_else(is_comma, pc.replace_substring(strings, ",", "."), strings)


def _without_signs(rows, j, column, strings, decimal):
    """Remove currency signs, per cent signs and thousands separators from a column declared numeric."""
    encoded = strings.dictionary_encode()
    amounts = [plain_amount(value, decimal) for value in encoded.dictionary.to_pylist()]
    signs = list(dict.fromkeys(sign for number, sign in amounts if is_number(number)))
    if len(signs) > 1:
        listed = ", ".join(sign or "none" for sign in signs)
        raise DataError(
            f"the numbers have different signs or units: {listed}", file=rows.path, column=place(j, column.name)
        )
    numbers = pa.array([number for number, _ in amounts], pa.string())
    return numbers.take(encoded.indices)


def _columns(names, nominal, numeric, path):
    chosen = {"nominal": [] if nominal == "all" else list(nominal), "numeric": list(numeric)}
    for wanted in chosen.values():
        for name in wanted:
            if name not in names:
                raise DataError(f"there is no column {name!r}{nearest(name, names)}", file=path)
    kinds = {name: kind for kind, wanted in chosen.items() for name in wanted}
    return [Column(name, "nominal" if nominal == "all" else kinds.get(name, "auto")) for name in names]


def _without_row_names(table, head):
    """Drop the first column if it only names the rows."""
    first, row_names = table.frame.iloc[:, 0], head.row_names
    name = str(table.frame.columns[0])
    if row_names is None and head.has_row_names and not _counts_rows(first):
        raise DataError(
            "the header has one name less than there are values, and the first values are no row names, as some are "
            "equal",
            file=table.path,
            advice="Add the missing name; or --reader row_names=true if it is that of the first column",
        )
    if row_names is None:
        is_nameless = head.first_is_nameless or _UNNAMED.fullmatch(name) is not None
        row_names = table.frame.shape[1] > 1 and is_nameless and _counts_rows(first)
        if row_names:
            table.notes.append(
                f"{table.path}: the first column has no name and a different value in each row, so it was taken for "
                "row names and left out; else --reader row_names=false on the command line, row_names in the reader's "
                "options"
            )
    if row_names:
        table.frame = table.frame.iloc[:, 1:]
    return table


def _counts_rows(column):
    """True if the values are 0, 1, ... or 1, 2, ..., or texts that are all different."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return len(column) > 1 and column.is_unique and not column.hasnans
    values = column.to_numpy()
    return any(np.array_equal(values, np.arange(start, start + len(values))) for start in (0, 1))
