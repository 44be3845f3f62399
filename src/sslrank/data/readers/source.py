"""The bytes and the text of a data file, compressed or not."""

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from pathlib import Path

from sslrank.data.dataset import DataError

DOWNLOAD_AGAIN = "The file is damaged or incomplete; download it again"


def read_bytes(path, member=None):
    """The content of a file; ``.gz``, ``.bz2`` and ``.zip`` are unpacked (by content, not by name).

    Parameters
    ----------
    path : path-like
    member : str, optional
        The file wanted out of a zip archive that holds several.

    Raises
    ------
    DataError
        If the file is missing, empty, damaged, or an HTML page.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=path) from None
    try:
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        elif content[:3] == b"BZh":
            content = bz2.decompress(content)
        elif content[:4] == b"PK\x03\x04":
            content = _member(content, path, member)
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise DataError(f"cannot be unpacked: {error}", file=path, advice=DOWNLOAD_AGAIN) from None
    if not content.strip():
        raise DataError("the file is empty", file=path, advice=DOWNLOAD_AGAIN)
    start = content[:1000].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        raise DataError(
            "this is an HTML page, not data",
            file=path,
            line=1,
            advice="The address gave a web page instead of the file; check it, and download the file again",
        )
    return content


def _member(content, path, member):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        if member is None and len(names) == 1:
            member = names[0]
        if member not in names:
            raise DataError(
                f"the archive holds {', '.join(names) or 'nothing'}; which file is wanted?",
                file=path,
                advice="Set the reader's option 'member'",
            )
        return archive.read(member)


def read_text(path, encoding="utf-8", member=None):
    """The text of a file, without a byte order mark and with newlines between lines.

    Raises
    ------
    DataError
        As :func:`read_bytes`, and if the text is not in the encoding.
    """
    content = read_bytes(path, member)
    try:
        text = content.decode("utf-8-sig" if encoding == "utf-8" else encoding)
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except LookupError:
        raise DataError(f"unknown encoding {encoding!r}", file=path) from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        raise DataError(
            f"byte 0x{content[error.start]:02x} at position {column} of the line is not {encoding} text",
            file=path,
            line=line,
            advice="Convert the file to UTF-8, or set the reader's option 'encoding', e.g. latin-1",
        ) from None
