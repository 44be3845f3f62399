"""Columns that describe rows instead of features: group, time and weight."""

import re
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from sslrank.core.amounts import read_amounts
from sslrank.core.errors import DataError, errors_in
from sslrank.core.events import event_values
from sslrank.core.frames import class_text, is_number
from sslrank.core.messages import quoted
from sslrank.core.validation import refuse_missing
from sslrank.tabular.schema.dates import dates_in_words, is_date

#: 31.12.2020, 31/12/2020, 12/31/2020 or 31.12.20, alone or before a time of day.
_DAY_FIRST = re.compile(r"\d{1,2}(?:([./-])\d{1,2}\1\d{4}|([./])\d{1,2}\2\d{2})\b.*")
#: Orders of day and month in dates such as 03/04/2020.
DATE_ORDERS = ("day-first", "month-first")


def group_codes(column, what="group", several="groups"):
    """Number the groups, or strata, of rows 0..k-1 in the order of their names.

    Parameters
    ----------
    column : Series
        One value per row, of any kind.
    what, several : str
        What they are called in messages.

    Returns
    -------
    ndarray of shape (n,), intp

    Raises
    ------
    DataError
        If a row has no group, or all rows have the same.

    Examples
    --------
    >>> import pandas as pd
    >>> group_codes(pd.Series(["ann", "bob", "ann"], name="patient"))
    array([0, 1, 0])
    """
    refuse_missing(np.flatnonzero(column.isna()), what)
    texts = column.astype(object).map(class_text)
    codes, names = pd.factorize(texts, sort=True)
    if len(names) == 1:
        raise DataError(f"all rows are in one {what}", advice=f"Leave the {several} out")
    return codes.astype(np.intp)


def time_values(column, dates=None):
    """Read the time of each row as a number that grows with time.

    Parameters
    ----------
    column : Series
        Numbers, dates, or texts that are dates: ISO 8601 (``2020-12-31``, ``2020-12-31 23:59``), or day, month and
        year if it is clear which part is the day.
    dates : {"day-first", "month-first"}, optional
        Order of day and month where it is not clear.

    Returns
    -------
    ndarray of shape (n,), float64
        Numbers unchanged; dates as seconds since 1970 (UTC).

    Raises
    ------
    DataError
        If a row has no time, a text is not a date, it is not clear which part is the day, or all times are equal.

    Examples
    --------
    >>> import pandas as pd
    >>> time_values(pd.Series(["1970-01-01", "1970-01-02"], name="visit"))
    array([    0., 86400.])
    """
    refuse_missing(np.flatnonzero(column.isna()), "time")
    values = column
    if isinstance(values.dtype, pd.CategoricalDtype) or not (
        pd.api.types.is_numeric_dtype(values.dtype) or values.dtype.kind in "mM"
    ):
        values = values.astype(object)
        are_texts = all(isinstance(value, str) for value in values)
        values = _parse_dates(values.str.strip(), dates) if are_texts else _infer(values)
    if isinstance(values.dtype, pd.PeriodDtype):
        values = values.dt.start_time
    if values.dtype.kind == "M":
        values = pd.to_datetime(values, utc=True) - pd.Timestamp(0, tz="UTC")
    if values.dtype.kind == "m":
        values = values.dt.total_seconds()
    seconds = values.to_numpy(dtype=np.float64)
    if not np.isfinite(seconds).all():
        raise DataError("a time is infinite")
    if len(seconds) and (seconds == seconds[0]).all():
        raise DataError("all rows have the same time", advice="Leave the time out, or say none")
    return seconds


def weight_values(column):
    """Read the weight of each row.

    Parameters
    ----------
    column : Series
        Numbers of at least 0.

    Returns
    -------
    ndarray of shape (n,), float64

    Raises
    ------
    DataError
        If a weight is missing, negative, infinite or not a number, or all are 0.

    Examples
    --------
    >>> import pandas as pd
    >>> weight_values(pd.Series([1, 0.5], name="w"))
    array([1. , 0.5])
    """
    weights = _amounts(column, "weight", "weights must be numbers", "weights are finite and at least 0")
    if not weights.any():
        raise DataError("all weights are 0")
    return weights


def entry_values(column):
    """Read the time from which each row is at risk: numbers of at least 0."""
    no_numbers = "times of entry must be numbers, as the follow-up times"
    return _amounts(column, "entry", no_numbers, "it is finite and at least 0")


def _amounts(column, what, no_numbers, rule):
    """Read finite numbers of at least 0, one for each row."""
    refuse_missing(np.flatnonzero(column.isna()), what)
    try:
        values = column.astype(object).to_numpy().astype(np.float64)
    except (TypeError, ValueError):
        raise DataError(no_numbers) from None
    if len(rows := np.flatnonzero(~np.isfinite(values) | (values < 0))):
        raise DataError(f"row {rows[0] + 1} has the {what} {values[rows[0]]:g}; {rule}")
    return values


