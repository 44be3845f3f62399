"""Checks of parameters."""

from numbers import Integral, Real


def check_count(name, value, *, least=1, optional=False):
    """Refuse anything but an int >= `least` (or None where `optional`).

    Raises
    ------
    ValueError
    """
    if value is None and optional:
        return
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be {'None or ' if optional else ''}an int >= {least}, got {value!r}")


def check_weight(name, value):
    """Refuse anything but a number in [0, 1].

    Raises
    ------
    ValueError
    """
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value <= 1:
        raise ValueError(f"{name} must be 'cv' or a number in [0, 1], got {value!r}")
