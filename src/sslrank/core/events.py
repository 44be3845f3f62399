"""Read event indicators, in the codes and words that tables use."""

import numpy as np

from sslrank.core.errors import DataError
from sslrank.core.frames import class_text
from sslrank.core.messages import listed

#: Lower-case texts that mean yes, and that mean no.
_YES = {"1", "true", "yes", "y", "positive", "event", "dead", "died", "death", "deceased", "relapse", "failure"}
_NO = {"0", "false", "no", "n", "negative", "censored", "censor", "alive", "living", "none", "unlabelled", "unlabeled"}


def which_is_yes(values):
    """Find the affirmative one of at most two strings, such as "yes"; None if there is none.

    Parameters
    ----------
    values : sequence of str

    Returns
    -------
    str or None

    Examples
    --------
    >>> which_is_yes(["alive", "dead"]), which_is_yes(["1", "2"]), which_is_yes(["a", "b"])
    ('dead', '2', None)
    """
    values = sorted(values)
    if values == ["1", "2"]:  # as in R's survival package
        return "2"
    yes, no = ([value for value in values if value.strip().lower() in words] for words in (_YES, _NO))
    others = [value for value in values if value not in no]
    return yes[0] if len(yes) == 1 else others[0] if len(no) == 1 and len(others) == 1 else None


def event_values(column, of_interest=None):
    """Read whether the event happened in each row.

    Parameters
    ----------
    column : Series
        1 and 0, true and false, 2 and 1, or words such as dead and alive.
    of_interest : str, optional
        The event, as a text; rows with other events are censored then (cause-specific hazard).

    Returns
    -------
    ndarray of shape (n,), float64
        1 if it happened, 0 if the time is censored, NaN if unknown.

    Raises
    ------
    DataError
        If there are not two values, it is unclear which one is the event, or the event never happened.

    Examples
    --------
    >>> import pandas as pd
    >>> event_values(pd.Series(["dead", "alive", None], name="status"))
    array([ 1.,  0., nan])
    """
    texts = column.astype(object).map(class_text, na_action="ignore")
    values = sorted(texts.dropna().unique())
    if of_interest is not None:
        if of_interest not in values:
            raise DataError(f"no row has the event {of_interest!r}; its values are {listed(values)}")
        return np.where(texts.isna(), np.nan, texts == of_interest).astype(np.float64)
    if len(values) > 2:
        is_coded = all(value.isdigit() for value in values)
        problem = f"an event has two values, found {listed(values)}"
        if is_coded and len(values) <= 10:
            advice = f"Name one, such as event {column.name}={values[1]}: rows with the others are censored then"
            raise DataError(f"{problem}: competing events are not supported together", advice=advice)
        raise DataError(problem, advice="Name another column, of 1 (it happened) and 0 (censored)")
    happened = which_is_yes(values)
    if happened is None and len(values) == 2:
        advice = f"Write 1 for it and 0 for censored, or name it, such as event {column.name}={values[0]}"
        raise DataError(f"which of {listed(values)} is the event?", advice=advice)
    if happened is None:
        raise DataError("no row has the event: all times are censored")
    return np.where(texts.isna(), np.nan, texts == happened).astype(np.float64)