def date_order(texts):
    """Find the order of day and month in dates with numbers of both and the year last, among others as 2020-12-31.

    Parameters
    ----------
    texts : Series of str

    Returns
    -------
    {"day-first", "month-first", ""} or None
        "" if it is not clear; None for other texts.

    Examples
    --------
    >>> [date_order(pd.Series([text])) for text in ("12/31/2020", "3.4.20", "3/4/2020", "2020-04-03")]
    ['month-first', 'day-first', '', None]
    """
    is_iso = texts.str.match(r"\d{4}-\d\d-\d\d")
    texts, iso = texts[~is_iso], texts[is_iso]
    if not len(texts) or not texts.map(lambda text: _DAY_FIRST.fullmatch(text) is not None).all():
        return None
    parts = texts.str.extract(r"(\d+)[./-](\d+)").astype(int)
    if len(iso) and (parts.min() > 12).any() and (iso.str[8:10].astype(int) <= 12).all():
        return ""  # a spreadsheet may have read these as dates with day and month exchanged, and the others as texts
    if (parts[1] > 12).any():
        return "month-first"
    return "day-first" if (parts[0] > 12).any() or texts.str.match(r"\d+\.").all() else ""  # dots are day first


def _parse_dates(texts, dates=None):
    are_days = texts.str.fullmatch("(19|20)[0-9]{6}").all()  # or a counter, of which few are days
    are_days = are_days and pd.to_datetime(texts, format="%Y%m%d", errors="coerce").notna().mean() > 0.5
    if not are_days and texts.map(is_number).all():
        return texts.astype(np.float64)
    read = pd.to_datetime(texts, format="ISO8601", errors="coerce", utc=True)
    others = texts[read.isna()]
    if others.empty:
        return read
    if (order := date_order(texts)) is not None:
        if not (order := order or dates):
            problem = f"{others.iloc[0]!r}: which part is the day, which the month?"
            advice = f"Write dates as 2020-12-31, or add --dates {DATE_ORDERS[0]} (in Python dates={DATE_ORDERS[0]!r})"
            raise DataError(problem, advice=advice)
        read[others.index] = pd.to_datetime(
            others, dayfirst=order == "day-first", format="mixed", errors="coerce", utc=True
        )
        if not read.isna().any():
            return read
    if (dates := dates_in_words(texts)) is not None:
        return dates
    amounts, is_clear = read_amounts(list(texts), units=False)  # with decimal commas
    if not are_days and is_clear and all(is_number(number) and not sign for number, sign in amounts):
        return pd.Series([float(number) for number, _ in amounts], texts.index)
    is_no_date = pd.to_datetime(texts, format="ISO8601", errors="coerce", utc=True).isna() & ~texts.map(is_date)
    is_neither = is_no_date & ~texts.map(is_number)
    not_a_date = texts.iloc[(is_neither if is_neither.any() else is_no_date).argmax()]
    way = ", or add --numeric if the commas belong to numbers" if re.fullmatch(r"[\d.]*,[\d.,]*", not_a_date) else ""
    raise DataError(f"{not_a_date!r} is not a date", advice=f"Write dates as 2020-12-31 or times as numbers{way}")


def _infer(values):
    """Convert a column of objects to numbers, dates or times."""
    inferred = values.infer_objects()
    if inferred.dtype == object:
        try:
            inferred = pd.to_datetime(inferred, utc=True)
        except (TypeError, ValueError):
            raise DataError(f"{quoted(values.iloc[0])} is neither a date nor a number") from None
    return inferred


#: Columns that describe rows: how they are read, and why they are not features.
ROW_COLUMNS = {
    "groups": (group_codes, "the groups of rows"),
    "time": (time_values, "the time of rows"),
    "strata": (partial(group_codes, what="stratum", several="strata"), "the strata of rows"),
    "weights": (weight_values, "the weights of rows"),
    "event": (event_values, "the event of the target"),
    "entry": (entry_values, "the time from which rows are at risk"),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class RowColumns:
    """Columns that describe rows.

    Attributes
    ----------
    groups : ndarray of shape (n,), intp, or None
        The group of each row (0..k-1), such as its patient; splits keep groups whole.
    time : ndarray of shape (n,), float64, or None
        Time of each row.
    strata : ndarray of shape (n,), intp, or None
        Stratum of each row, such as its centre; tests exchange rows within a stratum.
    weights : ndarray of shape (n,), float64, or None
        Weight of each row.
    event : ndarray of shape (n,), float64, or None
        1 if the event of the time happened, 0 if the time is censored, NaN if unknown.
    entry : ndarray of shape (n,), float64, or None
        Time from which a row is at risk of the event.
    """

    groups: np.ndarray | None = None
    time: np.ndarray | None = None
    strata: np.ndarray | None = None
    weights: np.ndarray | None = None
    event: np.ndarray | None = None
    entry: np.ndarray | None = None

    @classmethod
    def read(cls, columns, roles):
        """Read columns, a dict of Series by role; raises DataError if a value is invalid."""
        values, others = {}, {"event": roles.event_code, "time": roles.dates}
        for role, column in columns.items():
            with errors_in(column=repr(column.name)):
                values[role] = ROW_COLUMNS[role][0](column, *filter(None, [others.get(role)]))
        return cls(**values)

    def rows(self, index):
        """Select rows by an index array."""
        return RowColumns(**{role: None if values is None else values[index] for role, values in vars(self).items()})
