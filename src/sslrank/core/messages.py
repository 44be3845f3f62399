"""Lists of names in messages, and hints for misspelt ones."""

import difflib

#: Names that a list shows.
SHOWN = 8


def listed(names):
    """Some of the names, and how many there are in all."""
    names = list(names)
    more = f", ... ({len(names)} in all)" if len(names) > SHOWN else ""
    return ", ".join(str(name) or "''" for name in names[:SHOWN]) + more


def nearest(name, known):
    """``"; did you mean 'x'?"`` for the known name nearest to `name`, or an empty string."""
    near = _near(name, known)
    return f"; did you mean {near[0]!r}?" if near else ""


def suggestion(name, known):
    """``"did you mean 'x'?"``, or all of the `known` names where none is near."""
    near = _near(name, known)
    return f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(sorted(map(str, known))) or 'none'}"


def _near(name, known):
    cutoff = 0.5 if len(str(name)) <= 5 else 0.6  # half of the letters are near in short names only
    lower = {}
    for other in map(str, known):
        lower.setdefault(other.lower(), other)
    return [lower[found] for found in difflib.get_close_matches(str(name).lower(), lower, n=1, cutoff=cutoff)]
