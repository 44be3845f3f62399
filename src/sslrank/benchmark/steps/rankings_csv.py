"""Read and check a CSV of rankings (of a method in another language, or for ``sslrank compare``), or of scores.

The step of the same name writes rankings as such a CSV, for evaluators in other languages.
"""

from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark.files import read_parquet
from sslrank.benchmark.steps import Job
from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion

#: Columns of the CSV: those of the exchange format, and those that identify a ranking.
RANKINGS = ["dataset", "L", "mode", "fold", "ranking", "feature", "importance"]
#: Columns of a CSV of scores.
SCORES = ["L", "fold", "mode", "ranking", "measure", "k", "value"]
_MAX_FOLD = np.iinfo(np.int32).max  # of a fold, as in the archive
_WHOLE = f"a whole number from 0 to {_MAX_FOLD}"
#: What columns of numbers have; "nothing" is an empty value or NaN.
_NUMBERS = {
    "importance": "a finite number",
    "fold": _WHOLE,
    "k": f"{_WHOLE} or nothing",
    "value": "a number or nothing",
}


class CsvJob(Job):
    """Write the rankings of a method, Parquet, as CSV with the columns L, mode, fold, ranking, feature, importance."""

    rankings: Path
    exported: Path


def rankings_csv_job(job: CsvJob):
    """Write the CSV."""
    read_parquet(job.rankings).to_csv(job.exported, index=False)


def read_rankings(path, columns=RANKINGS):
    """Read and check a CSV with columns of :data:`RANKINGS` or :data:`SCORES`; the index is the line from 0.

    Other columns, and blanks around a column's name, are ignored. The default of the column mode is "ssl".
    """
    table = _texts(path, columns)
    if "mode" not in table:
        table = table.assign(mode="ssl")
    if missing := [name for name in columns if name not in table]:
        with open(path, encoding="utf-8-sig") as lines:
            start = " ".join(line.strip() for line in islice(lines, 2))[:200]
        problem = f"has no column {missing[0]!r}; it starts with: {start}"
        raise DataError(problem, file=path, advice=f"The columns are {', '.join(columns)}")
    if table.empty:
        raise DataError("has no line below the header", file=path)
    table, numbers = table[columns], {}
    for name, kind in _NUMBERS.items():
        if name not in columns:
            continue
        number = numbers[name] = pd.to_numeric(table[name], errors="coerce").astype(np.float64)
        right = number.between(0, _MAX_FOLD) & (number == number.round()) if _WHOLE in kind else np.isfinite(number)
        wrong = ~(right | (kind.endswith("nothing") & table[name].str.lower().isin(["", "nan"])))
        if wrong.any():
            problem = f"found {table.loc[wrong, name].iloc[0]!r}, expected {kind}"
            raise DataError(problem, file=path, line=line_of(wrong), column=repr(name))
    return table.assign(**numbers).astype({"fold": np.int64})


def _texts(path, columns):
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
    twice = names[names.duplicated() & names.isin(columns)]
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
