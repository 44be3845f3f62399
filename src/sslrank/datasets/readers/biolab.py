"""Orange's .tab: tab-separated, with lines of names, types and flags before the rows."""

from sslrank.core.messages import counted
from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers.source import check_table, read_text
from sslrank.datasets.readers.table import Column, check_column_names, convert, text_columns

_TYPES = {
    "c": "numeric",
    "continuous": "numeric",
    "d": "nominal",
    "discrete": "nominal",
    "s": "string",
    "string": "string",
}


def read(path, encoding="utf-8"):
    r"""Read an Orange .tab file.

    Columns flagged ``meta``, ``ignore`` or ``i`` are left out. A column without a name is called after its
    number (x157 is the 157th).

    Parameters
    ----------
    path : path-like
    encoding : str

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable

    Raises
    ------
    DataError
        If a header line is not as expected or a row is ragged.

    Examples
    --------
    >>> from pathlib import Path
    >>> size = Path("data.tab").write_text("a\ty\nc\td\n\tclass\n1.5\tno\n2.5\tyes\n")
    >>> read("data.tab").targets
    ('y',)
    """
    lines = read_text(path, encoding).split("\n")
    if len(lines) < 4:
        raise DataError("expected lines of names, types and flags, then rows", file=path, line=len(lines))
    names, types, flags = (line.split("\t") for line in lines[:3])
    names = [name.strip() or f"x{j + 1}" for j, name in enumerate(names)]
    flags = flags + [""] * (len(names) - len(flags))  # trailing tabs are often cut
    if len(types) != len(names) or len(flags) != len(names):
        raise DataError(
            f"{counted(len(names), 'name')}, {counted(len(types), 'type')} and {counted(len(flags), 'flag')}; "
            "expected as many of each",
            file=path,
            line=2 if len(types) != len(names) else 3,
        )
    columns = []
    for j, (name, kind) in enumerate(zip(names, types, strict=True)):
        kind = kind.strip().lower()
        if kind in _TYPES:
            columns.append(Column(name, _TYPES[kind]))
        elif kind and " " in kind:  # the values of a discrete column
            values = tuple(types[j].split())
            if len(set(values)) < len(values):
                raise DataError(f"the values of column {name!r} are not distinct", file=path, line=2, column=j + 1)
            columns.append(Column(name, "nominal", values))
        else:
            raise DataError(
                f"unknown type {kind!r} of column {name!r}; expected continuous (c), discrete (d), "
                "string (s) or the values of a discrete column",
                file=path,
                line=2,
                column=j + 1,
            )
    check_column_names(columns, path, [1] * len(columns))
    check_table(len(lines) - 3, len(names), path)
    kept = ((number, line.split("\t")) for number, line in enumerate(lines[3:], 4) if line.strip())
    rows, values = text_columns(path, kept, len(names), ("", "?"))
    used = [j for j, flag in enumerate(flags) if flag.strip().lower() not in ("m", "meta", "i", "ignore")]
    if not used:
        raise DataError("every column is flagged meta or ignore, so none is left", file=path, line=3)
    table = convert(rows, [columns[j] for j in used], [values[j] for j in used])
    table.targets = tuple(name for name, flag in zip(names, flags, strict=True) if "class" in flag.lower().split())
    return table
