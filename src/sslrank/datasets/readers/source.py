"""The bytes and the text of a data file, compressed or not, and the limit on their size."""

import bz2
import contextlib
import contextvars
import gzip
import io
import lzma
import os
import re
import zipfile
import zlib
from itertools import chain, compress
from pathlib import Path

import numpy as np

from sslrank.core.errors import DataError, errors_in
from sslrank.core.messages import listed

DOWNLOAD_AGAIN = "The file is damaged or incomplete; get it again"
_UNPACK = "Unpack it, and give the file itself"
_CHUNK = 1 << 20
_UNITS = {"": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
#: First bytes of a compressed file -> how to open it.
_PACKED = {
    b"\x1f\x8b": lambda stream: gzip.GzipFile(fileobj=stream),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
}
_max_size = contextvars.ContextVar("max_size", default=None)


def parse_size(text):
    """Parse a number of bytes such as ``500M``, ``4G`` or ``1000000``.

    Parameters
    ----------
    text : str or int

    Returns
    -------
    int

    Raises
    ------
    DataError
        If the text is not a size.

    Examples
    --------
    >>> parse_size("4G")
    4294967296
    """
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?([kKMGT]?)(?:i?B)?", str(text).strip())
    size = float(match[1]) * _UNITS[match[2].replace("K", "k")] if match else 0
    if not 1 <= size < 2**63:
        raise DataError(f"{text!r:.60} is not a size", advice="Write bytes, or for example 500M or 4G")
    return int(size)


def readable_size(n_bytes):
    """Format a number of bytes in powers of 1024."""
    units = ["bytes", "kB", "MB", "GB", "TB"]
    while n_bytes >= 1024 and len(units) > 1:
        n_bytes, units = n_bytes / 1024, units[1:]
    return f"{n_bytes:.3g} {units[0]}" if isinstance(n_bytes, float) else f"{n_bytes} {units[0]}"


def memory():
    """Return the bytes of memory of this machine, or of the control group that this process may use."""
    sizes = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    with contextlib.suppress(OSError, ValueError):  # the file has "max", or does not exist
        sizes.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(sizes)


@contextlib.contextmanager
def size_limit(max_size=None):
    """Limit the size of files and tables in a context.

    Parameters
    ----------
    max_size : int or str, optional
        Bytes, as a number or a text such as ``4G``; None keeps the present limit, by default half of the memory.

    Examples
    --------
    >>> with size_limit("1k"):
    ...     limit()
    1024
    """
    if max_size is None:
        yield
        return
    token = _max_size.set(parse_size(max_size))
    try:
        yield
    finally:
        _max_size.reset(token)


def limit():
    """Return the limit in bytes on an unpacked file and on its table."""
    return _max_size.get() or memory() // 2


def check_size(n_bytes, what="unpacks to"):
    """Raise if a size is above the limit, before anything of that size is allocated; `what` begins the message."""
    if n_bytes > limit():
        raise DataError(
            f"{what} {readable_size(n_bytes)}, and the limit is {readable_size(limit())}",
            advice="If the file is right, give a part of its rows, or raise the limit: --reader max_size=SIZE for "
            "'sslrank rank', --max-size SIZE for 'sslrank prepare', max_size in Python (default: half of the memory)",
        )


def check_table(n_rows, n_columns):
    """Raise if the float64 numbers of a table would exceed the limit."""
    check_size(8 * n_rows * n_columns, f"declares {n_rows} x {n_columns} values,")


@contextlib.contextmanager
def readable(what, errors=Exception):
    """Turn errors of a parser, whatever it met in a damaged file, into a DataError about the file."""
    try:
        yield
    except (DataError, ImportError, MemoryError):
        raise
    except errors as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"not a readable {what}: {problem}", advice=DOWNLOAD_AGAIN) from None


def read_bytes(path):
    """Read the bytes of a file; unpack ``.gz``, ``.bz2``, ``.xz`` and ``.zip`` (by content, not by name).

    A DataError says that the file is missing, empty, damaged, an HTML page, or larger than the limit.
    """
    with errors_in(path), _open_unpacked(path) as stream:
        content = b"".join(_pieces(stream))
        if not content.strip():
            raise DataError("the file is empty", advice="Save or download it again, or name another file")
        _refuse_page(content)
        return content


def _refuse_page(content):
    if content[:1000].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        advice = "The address gave a web page instead of the file; check it, and download the file again"
        raise DataError("this is an HTML page, not data", line=1, advice=advice)


