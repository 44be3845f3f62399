"""Mulan's XML file with the names of the labels."""

from xml.etree import ElementTree

from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers.source import read_bytes


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
    content = read_bytes(path)
    if b"<!ENTITY" in content.replace(b"\0", b""):  # UTF-16 too
        raise DataError("XML entities are not accepted in a list of labels", file=path)
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise DataError(
            f"not well-formed XML: {error}",
            file=path,
            line=line,
            column=column + 1,
            advice="The file is damaged or incomplete; get it again",
        ) from None
    except (ValueError, LookupError) as error:  # an encoding that the parser does not know
        raise DataError(f"cannot be read: {error}", file=path, line=1, advice="Convert it to UTF-8") from None
    names = {}  # a dict keeps the order
    for element in root.iter():
        if element.tag.rpartition("}")[2] == "label":
            name = element.get("name")
            if not name:
                raise DataError("a <label> has no name attribute", file=path)
            if name in names:
                raise DataError(f"label {name!r} is listed twice", file=path)
            names[name] = None
    if not names:
        raise DataError("expected <labels> with <label name='...'> elements, found none", file=path)
    return list(names)
