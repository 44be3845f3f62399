"""Find codes of missing values, such as -999, 99 or "unknown"."""

import shlex

import numpy as np
import pandas as pd

from sslrank.core.frames import class_text
from sslrank.core.messages import MAX_LISTED, counted
from sslrank.core.missing_words import MAY_MEAN_MISSING, MAY_MEAN_UNLABELED

#: Numbers that mean missing if no other value is near.
NINES = (9.0, 99.0, 999.0, 9999.0, 99999.0)
#: A repeated extreme value is a code of missing values if it is farther from the others than this many times their
#: range, and if there are at least this many different others.
_FAR, _FEWEST_OTHERS = 10, 5
_SCALE = 2.0**8


def find_missing_code(values, is_target=False):
    """Find a value that may be a code of missing values.

    Candidates are words such as "unknown" or "?", and numbers in at least two rows: -9, -99, ... if all others are at
    least 0; 99, 999, ... if all others are below half of it; and an extreme number far from all others.

    Parameters
    ----------
    values : ndarray of shape (n,), float64, or Categorical
    is_target : bool, default=False
        Also accept words such as "pending".

    Returns
    -------
    str
        The value and its number of rows; empty if none is found.

    Examples
    --------
    >>> find_missing_code(np.array([3.5, -99, 2, 7, -99]))
    '-99 in 2 rows'
    >>> find_missing_code(pd.Categorical(["ill", "well", "Unknown"]))
    'Unknown in 1 row'
    >>> find_missing_code(np.array([-99.0, -98, 12]))
    ''
    """
    if isinstance(values, pd.Categorical):
        texts = [text for text in values.categories if isinstance(text, str)]
        candidates = [text for text in texts if MAY_MEAN_MISSING.fullmatch(text.strip())]
        candidates += [text for text in texts if is_target and MAY_MEAN_UNLABELED.fullmatch(text.strip().lower())]
        counts = {text: int((values == text).sum()) for text in candidates}
        code = max(counts, key=counts.get, default=None)
        return f"{code} in {counted(counts[code], 'row')}" if code is not None and counts[code] else ""
    known_values = values[~np.isnan(values)]
    if not len(known_values):
        return ""
    low, high = known_values.min(), known_values.max()
    for code in (low, high):
        others = known_values[known_values != code]
        count = len(known_values) - len(others)
        if count < 2 or not len(others):
            continue
        is_far = others.min() >= 0 if code < 0 else others.max() < code / 2
        is_code = abs(code) in NINES and code != 9 and is_far
        if is_code or _is_isolated(code, others):
            return f"{class_text(code)} in {count} rows"
    return ""


def _is_isolated(code, others):
    """Check if an extreme value is far from all others."""
    values = np.unique(others)
    if len(values) < _FEWEST_OTHERS:
        return False
    spread = values[-1] / _SCALE - values[0] / _SCALE  # of the largest numbers it would overflow
    return min(abs(code / _SCALE - value / _SCALE) for value in values[[0, -1]]) > _FAR * spread


def missing_codes_note(codes):
    """Write the note about columns with values that may mean missing.

    Parameters
    ----------
    codes : dict of str to str
        By column, as :func:`find_missing_code` returns them.

    Returns
    -------
    str
    """
    examples = ", ".join(f"{name} ({code})" for name, code in list(codes.items())[:MAX_LISTED])
    more = f", ... ({len(codes)} in all)" if len(codes) > MAX_LISTED else ""
    return f"values that may mean missing: {examples}{more}"


def missing_codes_advice(codes, features):
    """Name the options that read the values of :func:`missing_codes_note` as missing.

    Parameters
    ----------
    codes : dict of str to str
    features : collection of str
        Columns that are no targets.

    Returns
    -------
    str
    """
    values = {name: code.rpartition(" in ")[0] for name, code in codes.items()}
    of_features = dict.fromkeys(value for name, value in values.items() if name in features)
    options = [f"--reader missing={shlex.quote(','.join(of_features))}"] if of_features else []
    options += [f"--unlabeled={shlex.quote(value)}" for name, value in values.items() if name not in features]
    return f"if so: {' '.join(options)} (in Python NaN)"