def _pieces(stream, size=_CHUNK, limited=True):
    """Yield a stream in pieces; a `limited` stream is never held in memory beyond the limit."""
    total, what = 0, "has more than" if isinstance(stream, io.BufferedReader) else "unpacks to more than"
    while True:
        try:
            piece = stream.read(size)
        except (OSError, EOFError, ValueError, RuntimeError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
            raise DataError(f"cannot be unpacked: {error}", advice=DOWNLOAD_AGAIN) from None
        total += len(piece)
        if limited:
            check_size(total, what)
        if not piece:
            return
        yield piece


def name_in_zip(path):
    """Return the name of the only file in a zip archive, an error if it has several; "" if it cannot be read."""
    try:
        with errors_in(path), zipfile.ZipFile(path) as archive:
            return _only_file(archive)
    except (OSError, zipfile.BadZipFile):
        return ""


def _only_file(archive):
    """Name of the only file of an archive, but for those added by operating systems."""
    names = (name for name in archive.namelist() if not name.endswith("/"))
    names = [name for name in names if not name.startswith("__MACOSX/") and Path(name).name != ".DS_Store"]
    if len(names) != 1:
        raise DataError(f"expected an archive of one file, found {listed(names) or 'none'}", advice=_UNPACK)
    return names[0]


def read_text(path, encoding="utf-8"):
    """Read the text of a file, without a byte order mark and with newlines between lines."""
    content = read_bytes(path)
    with errors_in(path):
        return decode(content, encoding)


def read_lines(path, lines=None, encoding="utf-8"):
    """Read lines of a text file, given as a mask of its lines, or all.

    Returns the text, and the number of each of its lines in the file, from 1.
    """
    if lines is None:
        text = read_text(path, encoding)
        return text, range(1, text.count("\n") + 2)
    kept = (row for line, content in blocks(path) for row in compress(content[:-1].split(b"\n"), lines[line - 1 :]))
    return decode(b"\n".join(kept) + b"\n", encoding), np.flatnonzero(lines) + 1


def decode(content, encoding="utf-8", first_line=1):
    """Decode the bytes of a file, or of a part of it that begins with `first_line`.

    The text has no byte order mark, and newlines between lines. A DataError says that the bytes are not in the
    encoding, or have a NUL.
    """
    option = "--reader encoding=NAME on the command line, 'encoding' in the reader's options"
    try:
        text = content.decode("utf-8-sig" if encoding == "utf-8" else encoding)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    except LookupError:
        raise DataError(f"unknown encoding {encoding!r}") from None
    except UnicodeDecodeError as error:
        name = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "cp1252 (Windows) or latin-1"
        column = error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        raise DataError(
            f"byte 0x{content[error.start]:02x} at position {column} of the line is not {encoding} text",
            line=content.count(b"\n", 0, error.start) + first_line,
            advice=f"Convert the file to UTF-8, or name its encoding, such as {name}: {option}",
        ) from None
    except UnicodeError as error:
        raise DataError(f"the text is not {encoding}: {error}") from None
    if "\0" in text:
        raise DataError(
            "a NUL byte, which text does not contain",
            line=text.count("\n", 0, text.index("\0")) + first_line,
            advice=f"The file is damaged, not text, or in another encoding such as utf-16: {option}",
        )
    return text


def blocks(path, size=1 << 24, quoted=False):
    """Yield blocks of whole lines of a text file: number of the first line, from 1, and bytes that end with a newline.

    A block has about `size` bytes. With `quoted`, line breaks between double quotes do not end a line. Errors are those
    of :func:`read_bytes`.
    """
    line, rest = 1, b""
    with errors_in(path), _open_unpacked(path) as stream:
        for piece in chain(_pieces(stream, size, limited=False), [b""]):
            content = rest + piece
            stop = _last_break(content, quoted and len(content) < 8 * size) if piece else len(content)
            content, rest = content[:stop], content[stop:]
            if b"\r" in content:
                content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            if line == 1:
                _refuse_page(content)
            if content:
                content += b"" if content.endswith(b"\n") else b"\n"
                yield line, content
                line += content.count(b"\n")


def _last_break(content, quoted):
    """Find the end of the last whole line; 0 if there is none."""
    stop = content.rfind(b"\n") + 1
    quotes = content.count(b'"', 0, stop) if quoted and b'"' in content else 0
    while quotes % 2 and stop:  # inside of quotes
        before = content.rfind(b"\n", 0, stop - 1) + 1
        quotes -= content.count(b'"', before, stop)
        stop = before
    return stop


@contextlib.contextmanager
def _open_unpacked(path):
    """Open a file as a stream of its bytes, unpacked."""
    with contextlib.ExitStack() as stack:
        try:
            stream = stack.enter_context(open(path, "rb"))
        except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
            raise DataError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
        try:
            start = stream.read(6)
            stream.seek(0)
            opened = next((unpack for first, unpack in _PACKED.items() if start.startswith(first)), None)
            if opened:
                stream = stack.enter_context(opened(stream))
            elif start.startswith(b"PK\x03\x04"):
                archive = stack.enter_context(zipfile.ZipFile(stream))
                check_size(sum(item.file_size for item in archive.infolist()))
                if {"[Content_Types].xml", "mimetype"} & set(archive.namelist()):  # a workbook
                    stream.seek(0)
                else:
                    stream = stack.enter_context(archive.open(_only_file(archive)))
        except (OSError, zipfile.BadZipFile) as error:
            raise DataError(f"cannot be unpacked: {error}", advice=DOWNLOAD_AGAIN) from None
        except RuntimeError as error:  # encrypted, or by an unknown method
            raise DataError(f"cannot be unpacked: {error}", advice=_UNPACK) from None
        yield stream
