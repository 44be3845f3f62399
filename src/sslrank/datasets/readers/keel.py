"""KEEL .dat: ARFF's header with ranges, ``@inputs`` and ``@outputs``, and rows of commas."""

import re

from sslrank.datasets.readers.arff import parse_categories, parse_name, read_header
from sslrank.datasets.readers.fields import split_rows
from sslrank.datasets.readers.source import read_text
from sslrank.datasets.readers.table import Column, convert


def read(path, encoding="utf-8", member=None):
    """Read a KEEL file. The declared ranges of numbers are not used: published files have wrong ones.

    Parameters
    ----------
    path : path-like
    encoding : str
    member : str, optional
        File wanted out of a zip archive.

    Returns
    -------
    sslrank.datasets.readers.table.Table

    Raises
    ------
    DataError
        If the file is not as declared.
    """
    columns, rows = read_header(path, read_text(path, encoding, member), parse_attribute)
    names = [column.name for column in columns]
    return convert(rows, columns, split_rows(rows, names, missing=("?", "<null>"), backslash=True))


def parse_attribute(text):
    """The :class:`Column` of ``NAME real [1,2]``, ``NAME integer[1,2]`` or ``NAME {a,b}``.

    Raises
    ------
    ValueError
        If the declaration is malformed.
    """
    name, rest = parse_name(text)
    if rest.startswith("{"):
        return Column(name, "nominal", parse_categories(name, rest))
    if re.fullmatch(r"(?i)(real|integer|numeric)\s*(\[.*\])?", rest.strip()):
        return Column(name, "numeric")
    raise ValueError(f"attribute {name!r} has unknown type {rest[:40]!r}")
