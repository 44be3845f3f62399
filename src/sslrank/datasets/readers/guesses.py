"""Guess how a text file is written: delimiter, decimal mark and encoding."""

import contextlib
import re
from pathlib import Path

from sslrank.datasets.readers.cells import without_lines
from sslrank.datasets.readers.source import blocks, read_bytes

#: Delimiters in order of preference; a blank comes last.
MARKS = ",;\t|"
#: Number of lines used to guess the delimiter.
_LINES = 10
COMMA = r"^[+-]?([0-9]+,[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?$"
WITH_UNIT = r"^[+-]?[0-9]*,[0-9]+ ?[^0-9,]+$"
POINT = r"^[+-]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
#: Numbers with points between thousands, and those of them with a decimal comma, which decide what a point means.
THOUSANDS = r"^[+-]?[0-9]{1,3}(\.[0-9]{3})+(,[0-9]*)?$"
GROUPED = r"^[+-]?[0-9]{1,3}(\.[0-9]{3})+,[0-9]*$"
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")


def _first_lines(path, skip_lines):
    """Read the first lines of a file; delimiters and numbers are ASCII, so any single-byte encoding shows them."""
    lines = [line.decode("latin-1") for line in next(blocks(path, 1 << 18), (1, b""))[1].splitlines()]
    return list(without_lines(dict(enumerate(lines, 1)), skip_lines, len(lines))[0].values())


def guess_delimiter(path, skip_lines=None):
    r"""Guess the delimiter of a text file by its first lines.

    Parameters
    ----------
    path : path-like
    skip_lines : str, optional
        Lines that are not data, as in :func:`sslrank.datasets.readers.delimited.read`.

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
    if ".tsv" in [suffix.lower() for suffix in Path(path).suffixes][-2:]:
        return "\t"
    lines = [re.sub(r'"[^"]*"', "_", line) for line in _first_lines(path, skip_lines) if line.strip()][:_LINES] or [""]
    counts = {mark: [line.count(mark) for line in lines] for mark in MARKS}
    candidates = [mark for mark in MARKS if counts[mark][0]]
    if candidates:
        return max(candidates, key=lambda mark: (counts[mark].count(counts[mark][0]), counts[mark][0]))
    later = [mark for mark in MARKS if min(counts[mark][1:], default=0)]  # a title is the first line
    return later[0] if later else " " if " " in lines[0].strip() else ","


def guess_decimal(path, delimiter, skip_lines=None):
    r"""Guess the decimal mark by the first lines: a comma if it has no other function and no number has a point.

    Parameters
    ----------
    path : path-like
    delimiter : str
        Separator of the cells.
    skip_lines : str, optional
        Lines that are not data.

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
    parts = [line.split(None if delimiter == " " else delimiter) for line in _first_lines(path, skip_lines)[1:]]
    cells = [cell.strip(' "') for cells in parts for cell in cells]
    is_clear = not all(_THOUSANDS.fullmatch(cell) for cell in cells if re.match(COMMA, cell))
    return "," if is_clear and not any(re.match(POINT, cell) for cell in cells) else "."


def guess_encoding(path):
    """Guess the encoding of a text file: UTF-16 by a byte order mark, cp1252 (Windows) if it is not UTF-8."""
    content = read_bytes(path)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    for encoding in ("utf-8", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            if encoding == "utf-8" or b"\0" not in content:
                content.decode(encoding)
                return encoding
    return "utf-8"
