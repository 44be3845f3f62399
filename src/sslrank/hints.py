"""Hints for misspelt names."""

import difflib


def nearest(name, known):
    """``"; did you mean 'x'?"`` for the known name nearest to `name`, or an empty string."""
    near = difflib.get_close_matches(str(name), [str(other) for other in known], n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
