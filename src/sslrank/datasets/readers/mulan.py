"""Mulan's XML file with the names of the labels."""

from collections import Counter
from xml.etree import ElementTree

from sslrank.core.errors import DataError, errors_in
from sslrank.datasets.readers.source import DOWNLOAD_AGAIN, read_bytes


def read_labels(path):
    """Read the names of the labels, including nested ones, in the order of the file.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    list of str

    Raises
    ------
    DataError
        If it is not well-formed XML, or not a list of distinct labels.

    Examples
    --------
    >>> from pathlib import Path
    >>> size = Path("labels.xml").write_text("<labels><label name='sad'/><label name='calm'/></labels>")
    >>> read_labels("labels.xml")
    ['sad', 'calm']
    """
    with errors_in(path):
        return _names(read_bytes(path))


def _names(content):
    if b"<!ENTITY" in content.replace(b"\0", b""):  # UTF-16 too
        raise DataError("XML entities are not accepted in a list of labels")
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise DataError(f"not well-formed XML: {error}", line=line, column=column + 1, advice=DOWNLOAD_AGAIN) from None
    except (ValueError, LookupError) as error:  # an encoding that the parser does not know
        raise DataError(f"cannot be read: {error}", line=1, advice="Convert it to UTF-8") from None
    names = [element.get("name") for element in root.iter() if element.tag.rpartition("}")[2] == "label"]
    if not all(names):
        raise DataError("a <label> has no name attribute")
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise DataError(f"label {twice[0]!r} is listed twice")
    if not names:
        raise DataError("expected <labels> with <label name='...'> elements, found none")
    return names
