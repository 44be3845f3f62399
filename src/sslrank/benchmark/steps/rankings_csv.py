"""Read and check a CSV of rankings: of a method in another language, or for ``sslrank compare``."""

from itertools import islice

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion

#: Columns of the CSV: those of the exchange format, and those that identify a ranking.
RANKINGS = ["dataset", "L", "mode", "fold", "ranking", "feature", "importance"]
_MAX_FOLD = np.iinfo(np.int32).max  # of a fold, as in the archive


def read_rankings(path, columns=RANKINGS):
    """Read and check a CSV of rankings with these columns of :data:`RANKINGS`; the index is the line from 0.

    Other columns, and blanks around a column's name, are ignored. The default of the column mode is "ssl".
    """
    table = _texts(path)
    if "mode" not in table:
        table = table.assign(mode="ssl")
    if missing := [name for name in columns if name not in table]:
        with open(path, encoding="utf-8-sig") as lines:
            start = " ".join(line.strip() for line in islice(lines, 2))[:200]
        problem = f"has no column {missing[0]!r}; it starts with: {start}"
        raise DataError(problem, file=path, advice=f"Rankings have the columns {', '.join(columns)}")
    if table.empty:
        raise DataError("has no line below the header", file=path)
    table = table[columns]
    numbers = {name: pd.to_numeric(table[name], errors="coerce").astype(np.float64) for name in ("importance", "fold")}
    fold = numbers["fold"]
    expected = {
        "importance": ("a finite number", ~np.isfinite(numbers["importance"])),
        "fold": (f"a whole number from 0 to {_MAX_FOLD}", (fold != fold.round()) | ~fold.between(0, _MAX_FOLD)),
    }
    for name, (kind, wrong) in expected.items():
        if wrong.any():
            problem = f"found {table.loc[wrong, name].iloc[0]!r}, expected {kind}"
            raise DataError(problem, file=path, line=line_of(wrong), column=repr(name))
    return table.assign(importance=numbers["importance"], fold=fold.astype(np.int64))


def _texts(path):
    """Read the values as texts, with the names of the first line as columns."""
    try:
        # The first line is read as data, because pandas renames duplicate columns, and uses the first column as an
        # index if lines have more values than names.
        table = pd.read_csv(
            path, header=None, dtype=str, keep_default_na=False, skip_blank_lines=False, encoding="utf-8-sig"
        )
    except FileNotFoundError:
        raise DataError("there is no such file", file=path) from None
    except pd.errors.EmptyDataError:
        raise DataError("is empty, or begins with an empty line", file=path) from None
    except (pd.errors.ParserError, UnicodeDecodeError) as error:
        raise DataError(f"is not a CSV file: {str(error).strip()}", file=path) from None
    names = table.iloc[0].str.strip()
    twice = names[names.duplicated() & names.isin(RANKINGS)]
    if len(twice):
        raise DataError(f"has two columns {twice.iloc[0]!r}", file=path, line=1, advice="Remove or rename one of them")
    table = table.iloc[1:].fillna("").set_axis(names.to_list(), axis=1).reset_index(drop=True)
    return table[(table != "").any(axis=1)]


def line_of(wrong):
    """Return the line of the first row marked by a mask with the index of :func:`read_rankings`."""
    return int(wrong.index[wrong.to_numpy(dtype=bool)][0]) + 2


def refuse_unknown(table, column, known, path, study):
    """Raise a DataError with the first line whose name in a column is not in the study."""
    wrong = ~table[column].isin(list(known))
    if wrong.any():
        name = str(table.loc[wrong, column].iloc[0])
        problem = f"the study {study} has no {column} {name!r}; {suggestion(name, known)}"
        raise DataError(problem, file=path, line=line_of(wrong), column=repr(column))
