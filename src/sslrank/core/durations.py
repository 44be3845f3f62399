"""Parse and format durations."""

import re

from sslrank.core.errors import DataError


def duration(seconds):
    """Format a number of seconds as a readable duration.

    Parameters
    ----------
    seconds : float

    Returns
    -------
    str

    Examples
    --------
    >>> duration(3.2), duration(240), duration(18_360)
    ('3.2 s', '4 min', '5.1 h')
    """
    if seconds < 90:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def parse_duration(text):
    """Read a duration such as ``90s``, ``5min``, ``2h``, ``2d`` or a plain number of seconds.

    Parameters
    ----------
    text : str or float

    Returns
    -------
    float
        Seconds.

    Raises
    ------
    DataError
        If the text is not a duration.

    Examples
    --------
    >>> parse_duration("5min")
    300.0
    """
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?(s|m|min|h|d|)", str(text).strip())
    if match is None or float(match[1]) == 0:
        raise DataError(f"{text!r} is not a duration", advice="Write for example 90s, 5min or 2h")
    return float(match[1]) * {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}[match[2]]
