"""Readers of data files, one per format; each gives a :class:`sslrank.datasets.readers.table.ParsedTable`."""

import importlib
import inspect
from pathlib import Path

from sslrank.core.errors import DataError, errors_in
from sslrank.core.messages import nearest
from sslrank.datasets.readers.source import blocks, name_in_zip, size_limit
from sslrank.datasets.readers.table import ParsedTable

#: Format -> module of this package with a function ``read(path, **options) -> ParsedTable``.
FORMATS = {
    "arff": "arff",
    "csv": "delimited",
    "dta": "frames",
    "feather": "frames",
    "json": "frames",
    "keel": "keel",
    "mat": "matlab",
    "ods": "excel",
    "parquet": "parquet",
    "por": "frames",
    "rdata": "rdata",
    "sas7bdat": "frames",
    "sav": "frames",
    "svmlight": "svmlight",
    "tab": "biolab",
    "xls": "excel",
    "xlsx": "excel",
    "xpt": "frames",
}
#: Suffixes of compressed files; their content shows the compression.
PACKED = (".gz", ".bz2", ".xz", ".zip")
#: File suffix (after those of :data:`PACKED` are taken off) -> format; each format is also a suffix.
SUFFIXES = {f".{name}": name for name in FORMATS} | {
    **dict.fromkeys((".tsv", ".data", ".txt"), "csv"),
    ".dat": "keel",
    ".jsonl": "json",
    **dict.fromkeys((".libsvm", ".svm"), "svmlight"),
    ".rda": "rdata",
    ".rds": "rdata",
    ".xlsb": "xls",
    ".xlsm": "xlsx",
}

#: Parameters of readers that are no options of a format.
_OF_READ = ("path", "format")

__all__ = ["FORMATS", "ParsedTable", "format_of", "read", "reader_module"]


def format_of(path):
    """Return the format of a file by its suffix, or for an archive such as ``data.zip`` by that of the file inside.

    A ``.dat`` file that does not begin like KEEL is CSV.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    str
        One of :data:`FORMATS`.

    Raises
    ------
    DataError
        If the suffix is unknown.

    Examples
    --------
    >>> format_of("data.csv.gz"), format_of("data.arff")
    ('csv', 'arff')
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    is_zip = suffixes[-1:] == [".zip"]
    while suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    if is_zip and not (suffixes and suffixes[-1] in SUFFIXES):
        suffixes = [Path(name_in_zip(path)).suffix.lower()]
    if not suffixes or suffixes[-1] not in SUFFIXES:
        raise DataError(
            f"unknown suffix; expected one of {', '.join(SUFFIXES)}",
            file=path,
            advice="If its content is in such a format, name it: --reader format=NAME on the command line, 'format' in "
            "the reader's options; else save it as CSV",
        )
    if suffixes[-1] == ".dat" and Path(path).is_file():
        _, start = next(blocks(path, 1 << 16), (1, b"@"))
        return "keel" if start.lstrip().startswith((b"@", b"%")) else "csv"
    return SUFFIXES[suffixes[-1]]


def reader_module(format):
    """Give the dotted name of the module that reads a format."""
    return f"{__name__}.{FORMATS[format]}"


def read(path, format=None, max_size=None, **options):
    r"""Read a data file.

    Parameters
    ----------
    path : path-like
        May be compressed (``.gz``, ``.bz2``, ``.xz``) or in a zip archive, whatever the format.
    format : str, optional
        One of :data:`FORMATS`; by default that of the suffix.
    max_size : int or str, optional
        Bytes that the file may unpack to and that the numbers of its table may take, as a number or such as
        ``4G``; by default half of the memory. More is refused before it is allocated.
    **options
        Of the format's reader.

    Returns
    -------
    ParsedTable

    Raises
    ------
    DataError
        If the format or an option is unknown, or the file is malformed or too large.

    Examples
    --------
    >>> size = Path("data.csv").write_text("a,shade\n1,light\n2,dark\n")
    >>> read("data.csv").frame.dtypes.astype(str).to_dict()
    {'a': 'float64', 'shade': 'category'}
    """
    format = format or format_of(path)
    with errors_in(path):
        if format not in FORMATS:
            raise DataError(f"unknown format {format!r}{nearest(format, FORMATS)}")
        reader = importlib.import_module(reader_module(format)).read
        parameters = inspect.signature(reader).parameters
        if "format" in parameters:
            options["format"] = format
        option_names = [name for name, at in parameters.items() if at.kind != at.KEYWORD_ONLY and name not in _OF_READ]
        if unknown := [option for option in options if option not in parameters]:
            raise DataError(
                f"the {format} reader has no option {unknown[0]!r}{nearest(unknown[0], option_names)}",
                advice=f"Its options are: {', '.join(option_names) or 'none'}",
            )
        try:
            with size_limit(max_size):
                table = reader(Path(path), **options)
        except MemoryError:
            raise DataError("the table does not fit into the memory") from None
    table.path = Path(path)
    return table
