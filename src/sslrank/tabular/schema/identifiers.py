"""Recognise columns that identify rows or groups of rows, or have their time."""

import re

import numpy as np
import pandas as pd

from sslrank.core.target_columns import FEW_CLASSES

#: Rows needed to call a column an identifier because its values are all different. With this and the next ones,
#: precision .92 and recall .70 on 147 public tables (tests/measurements/README.md, "Choices that were measured").
MIN_ROWS = 10
#: Fewest groups of a panel: fewer are probably levels of a design.
MIN_GROUPS = 5
#: Least share of the pairs of group and time that occur in a panel.
_FILLED = 0.9
#: Range of integers that are calendar years if they count up.
_YEARS = 1500, 2100

_UNITS = (
    "animal|case|child|chick|client|commune|company|country|county|customer|cluster|district|dog|employee|family|"
    "firm|hospital|household|hh|house|individual|inst|institution|litter|mouse|obs|observation|org|participant|patient|"
    "person|player|plant|plot|prov|provider|pupil|rat|record|respondent|row|sample|sch|school|seq|site|state|station|"
    "store|student|subject|subj|team|town|tree|unit|user|vill|village"
)
_ID = r"i\.?d|ids|idno|idnr|identifier|nr|pid|sid|uid|uuid|seqn"
#: Names of numbers that identify rows or units of rows; a unit with few different values may be a class.
_NUMBERED = re.compile(
    rf"(.*[ _.-])?({_ID}|({_UNITS})[ _.-]?({_ID}|no|num|number|code|fip|fips))|(?-i:.*[a-z]I[dD])", re.IGNORECASE
)
_UNIT = re.compile(_UNITS, re.IGNORECASE)
#: Names of columns that identify rows if all values differ; the last two are those of a first column without a name.
_IDENTIFIER = re.compile(
    r"(.*[ _.-])?(index|idx|rowid|rownames?|row[ _.]names?|key|no|number)|column 1|unnamed: 0", re.IGNORECASE
)
#: Names of columns with the batch of each row; the design of an experiment, not what is measured.
_BATCH = re.compile(r"(.*[ _.-])?(batch|block|cent(er|re)|cohort|lab|lane|plate|site)(es|s)?([ _.-].*)?", re.IGNORECASE)
#: Names of columns with the time of each row.
_TIME = re.compile(
    r"(.*[ _.-])?(yr|year|time|period|date|day|month|week|wave|visit|quarter|occasion|hour|hr|session|round|t)s?"
    r"([ _.-].*)?",
    re.IGNORECASE,
)


def is_whole(values):
    """Check if all known numbers are whole.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Without NaN.

    Returns
    -------
    bool
    """
    return bool((values[:100] == np.floor(values[:100])).all() and (values == np.floor(values)).all())


def counts_rows(name, numbers):
    """Check if whole numbers count the rows: each is one more than the last, and they are not calendar years.

    Parameters
    ----------
    name : str
    numbers : ndarray of shape (n,)
        Whole numbers.

    Returns
    -------
    bool

    Examples
    --------
    >>> counts_rows("row", np.arange(1, 31)), counts_rows("YEAR", np.arange(1950, 1980))
    (True, False)
    """
    are_years = _YEARS[0] <= numbers.min() and numbers.max() <= _YEARS[1] and not names_units(name)
    return not are_years and bool((np.diff(numbers) == 1).all())


def names_units(name):
    """Check if a column name suggests an identifier of rows or of groups of rows.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> [name for name in ("id", "schoolID", "patient_no", "lipid", "bid", "age") if names_units(name)]
    ['id', 'schoolID', 'patient_no']
    """
    return _NUMBERED.fullmatch(name) is not None or _UNIT.fullmatch(name) is not None


def names_batches(name):
    """Check if a column name suggests batches of rows, such as plates or centres."""
    return _BATCH.fullmatch(name) is not None


def identifies_rows(name, numbers):
    """Check if a column is named like an identifier, and whole numbers are all different or count in each part again.

    Parameters
    ----------
    name : str
    numbers : ndarray of shape (n,)
        Whole numbers.

    Returns
    -------
    bool
    """
    if len(np.unique(numbers)) == len(numbers):
        return names_units(name) or _IDENTIFIER.fullmatch(name) is not None
    counts = (np.diff(numbers) == 1) | (numbers[1:] == numbers[0])
    return bool(name.lower().endswith(("index", "idx")) and counts.all() and numbers.max() > numbers[0] + FEW_CLASSES)


