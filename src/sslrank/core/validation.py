"""Check parameters, with the same messages for all rankers."""

import math
from numbers import Integral, Real

import numpy as np

from sslrank.core.errors import DataError
from sslrank.core.messages import counted, quoted


def check_count(name, value, least=1, *, words=()):
    """Raise unless a parameter is an int >= `least`, or one of some words.

    Parameters
    ----------
    name : str
        The parameter's name, for the message.
    value : object
    least : int, default=1
    words : sequence of str or None

    Raises
    ------
    ValueError
        If it is not.

    Examples
    --------
    >>> check_count("n_jobs", 2)
    >>> check_count("n_jobs", 0)
    Traceback (most recent call last):
        ...
    ValueError: n_jobs must be an int >= 1, got 0
    """
    if not _among(value, words) and not (is_whole_number(value) and value >= least):
        raise ValueError(f"{name} must be {_join_or(*map(repr, words), f'an int >= {least}')}, got {quoted(value)}")


def check_number(name, value, low=0.0, high=math.inf, *, above=False, words=()):
    """Raise unless a parameter is a number from `low` to `high`, or one of some words.

    Parameters
    ----------
    name : str
    value : object
    low, high : float
        Bounds; infinity is never allowed.
    above : bool, default=False
        Whether to refuse `low` itself.
    words : sequence of str or None

    Raises
    ------
    ValueError
        If it is not.

    Examples
    --------
    >>> check_number("alpha", 1.5, 0, 1)
    Traceback (most recent call last):
        ...
    ValueError: alpha must be a number in [0, 1], got 1.5
    """
    number = isinstance(value, Real) and not isinstance(value, bool)
    inside = number and (low < value if above else low <= value) and value <= high and value < math.inf
    if inside or _among(value, words):
        return
    if math.isinf(high):
        bounds = f"a number {'>' if above else '>='} {low:g}"
    else:
        bounds = f"a number in {'(' if above else '['}{low:g}, {high:g}]"
    raise ValueError(f"{name} must be {_join_or(*map(repr, words), bounds)}, got {quoted(value)}")


def check_jobs(n_jobs):
    """Raise unless a number of threads is None, or an int other than 0.

    Parameters
    ----------
    n_jobs : int or None
        As in scikit-learn: None is 1 thread, -1 is as many as there are cores, -2 one fewer.

    Raises
    ------
    ValueError
        If it is not.

    Examples
    --------
    >>> check_jobs(-1)
    >>> check_jobs(0)
    Traceback (most recent call last):
        ...
    ValueError: n_jobs must be a number of threads, -1 for all cores or None for one, got 0
    """
    if n_jobs is not None and not (is_whole_number(n_jobs) and n_jobs):
        raise ValueError(f"n_jobs must be a number of threads, -1 for all cores or None for one, got {quoted(n_jobs)}")


def check_choice(name, value, choices):
    """Raise unless a parameter is one of the choices.

    Parameters
    ----------
    name : str
    value : object
    choices : sequence of str, bool or None

    Raises
    ------
    ValueError
        If it is not.

    Examples
    --------
    >>> check_choice("scale", "rang", (None, "range", "standard"))
    Traceback (most recent call last):
        ...
    ValueError: scale must be one of None, 'range', 'standard', got 'rang'
    """
    if not _among(value, choices):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {quoted(value)}")


def resolve_size(name, value, whole, words=(), rounding=math.ceil):
    """Resolve a size parameter to a number from 1 to `whole`.

    Parameters
    ----------
    name : str
    value : int, float, str or None
        A number >= 1, capped at `whole`; a share of `whole` in (0, 1], which is rounded; or one of the words.
    whole : int
        Available number, at least 1.
    words : mapping of str or None to callable
        The meaning of each word: a function of `whole`.
    rounding : callable, default=math.ceil
        Rounding of a share.

    Returns
    -------
    int
        In 1..whole.

    Raises
    ------
    ValueError
        If it is none of these.

    Examples
    --------
    >>> resolve_size("max_features", 0.5, 9), resolve_size("max_features", "all", 9, {"all": lambda whole: whole})
    (5, 9)
    """
    if _among(value, words):
        return max(1, min(whole, words[value](whole)))
    if is_whole_number(value) and value >= 1:
        return min(int(value), whole)
    if isinstance(value, Real) and not isinstance(value, Integral) and 0 < value <= 1:
        return max(1, rounding(value * whole))
    raise ValueError(
        f"{name} must be {_join_or(*map(repr, words), 'an int >= 1', 'a float in (0, 1]')}, got {quoted(value)}"
    )


def is_whole_number(value):
    """Check if a parameter is an int and not a bool.

    Parameters
    ----------
    value : object

    Returns
    -------
    bool

    Examples
    --------
    >>> is_whole_number(2), is_whole_number(True), is_whole_number(2.0)
    (True, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool)


def checked_weights(sample_weight, labeled):
    """Check the weights of rows.

    Parameters
    ----------
    sample_weight : array-like of shape (n,)
    labeled : ndarray of shape (n,), bool
        Rows with a target.

    Returns
    -------
    ndarray of shape (n,)

    Raises
    ------
    ValueError
        If a weight is negative or not a finite number, or that of every labelled row is 0.

    Examples
    --------
    >>> checked_weights([0, 2, 1], np.array([True, False, False]))
    Traceback (most recent call last):
        ...
    ValueError: sample_weight is 0 in every labelled row
    """
    from sklearn.utils.validation import _check_sample_weight  # most jobs of the workflow need no scikit-learn

    weights = _check_sample_weight(sample_weight, np.empty((len(labeled), 1)), ensure_non_negative=True)
    if labeled.any() and not weights[labeled].any():
        raise ValueError("sample_weight is 0 in every labelled row")
    return weights


def refuse_missing(rows, what):
    """Raise if rows lack a value.

    Parameters
    ----------
    rows : ndarray of int
        Rows without it, counted from 0.
    what : str
        The value, such as "group".

    Raises
    ------
    DataError

    Examples
    --------
    >>> refuse_missing(np.array([4]), "group")
    Traceback (most recent call last):
        ...
    sslrank.core.errors.DataError: row 5 has no group (1 row in all). Give every row a group, or leave those rows out
    """
    if len(rows):
        raise DataError(
            f"row {rows[0] + 1} has no {what} ({counted(len(rows), 'row')} in all)",
            advice=f"Give every row a {what}, or leave those rows out",
        )


def _among(value, words):
    # Arrays compare by element, so only what can be a word is compared.
    return (value is None or isinstance(value, str | bool | np.bool_)) and value in words


def _join_or(*items):
    return ", ".join(items[:-1]) + (" or " if len(items) > 1 else "") + items[-1]
