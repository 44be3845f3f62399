"""Texts that are dates, months, quarters, times of day or durations."""

import re

import pandas as pd

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_CLOCK = r"\d{1,3}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?"
_QUARTER = re.compile(r"(\d{4})[ -]?Q([1-4])|Q([1-4])[ -]?(\d{4})", re.IGNORECASE)
#: Numbers, month names, quarters, and durations as pandas writes them.
_DATE = re.compile(
    rf"\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}([ T].*)?|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}([ T].*)?"
    rf"|(?:1[5-9]|20)\d\d[-/](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])/(?:1[5-9]|20)\d\d"
    rf"|(?:[a-z]{{3,9}}\.?,? )?{_MONTH}[ -]\d{{1,2}}(?:st|nd|rd|th)?,?[ -]\d{{4}}(?: {_CLOCK})?"
    rf"|(?:[a-z]{{3,9}}\.?,? )?\d{{1,2}}(?:st|nd|rd|th)?[ -]{_MONTH},?[ -](?:\d{{4}}|\d\d)(?: {_CLOCK})?"
    rf"|\d{{4}}[ -]{_MONTH}(?:[ -]\d{{1,2}})?|{_MONTH},?[ -]\d{{4}}"
    rf"|{_QUARTER.pattern}|(?:-?\d+ days?,? ?)?[+-]?{_CLOCK}|-?\d+ days?",
    re.IGNORECASE,
)


def is_date(text):
    """Check if a text is a date, a month or a quarter of a year, a time of day, or a duration.

    Parameters
    ----------
    text : str

    Returns
    -------
    bool

    Examples
    --------
    >>> [text for text in ["Jan 1 2000", "1949-02", "1970 Q1", "12:30", "May", "2000", "B-12"] if is_date(text)]
    ['Jan 1 2000', '1949-02', '1970 Q1', '12:30']
    """
    return _DATE.fullmatch(text.strip()) is not None


def dates_in_words(texts):
    """Read dates with names of months, and quarters, which begin on their first day.

    Parameters
    ----------
    texts : Series of str

    Returns
    -------
    Series of datetime64, or None
        None if one of them is no such date.

    Examples
    --------
    >>> dates_in_words(pd.Series(["Q2 1970", "1971 Q1"])).dt.strftime("%Y-%m").tolist()
    ['1970-04', '1971-01']
    """
    quarters = [_QUARTER.fullmatch(text) for text in texts]
    if all(quarters):
        pairs = ((match[1] or match[4], match[2] or match[3]) for match in quarters)
        return pd.Series([pd.Timestamp(int(year), 3 * int(quarter) - 2, 1) for year, quarter in pairs])
    if not all(is_date(text) and re.search("[a-z]{3}", text, re.IGNORECASE) for text in texts):
        return None
    try:
        return pd.to_datetime(texts.str.replace(r"(?<=\d)(st|nd|rd|th)\b", "", regex=True), format="mixed", utc=True)
    except ValueError:
        return None
