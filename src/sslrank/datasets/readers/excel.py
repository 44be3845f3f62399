"""Excel workbooks (.xlsx): one sheet, its first row the names."""

import io
import zipfile
from datetime import datetime, time

from sslrank.core.messages import nearest
from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers.delimited import read_rows
from sslrank.datasets.readers.source import DOWNLOAD_AGAIN, check_table, read_bytes


def read(
    path,
    sheet=None,
    header=True,
    names=None,
    nominal=(),
    numeric=(),
    missing=None,
    row_names=None,
    member=None,
    duplicates="refuse",
):
    """Read a sheet of a workbook: the values that it shows, not the formulas.

    Numbers are numbers whatever their format, dates and times texts such as ``2024-03-01``, and codes that the sheet
    keeps as texts stay texts. The kinds of columns are found as in :func:`sslrank.datasets.readers.delimited.read`.

    Parameters
    ----------
    path : path-like
    sheet : str, optional
        By default the first one.
    header, names, nominal, numeric, missing, row_names, duplicates
        As in :func:`sslrank.datasets.readers.delimited.read`.
    member : str, optional
        File wanted out of a zip archive of workbooks.

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable

    Raises
    ------
    DataError
        If the file is not a workbook or damaged, the sheet is not there or empty, or a column is in doubt.

    Examples
    --------
    >>> import pandas as pd
    >>> pd.DataFrame({"a": [1, 2], "shade": ["light", "dark"]}).to_excel("data.xlsx", index=False)
    >>> read("data.xlsx").frame
         a  shade
    0  1.0  light
    1  2.0   dark
    """
    content = read_bytes(path, member)
    if not content.startswith(b"PK"):
        raise DataError(
            "not an Excel workbook (.xlsx)", file=path, advice="Save it in Excel as .xlsx, or as CSV in UTF-8"
        )
    found, rows = _sheet(content, path, sheet)
    rows = [(number, cells) for number, cells in enumerate(rows, 1) if any(cell is not None for cell in cells)]
    if not rows:
        raise DataError(f"sheet {found!r} is empty", file=path, advice="Name another one: 'sheet' in the options")
    check_table(len(rows), max(len(cells) for _, cells in rows), path)
    width = max(j for _, cells in rows for j, cell in enumerate(cells, 1) if cell is not None)
    rows = ((number, [*cells[:width], *[None] * (width - len(cells))]) for number, cells in rows)
    return read_rows(path, rows, header, names, nominal, numeric, missing, row_names, duplicates)


def _sheet(content, path, wanted):
    """Name and rows of texts of a sheet."""
    import openpyxl

    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheets = [sheet.title for sheet in book.worksheets]
        if wanted is not None and wanted not in sheets:
            listed = ", ".join(map(repr, sheets[:20]))
            raise DataError(f"there is no sheet {wanted!r}, only {listed}{nearest(wanted, sheets)}", file=path)
        if not sheets:
            raise DataError("the workbook has no sheet of cells", file=path)
        sheet = book[wanted or sheets[0]]
        sheet.reset_dimensions()  # what a file says of its size may be wrong
        return sheet.title, [[_text(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]
    except (DataError, MemoryError):
        raise
    except Exception as error:  # openpyxl raises whatever its parser met in a damaged file
        problem = (str(error) or type(error).__name__).splitlines()[0]
        if isinstance(error, zipfile.BadZipFile | KeyError):
            problem = f"{type(error).__name__}: {problem}"
        raise DataError(f"not a readable Excel workbook: {problem}", file=path, advice=DOWNLOAD_AGAIN) from None


def _text(cell):
    """A cell as it would stand in a CSV file; None if it is empty."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2.0**53:
        return str(int(cell))
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    if isinstance(cell, datetime | time):
        return cell.isoformat(" ") if isinstance(cell, datetime) else cell.isoformat()
    return None if cell is None else str(cell)
