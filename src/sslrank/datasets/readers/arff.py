"""ARFF: dense and sparse rows, and the hierarchical class attribute of Clus.

liac-arff splits the rows. The header is read here: liac-arff knows no ``hierarchical``, ``key`` or ``date``, no ranges
of numbers and no comment at the end of a line, and its pattern for nominal values takes exponential time on a bad one.
liac-arff reads every attribute as text, so numbers and categories are checked as in other formats; omitted values of
sparse rows become 0 or the first declared value, as in Weka.
"""

import re
from dataclasses import replace

import arff as liac
import numpy as np
import pyarrow as pa

from sslrank.core.errors import DataError
from sslrank.core.messages import counted, nearest
from sslrank.datasets.readers.source import DOWNLOAD_AGAIN, check_table, read_text
from sslrank.datasets.readers.table import Column, column_label, convert, distinct_names, text_columns

_KEYWORDS = ("@relation", "@attribute", "@data", "@input", "@inputs", "@output", "@outputs")
_ADVICE = "Expected '@attribute NAME numeric', '@attribute NAME {a,b,...}', string, or Clus's hierarchical or key"
_QUOTED = r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\""""
_NAME = re.compile(rf"({_QUOTED}|[^\s{{]+)\s*")
_VALUE = re.compile(rf"\s*+({_QUOTED}|[^,'\"]*+)\s*(,|$)")
_CUT = "A cut line means an incomplete file: get it again; else correct the row"
#: A line up to its comment; a quote that is not closed goes to the end.
_CODE = re.compile(r"""(?:'(?:[^'\\]|\\.)*+(?:'|$)|"(?:[^"\\]|\\.)*+(?:"|$)|\\$|[^%'"])*+""")
#: What makes a row more than values between commas.
_SPECIAL = re.compile(r"[\"'\\{}]")


def read(path, encoding="utf-8", duplicates="refuse", missing=()):
    r"""Read an ARFF file.

    Parameters
    ----------
    path : path-like
    encoding : str
    duplicates : {"refuse", "rename"}
        What to do with a repeated name of an attribute.
    missing : sequence of str
        Marks of missing values in addition to ``?``.

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable

    Raises
    ------
    DataError
        If the file is not ARFF as declared.

    Examples
    --------
    >>> from pathlib import Path
    >>> head = "@relation r\n@attribute a numeric\n@attribute y {no,yes}\n"
    >>> size = Path("data.arff").write_text(head + "@data\n1,no\n?,yes\n")
    >>> read("data.arff").frame
         a    y
    0  1.0   no
    1  NaN  yes
    """
    lines = read_text(path, encoding).split("\n")
    columns, start = _header(lines, duplicates)
    table = _parse_data(lines[start:], start + 1, columns, missing)
    outputs = (re.match(r"\s*@outputs?\s+(.+)", line, re.IGNORECASE) for line in lines[:start])
    names = [name.strip(" '\"") for match in outputs if match for name in match[1].split(",")]
    table.targets = tuple(name for name in names if name in table.frame)
    return table


def _parse_data(lines, first, columns, missing):
    """Parse the lines of data; `first` is the number of the first one."""
    kept, numbers = [], []
    for number, raw in enumerate(lines, first):
        line = _CODE.match(raw)[0].strip() if "%" in raw else raw.strip()
        if line:
            kept.append(line)
            numbers.append(number)
    check_table(len(kept), len(columns))
    is_sparse = bool(kept) and kept[0].startswith("{")
    rows = _split_cells(kept, numbers, len(columns), is_sparse)
    if is_sparse:
        values = _dense(rows, numbers, columns)
    else:
        numbers, values = text_columns(rows, len(columns), tuple(missing), blanks="")
    return convert(columns, values, numbers)


def _header(lines, duplicates):
    """Read the declared columns, and the number of the line of ``@data``."""
    columns, declared = [], []
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        if not line or line.startswith("%"):
            continue
        keyword = line.split(None, 1)[0].lower()
        if keyword == "@data":
            break
        if keyword == "@attribute":
            try:
                columns.append(parse_attribute(line[len("@attribute") :].strip()))
            except ValueError as error:
                raise DataError(str(error), line=number, advice=_ADVICE) from None
            declared.append(number)
        elif keyword not in _KEYWORDS:
            hint = nearest(keyword, _KEYWORDS)
            raise DataError(f"expected @relation, @attribute or @data, found {line[:40]!r}{hint}", line=number)
    else:
        raise DataError("there is no @data", advice="Is this an ARFF or KEEL file? " + DOWNLOAD_AGAIN)
    if not columns:
        raise DataError("no @attribute is declared", advice="Is this an ARFF or KEEL file?")
    names = distinct_names([column.name for column in columns], declared, duplicates)
    return [replace(column, name=name) for column, name in zip(columns, names, strict=True)], number


