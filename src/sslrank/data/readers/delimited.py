"""CSV and its relatives: any one-character delimiter, with or without a header line."""

from sslrank.data.dataset import DataError
from sslrank.data.readers.source import read_text
from sslrank.data.readers.table import Column, Rows, check_names, convert, split_line, split_rows
from sslrank.hints import nearest


def read(
    path,
    delimiter=",",
    header=True,
    names=None,
    nominal=(),
    missing=("", "?"),
    encoding="utf-8",
    member=None,
):
    """Read a delimited text file.

    A column is numeric if all its values are numbers, and nominal otherwise.

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
        Columns of codes that are nominal though they look like numbers.
    missing : list of str
        Texts that mean a missing value.
    encoding : str
    member : str, optional
        File wanted out of a zip archive.

    Returns
    -------
    sslrank.data.readers.table.Table

    Raises
    ------
    DataError
        If rows are ragged, names are given twice, or a numeric column has nan or inf.
    """
    if len(delimiter) != 1:
        raise DataError(f"the delimiter must be one character, got {delimiter!r}", file=path)
    lines, numbers = [], []
    for number, raw in enumerate(read_text(path, encoding, member).split("\n"), 1):
        line = " ".join(raw.split()) if delimiter == " " else raw
        if line.strip():
            lines.append(line)
            numbers.append(number)
    first = split_line(lines[0], delimiter, '"', ())
    if isinstance(first, str):
        raise DataError(first, file=path, line=numbers[0])
    if header:
        lines, numbers = lines[1:], numbers[1:]
        names = names or first
    elif names is None:
        names = [f"x{j + 1}" for j in range(len(first))]
    if len(names) != len(first):
        raise DataError(f"{len(names)} names are given for {len(first)} columns", file=path, line=1)
    for name in () if nominal == "all" else nominal:
        if name not in names:
            raise DataError(f"there is no column {name!r} to make nominal{nearest(name, names)}", file=path)
    kinds = ["nominal" if nominal == "all" or name in nominal else "auto" for name in names]
    columns = [Column(name, kind) for name, kind in zip(names, kinds, strict=True)]
    check_names(columns, path)
    rows = Rows(path, lines, numbers)
    values = split_rows(rows, list(names), delimiter=delimiter, quotes='"', missing=tuple(missing))
    return convert(rows, columns, values)
