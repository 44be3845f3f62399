"""ARFF: dense and sparse rows, and the hierarchical class attribute of Clus.

liac-arff is the reference that the tests compare with. It is not used here because it parses cell by cell
in Python, takes no ``hierarchical`` attribute and no comment at the end of a row, and drops what a sparse
row leaves out of a nominal attribute instead of giving its first declared value, as Weka defines.
"""

import re

import numpy as np
import pandas as pd

from sslrank.core.messages import nearest
from sslrank.datasets.dataset import DataError, nominal_dtype
from sslrank.datasets.readers.fields import ESCAPES, split_line, split_rows
from sslrank.datasets.readers.source import check_table, read_text
from sslrank.datasets.readers.table import (
    Column,
    Rows,
    Table,
    check_names,
    convert,
    make_frame,
    parse_number,
    place,
)

_KEYWORDS = ("@relation", "@attribute", "@data", "@input", "@inputs", "@output", "@outputs")
_NUMERIC = ("numeric", "real", "integer")
_ADVICE = "Expected '@attribute NAME numeric', '@attribute NAME {a,b,...}', string, or Clus's hierarchical or key"


def read(path, encoding="utf-8", member=None, duplicates="refuse"):
    """Read an ARFF file.

    Parameters
    ----------
    path : path-like
    encoding : str
    member : str, optional
        File wanted out of a zip archive.
    duplicates : {"refuse", "rename"}
        What to do with a second attribute of a name.

    Returns
    -------
    sslrank.datasets.readers.table.Table

    Raises
    ------
    DataError
        If the file is not ARFF as declared.
    """
    columns, rows = read_header(path, read_text(path, encoding, member), duplicates=duplicates)
    if rows.lines and re.match(r"\{\s*([0-9]+\s|\})", rows.lines[0]):
        return _read_sparse(rows, columns)
    names = [column.name for column in columns]
    return convert(rows, columns, split_rows(rows, names, backslash=True))


def read_header(path, text, attribute=None, duplicates="refuse"):
    """Split a file with an ARFF-like header into declarations and rows.

    Parameters
    ----------
    path : path-like
    text : str
    attribute : callable, optional
        ``attribute(text) -> Column``, raising ValueError; by default ARFF's own.
    duplicates : {"refuse", "rename"}

    Returns
    -------
    columns : list of Column
    rows : Rows
        Lines after ``@data`` without comments and blank lines.
    """
    attribute = attribute or parse_attribute
    columns, declared, lines = [], [], text.split("\n")
    start = None
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        if not line or line.startswith("%"):
            continue
        keyword = line.split(None, 1)[0].lower()
        if keyword == "@data":
            start = number
            break
        if keyword == "@attribute":
            try:
                columns.append(attribute(line[len("@attribute") :].strip()))
            except ValueError as error:
                raise DataError(str(error), file=path, line=number, advice=_ADVICE) from None
            declared.append(number)
        elif keyword not in _KEYWORDS:
            hint = nearest(keyword, _KEYWORDS)
            raise DataError(
                f"expected @relation, @attribute or @data, found {line[:40]!r}{hint}", file=path, line=number
            )
    if not columns:
        raise DataError("no @attribute is declared", file=path, advice="Is this an ARFF or KEEL file?")
    if start is None:
        raise DataError("there is no @data", file=path, advice="The file is incomplete; get it again")
    columns = check_names(columns, path, declared, duplicates)
    kept, numbers = [], []
    comments = "%" in text
    for number, raw in enumerate(lines[start:], start + 1):
        line = strip_comment(raw).strip() if comments and "%" in raw else raw.strip()
        if line:
            kept.append(line)
            numbers.append(number)
    return columns, Rows(path, kept, numbers)


def strip_comment(line):
    """A line without its ``%`` comment; a ``%`` inside quotes stays."""
    if "'" not in line and '"' not in line:
        return line.partition("%")[0]
    quote, position = None, 0
    while position < len(line):
        character = line[position]
        if quote:
            if character == "\\":
                position += 1
            elif character == quote:
                quote = None
        elif character in "'\"":
            quote = character
        elif character == "%":
            return line[:position]
        position += 1
    return line


def parse_name(text):
    """Split ``NAME REST`` where the name may be quoted; backslashes escape.

    Raises
    ------
    ValueError
    """
    match = re.match(r"""'((?:[^'\\]|\\.)*)'\s*|"((?:[^"\\]|\\.)*)"\s*|([^\s{]+)\s*""", text)
    if not match:
        raise ValueError("an attribute needs a name")
    name = next(group for group in match.groups() if group is not None)
    if match.group(3) is None:
        name = re.sub(r"\\(.)", lambda found: ESCAPES.get(found.group(1), found.group(1)), name)
    return name, text[match.end() :]


