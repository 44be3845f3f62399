"""CSV and its relatives: any one-character delimiter, with or without a header line.

Rows without quotes are split by pyarrow. Rows with quotes, and text that pyarrow refuses, are read by Python's csv
module in strict mode: pandas silently fills short rows and joins what follows a closing quote, and no library reports
the line of a mistake.
"""

import contextlib
import csv
import re
import warnings
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
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
#: Lines from which the delimiter is guessed.
_LINES = 10
#: Number of cells that are trimmed in one call.
_CELLS = 1_000_000
_COMMA = r"^[+-]?([0-9]+,[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?$"
_POINT = r"^[+-]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
#: Names of columns that have none: by their place from 1, and those that pandas gives them.
_NAMELESS, _UNNAMED = "column {}", re.compile(r"Unnamed: [0-9]+")
#: Names, while it is read, of the columns of empty cells that delimiters at the ends of lines make.
_SURPLUS = "(no name {})"


class DataWarning(UserWarning):
    """A file was read in a way that the user may not expect."""


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

    A column is numeric if all its values are finite numbers, and nominal if they are texts. A column that is
    neither clearly is refused, with the values that make the doubt; see
    :func:`sslrank.datasets.readers.kinds.infer`. Blanks around values do not count.

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
        Columns of codes that are nominal though they look like numbers, in whole or in part.
    numeric : list of str
        Columns that must be numeric; any other text in them is an error.
    missing : list of str, optional
        Texts that mean a missing value, quoted or not. By default an empty field and ``?``; and ``NA``,
        ``N/A``, ``n/a``, ``#N/A``, ``<NA>``, ``NaN``, ``nan``, ``NULL`` and ``null`` where they are not quoted,
        as R and pandas write them, or where the other values of the column are numbers. So a quoted
        ``"NA"`` among texts is a text.
    row_names : bool, optional
        Whether the first column names the rows and is left out. By default it is left out, with a warning,
        if it has no name and its values are 0, 1, ... or 1, 2, ... or all different texts: so pandas and R
        write row names.
    encoding : str
    member : str, optional
        File wanted out of a zip archive.
    duplicates : {"refuse", "rename"}
        What to do with a second column of a name.
    decimal : {".", ","}
        The decimal mark of numbers. With a comma, a number with a point is refused, as it may mean thousands.
    skip_lines : str, optional
        Lines that are no data, such as a title, units, totals or a footer: ``1-3,45``; -1 is the last one.
    below : {"limit", "half"}, optional
        Read ``<2`` among numbers, below a limit of detection, as that limit or half of it; ``>9`` is 9.
    lines : ndarray of bool, optional
        Lines of the file to read, by default all.

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable
        ``kinds`` says how the kind of each column was found, ``notes`` whether one was left out.

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
        numbers, text = [number for number, _ in kept], "".join(line for _, line in kept)
    text = _marked(text, delimiter, missing)
    again = partial(_rows, path, text, delimiter, numbers=numbers)
    check_table(text.count("\n"), len(next(_checked_first(path, again(), delimiter, names))[1]), path)
    columns, rows, edges = _head(path, again, header, names, nominal, numeric, duplicates, row_names)
    split = partial(_split_plain, path, text, numbers, delimiter, header, len(columns))
    table = _without_surplus(_body(path, rows, columns, missing, decimal, split, below), edges)
    return _without_row_names(table, row_names, edges, stacklevel=3)


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
    """Find the labelled rows of a large file, of which only the target's columns are converted.

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
        text = decode(content, path, encoding, line)
        again = partial(_rows, path, _marked(text, delimiter, missing), delimiter, line)
        rows, is_first = again(), columns is None
        if is_first:
            next(_checked_first(path, again(), delimiter, names))
            columns, rows, _ = _head(path, again, header, names, "all", (), duplicates, row_names)
            labeled(ParsedTable(pd.DataFrame(columns=[column.name for column in columns])))
        found = _plain_cells(text, delimiter, missing, columns, labeled.columns, header and is_first)
        if found is not None:
            starts = np.arange(line + (header and is_first), line + text.count("\n"))
        elif (first := next(rows, None)) is None:  # blank lines
            continue
        else:
            table = _body(path, chain([first], rows), columns, missing, ".")
            starts, found = table.numbers, table.frame[labeled.columns].astype(object)
        masks.append(labeled(ParsedTable(found.apply(_as_numbers))))
        lines.append(starts)
    return np.concatenate(masks), np.concatenate([*lines, [line + content.count(b"\n")]]), len(columns)


def _plain_cells(text, delimiter, missing, columns, wanted, header):
    """Cells of the wanted columns by pyarrow; None where its rows may not be the lines of the text."""
    if delimiter == " ":
        return None
    names = [column.name for column in columns]
    marks = [*BLANKS, *NA_WORDS] if missing is None else list(missing)
    try:
        table = pa.csv.read_csv(
            pa.py_buffer(text.encode()),
            pa.csv.ReadOptions(column_names=names, skip_rows=int(header), use_threads=False),
            pa.csv.ParseOptions(delimiter=delimiter),
            pa.csv.ConvertOptions(
                include_columns=wanted,
                column_types=dict.fromkeys(wanted, pa.string()),
                null_values=marks,
                strings_can_be_null=True,
                quoted_strings_can_be_null=missing is not None,
            ),
        )
    except pa.ArrowInvalid:
        return None
    if table.num_rows != text.count("\n") - header:
        return None
    cells = {name: clean_cells(table[name].combine_chunks(), BLANKS).to_pandas() for name in wanted}
    return pd.DataFrame(cells, dtype=object)


def _as_numbers(column):
    """A column of texts as numbers if all of it is."""
    numbers = pd.to_numeric(column, errors="coerce")
    return numbers.astype(np.float64) if (numbers.notna() == column.notna()).all() else column


def line_numbers(text, n_lines, path):
    """The set of line numbers that a text such as ``1-3,45`` or ``-1`` (the last line) stands for."""
    found = set()
    for part in str(text or "").replace(" ", "").split(","):
        match = re.fullmatch(r"(-?\d+)(?:-(\d+))?", part)
        if match is None and part:
            raise DataError(f"skip_lines is {text!r}, expected numbers of lines such as 1-3,45, or -1", file=path)
        if match:
            first = int(match[1]) if int(match[1]) > 0 else n_lines + 1 + int(match[1])
            found |= set(range(first, int(match[2] or first) + 1))
    return found


def _check_marks(path, delimiter, decimal):
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\n\r':
        raise DataError(f"the delimiter must be one character, not a quote, got {delimiter!r}", file=path)
    if decimal not in (".", ","):
        raise DataError(f"the decimal mark must be a point or a comma, got {decimal!r}", file=path)


def _checked_first(path, rows, delimiter, names):
    """The rows, if the first one has the delimiter."""
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
    """Make a table of rows of text cells, given as (line, cells), the header's first.

    The other parameters are those of :func:`read`. A cell that begins with a NUL is a text, not a missing value.
    """
    columns, rows, edges = _head(path, list(rows).__iter__, header, names, nominal, numeric, duplicates, row_names)
    table = _without_surplus(_body(path, rows, columns, missing, ".", below=below), edges)
    return _without_row_names(table, row_names, edges)


@dataclass(frozen=True)
class _Edges:
    """What stands beside the named columns: row names before them, `n_surplus` columns of empty cells after them."""

    has_row_names: bool = False
    n_surplus: int = 0
    first_is_nameless: bool = False


def _head(path, again, header, names, nominal, numeric, duplicates, row_names):
    """The columns, the rows of data, and the :class:`_Edges`; `again()` yields all rows from the first on."""
    rows = again()
    number, first = next(rows)
    if header:
        given, found = names, [_unquoted((name or "").strip(" \t").replace("\0", "")) for name in first]
        second = next(rows, None)
        cells = found if second is None else second[1]
        rows = chain([second] if second else [], rows)
        has_row_names = _lacks_row_names(path, number, found, again, row_names) if len(cells) > len(found) else False
        found = ["", *found] if has_row_names else found
        if len(cells) > len(found) and not _filled(again, len(found)):
            found += [""] * (len(cells) - len(found))  # each line ends in a delimiter
        if len(cells) < len(found) and not any(found[len(cells) :]):
            found = found[: len(cells)]  # the header alone ends in one
        if len(cells) != len(found):
            raise DataError(
                f"the line has {counted(len(first), 'name')}, and line {second[0]} has {counted(len(cells), 'value')}",
                file=path,
                line=number,
                advice="If it is a title, --reader skip_lines=1 leaves it out; if names are missing, add them; if the "
                "first values of the other lines are row names: --reader row_names=true on the command line, "
                "row_names in the reader's options",
            )
        names = found if given is None else given
    else:
        rows, has_row_names = chain([(number, first)], rows), False
        cells, found = first, names or [f"x{j + 1}" for j in range(len(first))]
        names = found
    if 0 < len(names) < len(cells) and not _filled(again, len(names), header):
        names = [*names, *[""] * (len(cells) - len(names))]
    if len(names) != len(cells):
        raise DataError(
            f"{counted(len(names), 'name is', 'names are')} given for {counted(len(cells), 'column')}",
            file=path,
            line=1,
        )
    n_named = len(names)
    while n_named > 1 and not names[n_named - 1]:
        n_named -= 1
    if _filled(again, n_named, header):
        n_named = len(names)
    n_surplus, first_is_nameless = len(names) - n_named, not names[0]
    names = [name or _NAMELESS.format(j + 1) for j, name in enumerate(names[:n_named])]
    columns = _columns(names, nominal, numeric, path, duplicates)
    edges = _Edges(has_row_names, n_surplus, first_is_nameless)
    return columns + [Column(_SURPLUS.format(j)) for j in range(n_surplus)], rows, edges


def _filled(again, n_named, header=True):
    """Line of the first row of data with more than blanks behind its first `n_named` cells, or None."""
    if any(len(cells) > n_named for _, cells in islice(again(), 2)):
        return next((line for line, cells in islice(again(), int(header), None) if _some(cells[n_named:])), None)
    return None


def _some(cells):
    return any(cell and cell.strip() for cell in cells)


def _lacks_row_names(path, number, names, again, row_names):
    """True if the rows begin with names, as R writes them: the header has one name less than the rows have values.

    The last values are empty in each line if it ends in a delimiter. Raises DataError where they are empty in some.
    """
    rows = islice(again(), 1, None)
    _, cells = next(rows)
    if row_names is not None or len(cells) != len(names) + 1:
        return bool(row_names) and len(cells) == len(names) + 1
    name, *others = [(text or "").strip('\0"') for text in cells]
    looks_so = (name == "1" or not is_number(name or "0")) and len(names) > 1 and any(map(is_number, others))
    last = len(names)
    filled = _filled(again, last)
    if filled is None or not looks_so:
        return False
    empty = next((line for line, cells in islice(again(), 1, None) if not _some(cells[last:])), None)
    if empty is None:
        return True
    raise DataError(
        f"the header in line {number} has {len(names)} names, the rows have {len(cells)} values, the last of which is "
        "empty here: is there a delimiter too many, or does the first value name the row?",
        file=path,
        line=empty,
        advice=f"If the first values are row names: --reader row_names=true on the command line, row_names in the "
        f"reader's options; else correct line {filled}, which has a value without a name",
    )


def _body(path, rows, columns, missing, decimal, split=None, below=None):
    """Make the table of rows of data; `split` may have a faster way to its columns of strings."""
    marks, words = ((*BLANKS, *NA_WORDS), NA_WORDS) if missing is None else (tuple(missing), ())
    plain = split and split(marks)
    rows, values = plain or text_columns(path, rows, len(columns), marks)
    for j, (column, strings) in enumerate(zip(columns, values, strict=True)):
        if missing is None and not plain:
            values[j] = pc.replace_substring(strings, "\0", "")
        if decimal == ",":
            values[j] = _with_points(rows, j, column, values[j])
        if below is not None and column.kind != "nominal":
            values[j] = read_limits(values[j], 0.5 if below == "half" else 1.0)
        if column.kind == "numeric":
            values[j] = _without_signs(rows, j, column, values[j], decimal)
    return convert(rows, columns, values, words)


def _marked(text, delimiter, missing):
    """The text without blanks around quoted cells, and with a NUL before quoted words such as "NA".

    The csv module does not report which cells were quoted, and takes a blank before or after a quote for a mistake.
    """
    first, last = text.find('"'), text.rfind('"')
    if first < 0:
        return text
    words = NA_WORDS if missing is None else ()
    blank, mark = _blank(delimiter), re.escape(delimiter)
    doubtful = re.compile(rf'[ \t]"|"[ \t]|"({"|".join(map(re.escape, words))})"')
    if not doubtful.search(text, max(first - 1, 0), last + 2):  # often the header alone has quotes
        return text
    blanks = f"[{blank}]*" if blank else ""
    cell = re.compile(rf'(^|{mark}){blanks}"((?:[^"]|"")*+)"{blanks}(?={mark}|$)', re.MULTILINE)
    return cell.sub(lambda found: f'{found[1]}"{chr(0) if found[2] in words else ""}{found[2]}"', text)


def _blank(delimiter):
    """The blanks that may stand around a cell."""
    return {" ": "", "\t": " "}.get(delimiter, " \t")


def _split_plain(path, text, numbers, delimiter, header, n_columns, missing):
    """Rows and columns of text without quotes below its header, as of :func:`text_columns`; None for the csv module.

    Any difference in the number of rows or of cells in a row returns None, so that mistakes are reported in one place.
    """
    below = re.match(r"\s*[^\n]*", text).end() if header else 0
    if text.find('"', below) >= 0 or delimiter == " " or not delimiter.isascii():
        return None
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
            pa.csv.ParseOptions(delimiter=delimiter, quote_char=False),
            pa.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
        )
    except (UnicodeEncodeError, pa.ArrowInvalid):
        return None
    if table.num_rows != len(numbers):  # lines of blanks or delimiters only
        return None
    columns = [column.combine_chunks() for column in table.columns]
    found, step = [], max(1, _CELLS // len(numbers))
    for start in range(0, len(columns), step):  # a call for each column takes long in wide tables
        block = columns[start : start + step]
        cells = clean_cells(pa.concat_arrays(block) if len(block) > 1 else block[0], missing)
        found += [cells.slice(j * len(numbers), len(numbers)) for j in range(len(block))]
    return Rows(path, numbers), found


def _lines(text):
    """Yield the lines of a text, one at a time; io.StringIO would need four bytes for each of its characters."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _rows(path, text, delimiter, first_line=1, numbers=None):
    """Line and cells of each row that is not blank; `numbers` are those of the lines of the text in the file."""
    lines = _lines(text)
    lines = (" ".join(line.split()) + "\n" for line in lines) if delimiter == " " else lines
    reader = csv.reader(
        (line if line.strip() else "\n" for line in lines), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    while True:
        start = reader.line_num + first_line
        start = start if numbers is None or start > len(numbers) else int(numbers[start - 1])
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
        File wanted out of a zip archive.

    Returns
    -------
    str
        The mark of the first line that occurs as often in most of the next lines; a tab for ``.tsv``; a blank where
        there is no other mark, a comma where there is none at all.

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
    found = [mark for mark in MARKS if counts[mark][0]]
    if found:
        return max(found, key=lambda mark: (counts[mark].count(counts[mark][0]), counts[mark][0]))
    later = [mark for mark in MARKS if min(counts[mark][1:], default=0)]  # a title is the first line
    return later[0] if later else " " if " " in lines[0].strip() else ","


def guess_encoding(path, member=None):
    """Guess the encoding of a text file: UTF-16 if its first bytes say so, cp1252 (Windows) if it is not UTF-8."""
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
    r"""Guess the decimal mark by the first lines: a comma if it cannot be another mark, and no number has a point.

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
    is_clear = any(len(cell.partition(",")[2]) != 3 for cell in commas)  # else the comma may separate thousands
    return "," if is_clear and not any(re.match(_POINT, cell) for cell in cells) else "."


def _unquoted(name):
    """A name without single quotes around it; double ones are gone already."""
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] == "'" else name


def _with_points(rows, j, column, strings):
    """A column of text with decimal points instead of commas, unless it is nominal."""
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
    """A column that is declared numeric without currency or per cent signs and marks between thousands."""
    encoded = strings.dictionary_encode()
    found = [plain_amount(value, decimal) for value in encoded.dictionary.to_pylist()]
    signs = list(dict.fromkeys(sign for number, sign in found if is_number(number)))
    if len(signs) > 1:
        listed = ", ".join(sign or "none" for sign in signs)
        raise DataError(
            f"the numbers have different signs or units: {listed}", file=rows.path, column=place(j, column.name)
        )
    numbers = pa.array([number for number, _ in found], pa.string())
    return numbers.take(encoded.indices)


def _columns(names, nominal, numeric, path, duplicates):
    known = set(names)
    chosen = {"nominal": [] if nominal == "all" else list(nominal), "numeric": list(numeric)}
    for wanted in chosen.values():
        for name in wanted:
            if name not in known:
                raise DataError(f"there is no column {name!r}{nearest(name, names)}", file=path)
    kinds = {name: kind for kind, wanted in chosen.items() for name in wanted}
    columns = [Column(name, "nominal" if nominal == "all" else kinds.get(name, "auto")) for name in names]
    return check_column_names(columns, path, duplicates=duplicates)


def _without_surplus(table, edges):
    """The table without the columns of empty cells behind the named ones."""
    for j in range(edges.n_surplus):
        known = table.frame.pop(_SURPLUS.format(j)).notna().to_numpy()
        table.kinds.pop(_SURPLUS.format(j), None)
        if known.any():
            raise DataError(
                "the line has more values than there are names, and the lines before end in a delimiter",
                file=table.path,
                line=int(table.numbers[int(np.argmax(known))]),
                advice="Correct it; if the first values are row names: --reader row_names=true",
            )
    return table


def _without_row_names(table, row_names, edges, stacklevel=4):
    """The table without its first column, if that only names the rows."""
    first = table.frame.iloc[:, 0]
    name = str(table.frame.columns[0])
    if row_names is None and edges.has_row_names and not _counts_rows(first):
        raise DataError(
            "the header has one name less than there are values, and the first values are no row names, as some are "
            "equal",
            file=table.path,
            advice="Add the missing name; or --reader row_names=true if it is that of the first column",
        )
    if row_names is None:
        is_nameless = edges.first_is_nameless or _UNNAMED.fullmatch(name) is not None
        row_names = table.frame.shape[1] > 1 and is_nameless and _counts_rows(first)
        if row_names:
            note = (
                f"{table.path}: the first column has no name and a different value in each row, so it was taken for "
                "row names and left out; else --reader row_names=false on the command line, row_names in the reader's "
                "options"
            )
            table.notes.append(note)
            warnings.warn(note, DataWarning, stacklevel=stacklevel)
    if row_names:
        table.frame = table.frame.iloc[:, 1:]
        table.kinds.pop(name, None)
    return table


def _counts_rows(column):
    """True if the values are 0, 1, ... or 1, 2, ..., or texts that are all different."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return len(column) > 1 and column.is_unique and not column.hasnans
    values = column.to_numpy()
    return any(np.array_equal(values, np.arange(start, start + len(values))) for start in (0, 1))
