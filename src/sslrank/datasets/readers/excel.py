"""Workbooks (.xlsx, .xls, .xlsb, .ods): one sheet, its first row the names."""

import fnmatch
import io
import re
import zipfile
from datetime import datetime, time
from itertools import islice

from openpyxl import load_workbook
from openpyxl.utils import range_boundaries

from sslrank.core.errors import DataError
from sslrank.core.frames import is_number
from sslrank.core.messages import counted, listed, nearest
from sslrank.datasets.readers.cells import without_lines
from sslrank.datasets.readers.delimited import read_rows
from sslrank.datasets.readers.source import DOWNLOAD_AGAIN, check_table, read_bytes

_ODS = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_XLS, _XLSB = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"xl/workbook.bin"
#: Most rows above the names of the columns.
_MOST_ABOVE = 20


def read(
    path,
    sheet=None,
    header=None,
    names=None,
    nominal=(),
    numeric=(),
    missing=None,
    row_names=None,
    duplicates="refuse",
    skip_lines=None,
    below=None,
    *,
    required_names=(),
):
    """Read the values of a sheet of a workbook, not the formulas.

    Numbers stay numbers in any cell format, dates and times become strings such as ``2024-03-01``, and codes stored as
    text stay text. Vertically merged cells get their value in each row. The kinds of columns are found as in
    :func:`sslrank.datasets.readers.delimited.read`.

    Parameters
    ----------
    path : path-like
    sheet : str, optional
        By default the first one that has a name in `required_names`, else the first one that is not hidden.
    header : bool, optional
        Whether the first row has the names. By default rows of a title above the names are left out.
    names, nominal, numeric, missing, row_names, duplicates, skip_lines, below
        As in :func:`sslrank.datasets.readers.delimited.read`; the lines are rows of the sheet.
    required_names : sequence of str
        Columns, or patterns of their names.

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable
        ``notes`` name the sheet if there are several, merged cells, and rows above the names.

    Raises
    ------
    DataError
        If the file is damaged or not a workbook, the sheet is missing or empty, or a column is ambiguous.

    Examples
    --------
    >>> import pandas as pd
    >>> pd.DataFrame({"a": [1, 2], "shade": ["light", "dark"]}).to_excel("data.xlsx", index=False)
    >>> read("data.xlsx").frame
         a  shade
    0  1.0  light
    1  2.0   dark
    """
    content = read_bytes(path)
    if not content.startswith((b"PK", _XLS)):
        raise DataError("not a workbook (.xlsx, .xls or .ods)", advice="Save it in Excel as .xlsx, or as CSV in UTF-8")
    try:
        is_other = content.startswith(_XLS) or _ODS in content[:200] or _XLSB in content
        sheets = _other_sheets(content) if is_other else _xlsx_sheets(content)
        title, rows, notes = _choose(sheets, sheet, required_names)
    except (DataError, MemoryError):
        raise
    except Exception as error:  # openpyxl raises whatever its parser met in a damaged file
        problem = f"{type(error).__name__}: {error}".splitlines()[0]
        raise DataError(f"not a readable workbook: {problem}", advice=DOWNLOAD_AGAIN) from None
    filled = {number: cells for number, cells in enumerate(rows, 1) if any(cell is not None for cell in cells)}
    filled, skipped = without_lines(filled, skip_lines, len(rows))
    rows, notes = list(filled.items()), notes + skipped
    if not rows:
        advice = f"Name another one, --reader sheet=NAME: {listed(sheets)}"
        raise DataError(f"sheet {title!r} is empty", advice=advice)
    check_table(len(rows), max(len(cells) for _, cells in rows))
    if header is None and (above := _rows_above_names([cells for _, cells in rows])):
        lines = f"line {rows[0][0]} is" if above == 1 else f"lines {rows[0][0]} to {rows[above - 1][0]} are"
        notes.append(f"{lines} above the names of the columns and left out; else --reader header=true")
        rows = rows[above:]
    width = max(j for _, cells in rows for j, cell in enumerate(cells, 1) if cell is not None)
    rows = ((number, cells[:width]) for number, cells in rows)
    header = header is not False
    table = read_rows(rows, header, names, nominal, numeric, missing, row_names, duplicates, below=below)
    table.notes += notes
    return table