def parse_attribute(text):
    """The :class:`Column` that an ``@attribute`` line declares.

    Raises
    ------
    ValueError
        If the declaration is malformed or the type is none of those we read.
    """
    name, rest = parse_name(text)
    rest = strip_comment(rest).strip()
    if rest.startswith("{"):
        return Column(name, "nominal", parse_categories(name, rest))
    kind, _, more = rest.partition(" ")
    kind = re.match(r"[A-Za-z]*", rest).group().lower()
    if kind in _NUMERIC:
        return Column(name, "numeric")
    if kind in ("string", "key", "date"):  # key: Clus's identifier; dates are not read as such
        return Column(name, "string")
    if kind == "hierarchical":
        nodes = tuple(node.strip() for node in more.split(",") if node.strip())
        if not nodes:
            raise ValueError(f"hierarchical attribute {name!r} declares no classes")
        return Column(name, "hierarchical", nodes)
    raise ValueError(f"attribute {name!r} has unknown type {rest[:40]!r}")


def parse_categories(name, text):
    """The values of ``{a,b,'c d'}``.

    Raises
    ------
    ValueError
        If a brace or quote is not closed, there are no values, or a value is declared twice.
    """
    if not text.endswith("}"):
        raise ValueError(f"the values of attribute {name!r} are not closed by a brace")
    values = split_line(text[1:-1], missing=(), backslash=True)
    if isinstance(values, str):
        raise ValueError(f"values of attribute {name!r}: {values}")
    if values == [""]:
        raise ValueError(f"attribute {name!r} declares no values")
    twice = sorted({value for value in values if values.count(value) > 1}) if len(values) < 1000 else []
    if twice or len(set(values)) != len(values):
        raise ValueError(f"attribute {name!r} declares value {twice[0] if twice else '...'!r} twice")
    return tuple(values)


def _read_sparse(rows, columns):
    """Rows such as ``{3 1.5, 7 'a b'}``: index from 0 and value; left out is 0 or the first value."""
    n_columns = len(columns)
    check_table(len(rows.lines), n_columns, rows.path)
    entries = [([], []) for _ in columns]  # rows and texts by column
    for row, line in enumerate(rows.lines):
        if not (line.startswith("{") and line.endswith("}")):
            rows.fail(
                f"a sparse row must be enclosed in braces, found {line[:20]!r} ... {line[-20:]!r}",
                row,
                advice="A cut line means an incomplete file: get it again",
            )
        inside = line[1:-1].strip()
        if not inside:
            continue
        plain = "'" not in inside and '"' not in inside
        fields = inside.split(",") if plain else _split_sparse(rows, row, inside)
        last = -1
        for field in fields:
            index, _, value = field.strip().partition(" ")
            if not (index.isascii() and index.isdecimal()) or not value:
                rows.fail(f"expected 'index value', found {field.strip()[:40]!r}", row)
            j = int(index) if len(index) < 19 else n_columns
            if j >= n_columns:
                rows.fail(f"index {index[:40]} is out of range, there are {n_columns} attributes from 0", row)
            if j <= last:
                rows.fail(f"index {j} comes after {last}; indices must increase", row, place(j, columns[j].name))
            last = j
            entries[j][0].append(row)
            entries[j][1].append(value.strip())
    frame = [_expand(rows, j, columns[j], *entries[j]) for j in range(n_columns)]
    return Table(make_frame([column.name for column in columns], frame), {}, rows.path, rows.numbers)


_SPARSE_FIELD = re.compile(r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,'"])+""")


def _split_sparse(rows, row, inside):
    fields, position = [], 0
    while position <= len(inside):
        match = _SPARSE_FIELD.match(inside, position)
        if not match or inside[match.end() : match.end() + 1] not in ("", ","):
            rows.fail("a quote in the row is not closed, or a value is missing", row)
        fields.append(match.group())
        position = match.end() + 1
    return fields


def _expand(rows, j, column, at, texts):
    """The full column from its entries."""
    n_rows = len(rows.lines)
    if column.kind == "numeric":
        values = np.zeros(n_rows)
        for row, text in zip(at, texts, strict=True):
            try:
                values[row] = np.nan if text == "?" else parse_number(text)
            except ValueError as error:
                rows.fail(str(error), row, place(j, column.name))
        return values
    if column.kind != "nominal":
        rows.fail(f"a sparse file cannot hold {column.kind} attribute {column.name!r}")
    places = {category: code for code, category in enumerate(column.categories)}
    found = [-1 if text == "?" else places.get(text) for text in texts]
    for i, row in enumerate(at) if None in found else ():
        if found[i] is None:
            text = texts[i]
            plain = split_line(text, missing=(), backslash=True) if text[0] in "'\"" else None
            found[i] = places.get(plain[0]) if isinstance(plain, list) and len(plain) == 1 else None
            if found[i] is None:
                shown = ", ".join(map(repr, column.categories[:20]))
                rows.fail(f"value {text[:40]!r} is not among the declared ones: {shown}", row, place(j, column.name))
    codes = np.zeros(n_rows, dtype=np.int64)
    codes[at] = found
    return pd.Categorical.from_codes(codes, dtype=nominal_dtype(column.categories))
