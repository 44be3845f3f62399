"""Find rows of totals or means, as spreadsheets have below a table."""

import re

import numpy as np
import pandas as pd

_WORDS = re.compile(r"(grand |sub[ -]?)?totals?:?|(grand |sub)?sums?:?|means?:?|averages?:?|overall:?", re.IGNORECASE)
#: Of a small table many rows are near the mean. Words are names of rows only if few rows have them.
_FEWEST_ROWS, _RARE = 6, 0.05
#: A total agrees with the sum of the others up to this share, a mean up to this share of the range; each in at least so
#: many columns, and in this share of them. On 90 datasets of the catalogue (at most 1.5 million cells) rows of three
#: are taken for means: pageblocks, oes10, shuttle (at commit 18a775b1).
_OF_SUM, _OF_RANGE, _COLUMNS, _SHARE = 1e-3, 2e-3, (2, 3), 0.6


def rows_of_totals(frame):
    """Find rows that are named as totals or means, or are the sum or mean of the other rows.

    Parameters
    ----------
    frame : DataFrame
        float64 columns and categoricals.

    Returns
    -------
    dict of int to str
        The reason for each such row.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": [1.0, 5, 2, 8, 3, 19], "b": [2.0, 9, 4, 4, 1, 20]})
    >>> rows_of_totals(frame)
    {5: 'the sum of the other rows in 2 of 2 columns'}
    """
    n_rows, found = len(frame), {}
    if n_rows < _FEWEST_ROWS:
        return found
    for name, column in frame.items():
        if isinstance(column.dtype, pd.CategoricalDtype):
            words = [text for text in column.cat.categories if isinstance(text, str) and _WORDS.fullmatch(text.strip())]
            rows = np.flatnonzero(column.isin(words)) if words else ()
            if 0 < len(rows) <= max(1, _RARE * n_rows):
                found |= {int(row): f"{column.iloc[row]!r} in {name}" for row in rows}
    numbers = [column.to_numpy() for _, column in frame.items() if column.dtype == np.float64]
    numbers = [column for column in numbers if np.fmin.reduce(column) < np.fmax.reduce(column)]
    if not numbers:
        return found
    X = np.column_stack(numbers)
    known = ~np.isnan(X)
    counts, sums = known.sum(axis=0), np.nansum(X, axis=0)
    with np.errstate(all="ignore"):
        others = sums - X
        is_sum = np.abs(X - others) <= _OF_SUM * np.abs(others)
        ranges = np.nanmax(X, axis=0) - np.nanmin(X, axis=0)
        is_mean = np.abs(X - others / np.maximum(counts - 1, 1)) <= _OF_RANGE * ranges
    for word, agrees, fewest in (("sum", is_sum, _COLUMNS[0]), ("mean", is_mean, _COLUMNS[1])):
        n_agree, n_known = (agrees & known & (X != 0)).sum(axis=1), (known & (X != 0)).sum(axis=1)
        for row in np.flatnonzero((n_agree >= fewest) & (n_agree >= _SHARE * n_known)):
            found.setdefault(int(row), f"the {word} of the other rows in {n_agree[row]} of {n_known[row]} columns")
    return found
