"""Convert columns of an unambiguous form: check marks, dates, numbers with a unit, times of day, ordered levels."""

import re

import numpy as np
import pandas as pd

from sslrank.core.amounts import joint_unit, read_amounts
from sslrank.core.errors import DataError
from sslrank.core.frames import class_text, is_number
from sslrank.core.messages import listed, quoted
from sslrank.core.missing_words import MAY_MEAN_MISSING
from sslrank.tabular.schema.dates import is_date
from sslrank.tabular.schema.row_columns import date_order, time_values
from sslrank.tabular.schema.texts import NAME

#: At most this many different texts are categories, even if they look like numbers with units.
MAX_KINDS = 10
#: Name of the category of blanks.
BLANK = "(blank)"
#: What columns of dates are read as.
READ_DATES = "dates, read as days since"
#: What comes before the words that are read as missing.
MISSING_WHERE = ", missing where "
#: What ordered levels are read as.
ORDERED = "levels in an order"
_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?")
_YEAR = re.compile(r"(\d{4})-01-01(?:[ T]00:00(?::00(?:\.0+)?)?)?")


def convert_values(values, dates=None, scales=()):
    """Convert a column to the values that it means, if they are unambiguous.

    Parameters
    ----------
    values : ndarray of shape (n,), float64, or Categorical
    dates : {"day-first", "month-first"}, optional
        Order of day and month in dates, where it is not clear.
    scales : sequence of sequence of str
        Levels in their order: texts that are all in one are read as numbers.

    Returns
    -------
    values : ndarray of shape (n,), float64, or Categorical
        The same object if there is nothing to understand.
    text : str
        What the column is read as; empty if it is unchanged.

    Examples
    --------
    >>> convert_values(pd.Categorical(["x", None, "x"]))[1]
    "'x' or blank, read as two values"
    >>> convert_values(pd.Categorical([f"{i} mg" for i in range(12)]))[0][:3]
    array([0., 1., 2.])
    >>> convert_values(pd.Categorical(["2020-03-01", None, "2020-02-28"]))
    (array([ 2., nan,  0.]), 'dates, read as days since 2020-02-28')
    >>> convert_values(pd.Categorical(["high", "low"]), scales=[["low", "medium", "high"]])
    (array([2., 0.]), 'levels in an order, read as numbers from 0: low, medium, high')
    """
    if not isinstance(values, pd.Categorical):
        known_values = values[~np.isnan(values)]
        if not 0 < len(known_values) < len(values) or known_values.min() < known_values.max():
            return values, ""
        values = pd.Categorical(np.where(np.isnan(values), None, class_text(known_values[0])))
    if values.ordered and len(values.categories) > 2:
        return np.where(values.codes < 0, np.nan, values.codes), ordered_text(values.categories)
    codes = np.unique(values.codes[values.codes >= 0])
    texts = [str(text) for text in values.categories[codes]]
    if len(texts) == 1 and (values.codes < 0).any():
        marked = np.where(values.codes < 0, BLANK, texts[0])
        return pd.Categorical(marked, categories=[BLANK, texts[0]]), f"{quoted(texts[0])} or blank, read as two values"
    words = {text for text in texts if MAY_MEAN_MISSING.fullmatch(text.strip())}
    codes, texts = codes[[text not in words for text in texts]], [text for text in texts if text not in words]
    scale = next((list(scale) for scale in scales if texts and {*texts} <= {*scale}), None)
    read, text = (list(map(scale.index, texts)), ordered_text(scale)) if scale else _times_of(texts, dates)
    if read is None and len(texts) > MAX_KINDS:
        read, text = read_numbers(texts)
    if read is None:
        return values, text
    numbers = np.full(len(values.categories) + 1, np.nan)
    numbers[codes] = read
    text += f"{MISSING_WHERE}{listed(map(quoted, sorted(words)))}" if words else ""
    return numbers[values.codes], text  # code -1 takes the last one


def ordered_text(levels):
    """Write what ordered levels are read as."""
    return f"{ORDERED}, read as numbers from 0: {listed(levels)}"


def _times_of(texts, dates):
    """Read texts as times; return numbers and the kind of time, or None if one text is not clearly a time."""
    if not texts or not all(map(is_date, texts)):
        return None, ""
    if all(clocks := [_CLOCK.fullmatch(text) for text in texts]):
        hours = [int(match[1]) + int(match[2]) / 60 + float(match[3] or 0) / 3600 for match in clocks]
        return hours, "times of day or durations, read as numbers, 12:30 as 12.5"
    if all(years := [_YEAR.fullmatch(text) for text in texts]):
        return [float(match[1]) for match in years], "first days of years, read as numbers of years"
    try:
        days = time_values(pd.Series(texts), dates) / 86400
    except DataError:
        durations = pd.to_timedelta(pd.Series(texts), errors="coerce") / pd.Timedelta(days=1)
        return (None, "") if durations.isna().any() else (durations, "durations, read as days")
    order = date_order(pd.Series(texts))
    text = f"{READ_DATES} {pd.Timestamp(days.min(), unit='D'):%Y-%m-%d}"
    return days - days.min(), text if order is None else f"{text}, {order or dates}"


def read_numbers(texts):
    """Read texts as numbers; return them and what they are read as, or None if they are no numbers."""
    amounts = read_amounts(texts)[0]
    units = sorted({unit for _, unit in amounts})
    with_units = [text for text, (number, unit) in zip(texts, amounts, strict=True) if unit and is_number(number)]
    are_numbers = all(is_number(number) for number, _ in amounts)
    if not with_units or units == ["-"] or (2 * len(with_units) <= len(texts) and not are_numbers):
        return None, ""
    if not are_numbers:
        what = f"{quoted(with_units[0])} and others are numbers with other characters"
        return None, f"{what}, read as texts; write plain numbers"
    if len(units) > 1 and (unit := joint_unit(amounts)):
        return None, f"numbers, some with {quoted(unit)}, read as texts; --numeric if all are in {quoted(unit)}"
    if len(units) > 1:
        unit_names = listed(quoted(unit) if unit else "none" for unit in units)
        return None, f"numbers with different units ({unit_names}), read as texts; if amounts, write all in one unit"
    return [float(number) for number, _ in amounts], unit_text(units[0])


def unit_text(unit):
    """Write what numbers with a unit are read as."""
    return f"numbers with {quoted(unit)}, read as numbers"


def notes_on_values(texts):
    """Write notes on converted columns, with the option that undoes the conversion.

    Parameters
    ----------
    texts : dict of str to str
        By column, as :func:`convert_values` returns it.

    Returns
    -------
    list of str
    """
    columns = {}
    for name, text in texts.items():
        if text:
            columns.setdefault(text, []).append(name)
    notes = []
    for text, names in columns.items():
        back = "" if "read as texts" in text else "; --nominal if not"
        back = "; --drop leaves them out" if text.startswith(READ_DATES) else back
        notes.append(f"{listed(names, NAME)}: {text}{'; --drop if a blank means unknown' if 'blank' in text else back}")
    return notes
