"""Split delimited text into columns of cells.

pyarrow splits rows without quotes. Python's csv module in strict mode reads rows with quotes, and text that pyarrow
refuses, since pandas silently fills short rows and accepts text after a closing quote.
"""

import csv
import re
from itertools import chain

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from sslrank.core.errors import DataError
from sslrank.core.messages import excerpt, listed
from sslrank.core.missing_words import BLANKS, NA_WORDS
from sslrank.datasets.readers.source import check_table
from sslrank.datasets.readers.table import clean_cells, text_columns

#: Number of cells trimmed in one call.
_CELLS = 1_000_000


def split_text(text, numbers, delimiter, header, missing):
    """Split text into cells.

    Parameters
    ----------
    text : str
    numbers : sequence of int
        Number of each line in the file.
    delimiter : str
    header : bool
        Whether the first row has the names.
    missing : list of str, optional
        As in :func:`sslrank.datasets.readers.delimited.read`.

    Returns
    -------
    head : tuple of (int, list of str), or None
        Line and cells of the header.
    lines : list of int
        The line on which each row begins.
    columns : list of pyarrow.StringArray
        Trimmed; null is missing.
    """
    is_plain = delimiter.isascii() and delimiter != " " and _is_plainly_quoted(text, delimiter)
    rows = _parse_rows(text if is_plain else _mark_quoted(text, delimiter, missing), delimiter, numbers)
    head = next(rows, None) if header else None
    first = next(rows, None)
    if first is None and head is None:
        raise DataError("the file has nothing but blanks", advice="Is this the right file?")
    width = len((first or head)[1])
    check_table(text.count("\n"), width)
    plain = _split_plain(text, numbers, delimiter, header, width, missing) if is_plain and first else None
    if plain is not None:
        return head, *plain
    lines, columns = text_columns(chain([first] if first else [], rows), width, marks_of(missing))
    return head, lines, [pc.replace_substring(strings, "\0", "") for strings in columns]


def marks_of(missing):
    """List texts that mean a missing value: by default blanks and :data:`~sslrank.core.missing_words.NA_WORDS`."""
    return (*BLANKS, *NA_WORDS) if missing is None else tuple(missing)


def lines_of(text):
    """Yield the lines of a text, one at a time; io.StringIO would need four bytes for each of its characters."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def without_lines(lines, text, n_lines):
    """Leave out those of the lines, by number, that are named such as ``1-3,45`` or ``-1`` (the last), with a note."""
    numbers = set()
    for part in filter(None, str(text or "").replace(" ", "").split(",")):
        match = re.fullmatch(r"(-?\d+)(?:-(\d+))?", part)
        if match is None:
            raise DataError(f"skip_lines is {text!r}, expected numbers of lines such as 1-3,45, or -1")
        first = int(match[1]) if int(match[1]) > 0 else n_lines + 1 + int(match[1])
        numbers |= set(range(first, int(match[2] or first) + 1))
    starts = {number: line if isinstance(line, str) else next(filter(None, line)) for number, line in lines.items()}
    shown = [f"{number} ({excerpt(start.strip())})" for number, start in starts.items() if number in numbers]
    notes = [f"skip_lines leaves out line{'s' * (len(shown) > 1)} {listed(shown)}"] if shown else []
    return {number: line for number, line in lines.items() if number not in numbers}, notes


def _parse_rows(text, delimiter, numbers):
    """Yield line number and cells of each row that is not blank; `numbers` are the line numbers in the file."""
    lines = lines_of(text)
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
                line=start,
                advice="A quote inside of a quoted value is written twice",
            ) from None
        if cells is None:
            return
        if cells:
            yield start, cells


def _mark_quoted(text, delimiter, missing):
    """Remove blanks around quoted cells, and put a NUL before quoted words such as "NA".

    The csv module does not report which cells were quoted, and takes a blank before or after a quote for a mistake.
    """
    words = NA_WORDS if missing is None else ()
    doubtful = re.compile(rf'[ \t]"|"[ \t]|"({"|".join(map(re.escape, words))})"')
    if not doubtful.search(text, max(text.find('"') - 1, 0), text.rfind('"') + 2):  # often only the header has quotes
        return text
    blank, mark = {" ": "", "\t": " "}.get(delimiter, " \t"), re.escape(delimiter)
    blanks = f"[{blank}]*" if blank else ""
    cell = re.compile(rf'(^|{mark}){blanks}"((?:[^"]|"")*+)"{blanks}(?={mark}|$)', re.MULTILINE)
    return cell.sub(lambda match: f'{match[1]}"{chr(0) if match[2] in words else ""}{match[2]}"', text)


def _is_plainly_quoted(text, delimiter):
    """Check if quotes enclose whole cells of one line only, none of them a mark of missing values."""
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


def _split_plain(text, numbers, delimiter, header, n_columns, missing):
    """Split text below its header into lines and columns; None if the csv module has to do it.

    Any difference in the number of rows or of cells in a row returns None, so that mistakes are reported in one place.
    """
    lines = [int(number) for number, line in zip(numbers, lines_of(text), strict=False) if not line.isspace()]
    lines = lines[1:] if header else lines
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
    if table.num_rows != len(lines):  # lines of blanks or delimiters only
        return None
    columns = [column.combine_chunks() for column in table.columns]
    parts, step = [], max(1, _CELLS // len(lines))
    for start in range(0, len(columns), step):  # a call for each column takes long in wide tables
        block = columns[start : start + step]
        cells = clean_cells(pa.concat_arrays(block), marks_of(missing))
        parts += [cells.slice(j * len(lines), len(lines)) for j in range(len(block))]
    return lines, parts
