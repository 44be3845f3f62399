"""Names of the columns of a delimited text, and a first column that only names the rows."""

import re
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from sslrank.core.errors import DataError
from sslrank.core.frames import is_number
from sslrank.core.messages import counted
from sslrank.datasets.readers.kinds import infer
from sslrank.datasets.readers.table import distinct_names

#: As pandas names a column without a name.
_UNNAMED = re.compile(r"Unnamed: [0-9]+")


@dataclass(frozen=True)
class Header:
    """Names of the columns from number `start` on, which is 1 if the first column names the rows; and notes on it."""

    names: list
    start: int
    notes: list


def read_header(head, lines, values, given=None, row_names=None, duplicates="refuse"):
    """Determine the names of the columns.

    R writes row names without a name in the header. Columns of empty cells that delimiters at the ends of lines make
    have no name and are left out.

    Parameters
    ----------
    head : tuple of (int, list of str), or None
        Line and cells of the header.
    lines : list of int
        Lines of the rows.
    values : list of pyarrow.StringArray
        Columns.
    given, row_names, duplicates
        `names` and others as in :func:`sslrank.datasets.readers.delimited.read`.

    Returns
    -------
    Header

    Raises
    ------
    DataError
        If there are more filled columns than names, or a name is declared twice.
    """
    width = len(values)
    n_filled = max((j + 1 for j, strings in enumerate(values) if strings.null_count < len(strings)), default=0)
    names = list(given or [f"x{j + 1}" for j in range(width)])
    if head is not None and given is None:
        names = [_unquoted((name or "").strip(" \t").replace("\0", "")) for name in head[1]]
        if len(names) + 1 == width and (_lacks_row_names(names, values) if row_names is None else row_names):
            names = ["", *names]
    if any(names[width:]) or len(names) < n_filled:
        row = pc.index(values[-1].is_valid(), True).as_py()
        of_names = (
            "if the first values of the other lines are row names: --reader row_names=true on the command line, "
            "row_names in the reader's options; "
        )
        raise DataError(
            f"{'the line has' if head else 'the option names has'} {counted(len(names), 'name')}, and line "
            f"{lines[max(row, 0)]} has {counted(width, 'value')}",
            line=head[0] if head else None,
            advice="If it is a title, --reader skip_lines=1 leaves it out; if names are missing, add them; "
            f"{of_names if len(names) + 1 == width else ''}else correct the lines that have a value too many",
        )
    names = [*names, *[""] * width][:width]
    n_named = max((j + 1 for j, name in enumerate(names) if name), default=1)
    names = names if n_filled > n_named else names[:n_named]
    is_nameless, notes = not names[0] or _UNNAMED.fullmatch(names[0]) is not None, []
    names = [name or f"column {j + 1}" for j, name in enumerate(names)]
    names = distinct_names(names, duplicates=duplicates)
    if row_names is None and is_nameless and len(names) > 1 and _names_rows(values[0]):
        row_names = True
        notes.append(
            "the first column has no name and a different value in each row, so it was taken for row names and left "
            "out; else --reader row_names=false on the command line, row_names in the reader's options"
        )
    start = int(bool(row_names))
    return Header(names[start:], start, notes)


def _unquoted(name):
    """Strip single quotes around a name; double quotes have been removed before."""
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] == "'" else name


def _lacks_row_names(names, values):
    """Check if the header has no name for a first column of row names, as R writes them."""
    first, *others = [strings[0].as_py() or "" for strings in values]
    looks_so = (first == "1" or not is_number(first or "0")) and len(names) > 1 and any(map(is_number, others))
    return looks_so and values[-1].null_count == 0 and _names_rows(values[0])


def _names_rows(strings):
    """Check if the values of a column are 0, 1, ... or 1, 2, ..., or texts that are all different."""
    n = len(strings)
    if any(strings.equals(pa.array(map(str, range(start, start + n)), pa.string())) for start in (0, 1)):
        return True
    is_distinct = n > 1 and not strings.null_count and pc.count_distinct(strings).as_py() == n
    return is_distinct and infer(strings).kind == "nominal"
