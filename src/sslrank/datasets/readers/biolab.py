"""Orange's .tab: tab-separated, with lines of names, types and flags before the rows, or one line such as cD#name."""

import re

from sslrank.core.errors import DataError
from sslrank.core.messages import counted
from sslrank.datasets.readers import delimited
from sslrank.datasets.readers.source import read_text

_KINDS = {"auto": "auto", "c": "numeric", "continuous": "numeric"}
_KINDS |= dict.fromkeys(("d", "discrete", "s", "string"), "nominal")
_PREFIXED = re.compile(r"([cmiw]?)([CDS]?)(?<=[cmiwCDS])#(.*)")
_FLAGS = {"c": "class", "m": "meta", "i": "ignore", "w": "weight", "": ""}


def read(path, encoding="utf-8"):
    r"""Read an Orange .tab file.

    Columns flagged ``meta``, ``ignore`` or ``i`` are left out. A column without a name is named by its number (x157 is
    the 157th).

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
    head = [line.split("\t") for line in read_text(path, encoding).split("\n")[:3]]
    parts = [_PREFIXED.fullmatch(name) for name in head[0]]
    if any(parts):
        parts = [part.groups() if part else ("", "", name) for part, name in zip(parts, head[0], strict=True)]
        flags, types, names = zip(*((_FLAGS[flag], kind or "auto", name) for flag, kind, name in parts), strict=True)
        skipped = "1"
    elif len(head) < 3:
        raise DataError("expected lines of names, types and flags, then rows", line=len(head))
    else:
        (names, types, flags), skipped = head, "1-3"
    names = [name.strip() or f"x{j + 1}" for j, name in enumerate(names)]
    flags = [flag.lower().split() for flag in flags] + [[]] * (len(names) - len(flags))  # trailing tabs are often cut
    if len(types) != len(names) or len(flags) != len(names):
        counts = f"{counted(len(names), 'name')}, {counted(len(types), 'type')} and {counted(len(flags), 'flag')}"
        line = 2 if len(types) != len(names) else 3
        raise DataError(f"{counts}; their numbers should be equal", line=line)
    kinds = [_KINDS.get(kind.strip().lower(), "nominal" if " " in kind.strip() else None) for kind in types]
    if None in kinds:
        j = kinds.index(None)
        raise DataError(
            f"unknown type {types[j]!r} of column {names[j]!r}; expected continuous (c), discrete (d), string (s) or "
            "the values of a discrete column",
            line=2,
            column=j + 1,
        )
    features = [name for name, flag in zip(names, flags, strict=True) if not {"m", "meta", "i", "ignore"} & set(flag)]
    if not features:
        raise DataError("every column is flagged meta or ignore, so none is left", line=3)
    names_by_kind = {"nominal": [], "numeric": [], "auto": []}
    for name, kind in zip(names, kinds, strict=True):
        names_by_kind[kind].append(name)
    del names_by_kind["auto"]
    table = delimited.read(path, "\t", False, names, **names_by_kind, encoding=encoding, skip_lines=skipped)
    table.frame = table.frame[features]
    table.targets = tuple(name for name, flag in zip(names, flags, strict=True) if "class" in flag)
    weights = [name for name, flag in zip(names, flags, strict=True) if "weight" in flag]
    notes = [f"{name} is declared to have weights; if so: --weights {name}" for name in weights]
    table.notes = [*table.notes[:-1], *notes]  # the last one is of the lines of the head
    return table
