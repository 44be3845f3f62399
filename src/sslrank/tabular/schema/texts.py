"""Notes on columns of strings that may have been misread, and rows of totals."""

import re

import numpy as np
import pandas as pd

from sslrank.core.messages import listed, quoted
from sslrank.core.missing_words import TOTALS
from sslrank.core.target_columns import spellings

#: Characters of a name in lines about how the table is understood.
NAME = 30
#: Categories of a column that are looked at.
_LOOKED_AT = 1000
#: Words with several spellings that are named.
_SPELLINGS = 2
#: Codes such as those of countries that a column has at least.
_CODES = 2


#: Names that spreadsheets turn into dates: MAR1, 5-10, 2/3.
_DATED = re.compile(r"\d{1,2}-[A-Z][a-z]{2}(-\d{2})?|[A-Z][a-z]{2}-\d{2}|\d{4}-\d\d-\d\d( 00:00:00)?")
_COUNTRY = re.compile("[A-Z]{2}")
#: Words are names of totals only if at most this share of the rows has them.
_RARE = 0.05


def notes_on_texts(frame, asked=()):
    """Note names and texts that a spreadsheet may have changed, and spellings that differ in case or blanks.

    Parameters
    ----------
    frame : DataFrame
        Columns of texts are categoricals.
    asked : collection of str
        Columns that are not features, or whose kind the user gave.

    Returns
    -------
    list of str

    Examples
    --------
    >>> notes_on_texts(pd.DataFrame({"ill": pd.Categorical(["yes", "Yes", "no"])}))
    ["ill: 'Yes' and 'yes' are different categories; use one spelling if they mean the same"]
    """
    dated = [str(name) for name in frame.columns if _DATED.fullmatch(str(name))]
    notes = []
    if dated and 2 * len(dated) < frame.shape[1]:
        notes.append(f"{listed(dated)}: names of columns that a spreadsheet may have turned into dates; rename them")
    for name, kind in frame.dtypes.items():
        if name in asked or not isinstance(kind, pd.CategoricalDtype):
            continue
        occurring = kind.categories[pd.unique(frame[name].cat.codes[frame[name].cat.codes >= 0])]
        texts = sorted(text for text in occurring[:_LOOKED_AT] if isinstance(text, str))
        mixed = [text for text in texts if _DATED.fullmatch(text)]
        if mixed and 2 * len(mixed) < len(texts):
            notes.append(f"{name}: {quoted(mixed[0])} and others may be texts that a spreadsheet turned into dates")
        if len(texts) >= _CODES and all(map(_COUNTRY.fullmatch, texts)) and frame[name].isna().any():
            notes.append(
                f"{name}: codes of two letters, and {int(frame[name].isna().sum())} rows without; if NA is a code, "
                "--reader not_missing=NA (pandas: keep_default_na=False)"
            )
        spelling_groups = spellings(texts)
        if spelling_groups and len(texts) <= _LOOKED_AT // 2:
            examples = "; ".join(" and ".join(map(quoted, group)) for group in spelling_groups[:_SPELLINGS])
            more = f"; {len(spelling_groups) - _SPELLINGS} more" if len(spelling_groups) > _SPELLINGS else ""
            notes.append(f"{name}: {examples}{more} are different categories; use one spelling if they mean the same")
    return notes


def rows_of_totals(frame):
    """Find rows that are named as totals or means, as spreadsheets have them below a table.

    Parameters
    ----------
    frame : DataFrame
        Columns of texts are categoricals.

    Returns
    -------
    dict of int to str
        The name of each such row, and its column.

    Examples
    --------
    >>> rows_of_totals(pd.DataFrame({"plot": pd.Categorical(["p", "q", "Total"])}))
    {2: "'Total' in plot"}
    """
    totals = {}
    for name, column in frame.select_dtypes("category").items():
        words = [text for text in column.cat.categories if isinstance(text, str) and TOTALS.fullmatch(text.strip())]
        rows = np.flatnonzero(column.isin(words)) if words else ()
        if 0 < len(rows) <= max(1, _RARE * len(frame)):
            totals |= {int(row): f"{column.iloc[row]!r} in {name}" for row in rows}
    return totals
