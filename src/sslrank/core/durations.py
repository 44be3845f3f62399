"""Durations as people read and write them."""

import re

from sslrank.core.errors import DataError


def duration(seconds):
    """Seconds as text: 3.2 s, 4 min, 5.1 h."""
    if seconds < 90:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def parse_duration(text):
    """Seconds of ``90s``, ``5min``, ``2h`` or a number of seconds.

    Raises
    ------
    DataError
        If it is none of these.
    """
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?(s|m|min|h|)", str(text).strip())
    if match is None or float(match[1]) == 0:
        raise DataError(f"{text!r} is not a duration", advice="Write it such as 90s, 5min or 2h")
    return float(match[1]) * {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}[match[2]]