def _choose(sheets, wanted_sheet, required_names):
    """Choose a sheet; return its title, rows of texts, and notes on other sheets and merged cells."""
    if not sheets:
        raise DataError("the workbook has no sheet of cells")
    if wanted_sheet is not None and wanted_sheet not in sheets:
        shown = listed(map(repr, sheets))
        advice = "Name another one, --reader sheet=NAME"
        raise DataError(
            f"there is no sheet {wanted_sheet!r}, only {shown}{nearest(wanted_sheet, sheets)}", advice=advice
        )
    shown = [title for title, (_, is_hidden, _) in sheets.items() if not is_hidden] or list(sheets)
    title = wanted_sheet or shown[0]
    if wanted_sheet is None and required_names and len(sheets) > 1:
        tops = [(name, [*islice(sheets[name][0](), _MOST_ABOVE + 1)]) for name in dict.fromkeys([*shown, *sheets])]
        title = next((name for name, rows in tops if _has(rows, required_names)), None)
        if title is None:
            lacking = min(([name for name in required_names if not _has(rows, [name])] for _, rows in tops), key=len)
            raise DataError(f"no sheet has {listed(lacking)} in the row of its names; the sheets are {listed(sheets)}")
    rows, _, ranges = sheets[title]
    rows, merged = [[_text(cell) for cell in row] for row in rows()], ranges()
    width = max(map(len, rows), default=0)
    rows = [[*row, *[None] * (width - len(row))] for row in rows]
    for first, top, last, bottom in map(range_boundaries, merged):  # from 1
        if first == last and top <= len(rows):
            for row in rows[top:bottom]:
                row[first - 1] = rows[top - 1][first - 1]
    notes = []
    others = [f"{name} (hidden)" if sheets[name][1] else name for name in sheets if name != title]
    if others and wanted_sheet is None:
        hidden_words = "" if title in shown else ", which is hidden"
        notes.append(f"the sheet {title}{hidden_words} is read, not {listed(others)}; else --reader sheet=NAME")
    if merged:
        notes.append(
            f"{counted(len(merged), 'range')} of merged cells ({listed(merged)}): vertically merged cells have "
            "their value in each row, others only in the first cell; unmerge them to change that"
        )
    return title, rows, notes


def _rows_above_names(rows):
    """Count the rows of a title: with at most two values, above a row of different texts in most columns.

    A table of two columns has no such title, since its rows have as many values.
    """
    filled = [[cell for cell in row if cell is not None] for row in rows]
    width = max(map(len, filled), default=0)
    for n_above, cells in enumerate(filled[: _MOST_ABOVE + 1]):
        if len(cells) > 2:
            are_names = all(isinstance(cell, str) and not is_number(cell) for cell in cells)
            return n_above if are_names and 2 * len(cells) > width and len({*cells}) == len(cells) else 0
    return 0


def _has(rows, required_names):
    names = [_text(name) for name in rows[_rows_above_names(rows)] if name is not None] if rows else ()
    return all(pattern in names or fnmatch.filter(names, pattern) for pattern in required_names)


def _xlsx_sheets(content):
    """Map titles to a function that yields rows of cells, whether it is hidden, and one that gives merged ranges."""
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    archive = zipfile.ZipFile(io.BytesIO(content))

    def rows_of(sheet):
        sheet.reset_dimensions()  # the declared size of a sheet may be wrong
        return sheet.iter_rows(values_only=True)

    def merged(sheet):  # openpyxl reads them only with the whole workbook in memory
        ranges = re.findall(rb'<mergeCell ref="([A-Z]+[0-9]+:[A-Z]+[0-9]+)"', archive.read(sheet._worksheet_path))
        return [text.decode() for text in ranges]

    return {
        sheet.title: (lambda s=sheet: rows_of(s), sheet.sheet_state != "visible", lambda s=sheet: merged(s))
        for sheet in book.worksheets
    }


def _other_sheets(content):
    """Do the same as :func:`_xlsx_sheets`; calamine does not report hidden sheets and merged cells."""
    import pandas as pd

    sheets = pd.read_excel(
        io.BytesIO(content), engine="calamine", sheet_name=None, header=None, na_filter=False, dtype=object
    )
    return {
        title: (lambda f=frame: ([None if cell == "" else cell for cell in row] for row in f.to_numpy()), False, list)
        for title, frame in sheets.items()
    }


def _text(cell):
    """Format a cell as in a CSV file; None if it is empty."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2.0**53:
        cell = int(cell)
    if isinstance(cell, datetime) and cell.time() == time():
        cell = cell.date()
    return None if cell is None else str(cell)
