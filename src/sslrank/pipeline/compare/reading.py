"""A CSV of rankings or of scores, checked."""

import numpy as np
import pandas as pd

from sslrank.errors import DataError
from sslrank.hints import suggestion

#: Columns of a CSV of rankings: those of the exchange format, and where a ranking belongs.
RANKINGS = ["dataset", "L", "mode", "fold", "ranking", "feature", "importance"]
#: Columns of a CSV of scores that have to be there.
SCORES = ["dataset", "L", "fold", "value"]
#: Those that may be there; what a missing one means is said where scores are matched.
OPTIONAL = ["mode", "ranking", "evaluator", "measure", "k"]
_TEXTS = dict.fromkeys(["dataset", "L", "mode", "ranking", "feature", "evaluator", "measure"], str)


def read_results(path):
    """Read a CSV of rankings or of scores.

    Parameters
    ----------
    path : path-like
        One line per feature, with the columns :data:`RANKINGS`, or one per score, with the columns :data:`SCORES`
        and any of :data:`OPTIONAL`. Other columns are ignored. An empty value is a missing score.

    Returns
    -------
    DataFrame
        Those columns, indexed by line of the file from 0; of scores, with `mode` and `ranking` in any case and without
        missing values. A ranking without a name is "".

    Raises
    ------
    DataError
        If columns are missing, a number is none, or a line is there twice.
    """
    try:
        table = pd.read_csv(path, dtype=_TEXTS, keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise DataError(f"is not a CSV file: {error}", file=path) from None
    ranked = "feature" in table
    missing = [name for name in (RANKINGS if ranked else SCORES) if name not in table]
    if missing:
        raise DataError(
            f"has no column {missing[0]!r}; its columns are {', '.join(map(str, table.columns))}",
            file=path,
            advice=f"Rankings have the columns {', '.join(RANKINGS)}; scores have {', '.join(SCORES)}, and may have "
            f"{', '.join(OPTIONAL)}",
        )
    if table.empty:
        raise DataError("has no line below the header", file=path)
    if ranked:
        table = table[RANKINGS]
        table = table.assign(importance=_numbers(table["importance"], path))
    else:
        table = table.assign(mode=table.get("mode", "ssl"), ranking=table.get("ranking", ""))
        table = table[[name for name in (*SCORES, *OPTIONAL) if name in table]]
        table = table.assign(value=_numbers(table["value"], path, gaps=True))
        if "k" in table:
            table["k"] = _whole(table["k"], path, gaps=True)
    table["fold"] = _whole(table["fold"], path).astype(np.int64)
    keys = [name for name in table if name not in ("value", "importance")]
    if (twice := table.duplicated(keys)).any():
        line = int(np.flatnonzero(twice)[0])
        first = int(np.flatnonzero((table[keys] == table.loc[line, keys]).all(axis=1))[0])
        raise DataError(f"has the same {', '.join(keys)} as line {first + 2}", file=path, line=line + 2)
    return table if ranked else table[table["value"].notna()]


def _numbers(column, path, gaps=False):
    texts = column.astype(str)
    found = pd.to_numeric(texts, errors="coerce")
    wrong = ~np.isfinite(found) & ~(gaps & texts.isin(["", "nan", "NaN", "NA"]))
    if wrong.any():
        line = int(np.flatnonzero(wrong)[0])
        expected = "a finite number" + (", or nothing," if gaps else "")
        raise DataError(
            f"{texts[line]!r} is there, {expected} is expected", file=path, line=line + 2, column=repr(column.name)
        )
    return found.astype(np.float64)


def _whole(column, path, gaps=False):
    found = _numbers(column, path, gaps)
    wrong = found.notna() & (found != found.round())
    if wrong.any():
        line = int(np.flatnonzero(wrong)[0])
        raise DataError(
            f"{str(column[line])!r} is there, a whole number is expected",
            file=path,
            line=line + 2,
            column=repr(column.name),
        )
    return found.astype("Int64")


def check_names(table, column, known, path, what):
    """Check that every name in a column is a known one.

    Raises
    ------
    DataError
        Naming the first line with another one.
    """
    wrong = ~table[column].isin(list(known))
    if wrong.any():
        line = int(np.flatnonzero(wrong)[0])
        raise DataError(
            f"{what} has no {column} {str(table[column].iloc[line])!r}; {suggestion(table[column].iloc[line], known)}",
            file=path,
            line=int(table.index[line]) + 2,
            column=repr(column),
        )