def parse_attribute(text):
    """Parse an ``@attribute`` line without its keyword; a ValueError says what is wrong with it."""
    match = _NAME.match(text)
    if not match:
        raise ValueError("an attribute needs a name")
    name, rest = _unquoted(match[1]), _CODE.match(text[match.end() :])[0].strip()
    if rest.startswith("{"):
        return Column(name, "nominal", _categories(name, rest))
    kind = re.match(r"[A-Za-z]*", rest)[0].lower()
    if kind in ("numeric", "real", "integer"):  # perhaps with a range, which is not used
        return Column(name, "numeric")
    if kind in ("string", "key", "date"):  # key: Clus's identifier; dates are not read as such
        return Column(name, "string")
    if kind == "hierarchical":
        nodes = tuple(node.strip() for node in rest[len(kind) :].split(",") if node.strip())
        if not nodes:
            raise ValueError(f"hierarchical attribute {name!r} declares no classes")
        return Column(name, "hierarchical", nodes)
    raise ValueError(f"attribute {name!r} has unknown type {rest[:40]!r}")


def _categories(name, text):
    """Read the values of ``{a,b,'c d'}``."""
    if not text.endswith("}"):
        raise ValueError(f"the values of attribute {name!r} are not closed by a brace")
    text, values, position, comma = text[1:-1], [], 0, ","
    while comma:
        match = _VALUE.match(text, position)
        if not match:
            raise ValueError(f"values of attribute {name!r}: a quote is not closed, or a comma is missing")
        comma, position = match[2], match.end()
        values.append(_unquoted(match[1].strip()))
    if values == [""]:
        raise ValueError(f"attribute {name!r} declares no values")
    seen = set()
    for value in values:
        if value in seen:
            raise ValueError(f"attribute {name!r} declares value {value!r} twice")
        seen.add(value)
    return tuple(values)


def _unquoted(text):
    if text[:1] not in ("'", '"'):
        return text
    return next(_split([text], 1))[0] if "\\" in text else text[1:-1]


def _split(lines, n_columns, return_type=liac.DENSE_GEN):
    """Split rows by liac-arff, with every attribute read as text."""
    header = ["@relation r", *(f"@attribute x{j} string" for j in range(n_columns)), "@data"]
    return liac.ArffDecoder().decode([*header, *lines], return_type=return_type)["data"]


def _split_cells(lines, numbers, n_columns, is_sparse):
    """Yield line number and cells of each row: a list, or for sparse rows a dict by index."""
    # liac-arff refuses blanks in a value without quotes
    is_plain = [not is_sparse and "," in line and _SPECIAL.search(line) is None for line in lines]
    others = [line for line, plain in zip(lines, is_plain, strict=True) if not plain]
    split = _split(others, n_columns, liac.LOD_GEN if is_sparse else liac.DENSE_GEN)
    for number, line, plain in zip(numbers, lines, is_plain, strict=True):
        if plain:
            yield number, [None if cell in ("", "?") else cell for cell in map(str.strip, line.split(","))]
            continue
        try:
            if is_sparse != line.startswith("{") or is_sparse != line.endswith("}"):
                raise ValueError("either all rows are enclosed in braces (sparse rows) or none")
            cells = next(split)
            if is_sparse and max(cells, default=0) >= n_columns:  # liac-arff takes it if its value is missing
                raise liac.BadDataFormat(line)
            if is_sparse and cells and len(cells) != _count(line):
                raise ValueError("an index is duplicated")
        except liac.BadDataFormat:
            counts = f"{counted(n_columns, 'value')} (one per attribute), found {_count(line)}"
            expected = f"indices from 0 to {n_columns - 1}" if is_sparse else counts
            raise DataError(f"expected {expected}", line=number, advice=_CUT) from None
        except (liac.ArffException, ValueError) as error:
            reason = str(error).rpartition("at line -1. ")[2][:80]
            advice = f"Is a quote not closed? {_CUT}"
            raise DataError(f"the row is malformed: {reason}", line=number, advice=advice) from None
        yield number, cells


def _count(line):
    """Count the values between the commas of a line."""
    return re.sub(_QUOTED, "", line).count(",") + 1


def _dense(rows, numbers, columns):
    """Make dense columns of strings; a cell omitted from a sparse row is 0 or the first declared value."""
    filled = [([], []) for _ in columns]
    for row, (number, cells) in enumerate(rows):
        last = -1
        for j, text in cells.items():
            if j <= last:
                problem = f"index {j} comes after {last}; indices must increase"
                raise DataError(problem, line=number, column=column_label(j, columns[j].name))
            last = j
            filled[j][0].append(row)
            filled[j][1].append(text)
    values = []
    for column, (at, texts) in zip(columns, filled, strict=True):
        if column.kind not in ("numeric", "nominal"):
            raise DataError(f"a sparse file cannot hold {column.kind} attribute {column.name!r}")
        index = np.zeros(len(numbers), dtype=np.int64)
        index[at] = np.arange(1, len(at) + 1)
        default = "0" if column.kind == "numeric" else column.categories[0]
        values.append(pa.array([default, *texts], pa.string()).take(pa.array(index)))
    return values