def repeated_identifiers(columns):
    """Find columns that identify the person, firm or other unit of each row.

    These are whole numbers in a column named like an identifier, and in panel data numbers or strings with at least
    :data:`MIN_GROUPS` values and one row for each value and time.

    Parameters
    ----------
    columns : dict of str to ndarray or Categorical
        Columns of a table, missing values as NaN.

    Returns
    -------
    dict of str to ndarray of shape (n,), intp
        By name, the number of the distinct value of each row, -1 where it is missing.

    Examples
    --------
    >>> columns = {"who": np.repeat(np.arange(6.0), 3), "visit": np.tile([1.0, 2, 3], 6), "x": np.arange(18) / 7}
    >>> list(repeated_identifiers(columns))
    ['who']
    """
    times = [pd.factorize(values)[0] for name, values in columns.items() if _TIME.fullmatch(name)]
    identifiers = {}
    for name, values in columns.items():
        is_number = not isinstance(values, pd.Categorical)
        is_named = names_units(name) if is_number else name[-2:].lower() == "id" and bool(_NUMBERED.fullmatch(name))
        if _TIME.fullmatch(name) or not (is_named or times):
            continue
        codes = _codes(values)
        n_known = 0 if codes is None else int((codes >= 0).sum())
        n_groups = int(codes.max()) + 1 if n_known else 0
        if n_known < MIN_ROWS or not 2 < n_groups < n_known:
            continue
        is_unit = is_named and _NUMBERED.fullmatch(name) is not None
        if is_named and not is_unit:  # numbers from 0 on that differ in frequency are counts, such as years at school
            largest = np.bincount(codes[codes >= 0]).max()
            is_unit = n_groups > FEW_CLASSES and (np.nanmin(values) > 0 or largest <= 2 * n_known / n_groups)
        if is_unit or (n_groups >= MIN_GROUPS and any(_is_panel(codes, n_groups, time) for time in times)):
            identifiers[name] = codes
    return identifiers


def named_groups(columns):
    """Find strings that name the unit of each row, such as its village, as :func:`repeated_identifiers` for numbers."""
    groups = {}
    for name, values in columns.items():
        last_word = re.split("[ _.-]", name)[-1]  # a number such as persons_house may be a measure, a text is a name
        if isinstance(values, pd.Categorical) and (names_units(name) or names_units(last_word)):
            codes = _codes(values)
            n_known, n_groups = int((codes >= 0).sum()), int(codes.max(initial=-1)) + 1
            if n_known >= MIN_ROWS and FEW_CLASSES < n_groups <= n_known / 2:
                groups[name] = codes
    return groups


def column_of_order(columns, dates=frozenset()):
    """Find the column of times or dates by which the rows are sorted.

    Parameters
    ----------
    columns : dict of str to ndarray or Categorical
        Columns of a table, missing values as NaN.
    dates : set of str
        Those that were dates.

    Returns
    -------
    str
        Its name; empty if no such column has at least :data:`MIN_GROUPS` different times.

    Examples
    --------
    >>> column_of_order({"x": np.arange(9) % 2, "year": np.repeat(np.arange(2001.0, 2010), 2)})
    'year'
    """
    for name, values in columns.items():
        if isinstance(values, pd.Categorical) or not (name in dates or _TIME.fullmatch(name)):
            continue
        if np.isnan(values).any() or len(np.unique(values)) < MIN_GROUPS:
            continue
        steps = np.diff(values)
        if (steps >= 0).all() or (steps <= 0).all():
            return name
    return ""


def _codes(values):
    """Number the distinct values of the rows, -1 where missing; None for fractions."""
    is_code = isinstance(values, pd.Categorical) or is_whole(values[~np.isnan(values)])
    return pd.factorize(values)[0] if is_code else None


def _is_panel(codes, n_groups, time):
    """Check if nearly every pair of a group and a time occurs in one row only."""
    n_times = int(time.max(initial=-1)) + 1
    if n_times < 2 or n_groups > len(codes) / 2 or len(codes) < _FILLED * n_groups * n_times:
        return False
    return min(codes.min(), time.min()) >= 0 and len(np.unique(codes * n_times + time)) == len(codes)
