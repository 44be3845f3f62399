"""A CSV of rankings or of scores, checked."""

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion
from sslrank.metrics.single import MEASURES

#: Columns of a CSV of rankings: those of the exchange format, and where a ranking belongs.
RANKINGS = ["dataset", "L", "mode", "fold", "ranking", "feature", "importance"]
#: Columns of a CSV of scores that have to be there.
SCORES = ["dataset", "L", "fold", "value"]
#: Optional columns; `submit_file` fills in missing ones.
OPTIONAL = ["mode", "ranking", "evaluator", "measure", "k"]
#: Measures that are not between 0 and 1, and what a score may be beyond its limits by rounding.
_LIMITS = {"rrmse": (0.0, np.inf), "coverage": (0.0, np.inf), "r2": (-np.inf, 1.0)}
_ROUNDING = 1e-9
_LARGEST = np.iinfo(np.int32).max  # of a fold or a k, as in the archive


def read_results(path):
    """Read a CSV of rankings or of scores, checked, indexed by line of the file from 0.

    It has one line per feature, with the columns :data:`RANKINGS`, or one per score, with the columns :data:`SCORES`
    and any of :data:`OPTIONAL`. Other columns are ignored, and so are blanks around a column's name. An empty value is
    a missing score and left out. A ranking without a name is "".
    """
    table = _texts(path)
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
        table = table.assign(ranking=table.get("ranking", ""))
        table = table[[name for name in (*SCORES, *OPTIONAL) if name in table]]
        table = table.assign(value=_numbers(table["value"], path, gaps=True))
        if "k" in table:
            table["k"] = _whole(table["k"], path, gaps=True)
    table["fold"] = _whole(table["fold"], path).astype(np.int64)
    check_twice(table, path)
    if ranked:
        return table
    if table["value"].isna().all():
        raise DataError("has no score: every value is empty or nan", file=path)
    return table[table["value"].notna()]


def _texts(path):
    """The file's values as texts, below the names of its first line."""
    try:
        # The first line is read like the others: pandas would rename a second column of the same name, and take the
        # first column for an index where lines have more values than names.
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
    twice = names[names.duplicated() & names.isin([*RANKINGS, *SCORES, *OPTIONAL])]
    if len(twice):
        raise DataError(f"has two columns {twice.iloc[0]!r}", file=path, line=1, advice="Remove or rename one of them")
    table = table.iloc[1:].fillna("").set_axis(names.to_list(), axis=1).reset_index(drop=True)
    return table[(table != "").any(axis=1)]


def line_of(wrong):
    """Number of the line of the first wrong row, by a mask with the index of :func:`read_results`."""
    return int(wrong.index[wrong.to_numpy(dtype=bool)][0]) + 2


def numbers_in_words(numbers):
    """Whole numbers in words: "0 to 9", or "20, 40"; of more than ten with gaps, the first ten."""
    numbers = sorted(map(int, numbers))
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers[:10])) + ", ..." * (len(numbers) > 10)


def check_range(table, path):
    """Raise a DataError that names the first score that its measure cannot have."""
    for measure, values in table.groupby("measure", sort=False)["value"]:
        low, high = measure_range(measure)
        wrong = ~values.between(low - _ROUNDING, high + _ROUNDING)
        if wrong.any():
            words = f"from {low:g} to {high:g}" if np.isfinite([low, high]).all() else f"at least {low:g}"
            words = words if np.isfinite(low) else f"at most {high:g}"
            problem = f"found {values[wrong].iloc[0]:g}; {measure} is {words}"
            advice = "Give it as a share, not in percent" if high == 1 and values.between(0, 100).all() else None
            raise DataError(problem, file=path, line=line_of(wrong), column="'value'", advice=advice)


def measure_range(name):
    """Return the smallest and the largest value of a measure.

    Parameters
    ----------
    name : str
        Its name in the archive, such as ``"f1_macro"`` or ``"rfa accuracy"``.

    Returns
    -------
    tuple of float
        Infinite where there is no limit, as for a measure that is not known.

    Examples
    --------
    >>> measure_range("accuracy"), measure_range("neighbors all r2"), measure_range("rrmse")
    ((0.0, 1.0), (-inf, 1.0), (0.0, inf))
    """
    base = name.split()[-1]
    if name.startswith("area"):
        return 0.0, 1.0
    if base not in MEASURES:
        return -np.inf, np.inf
    low, high = _LIMITS.get(base, (0.0, 1.0))
    if name.startswith("eca"):  # a mean difference of two curves
        return (low - high, high - low) if np.isfinite([low, high]).all() else (-np.inf, np.inf)
    return low, high


def _numbers(texts, path, gaps=False):
    found = pd.to_numeric(texts, errors="coerce").astype(np.float64)
    wrong = ~np.isfinite(found) & ~(gaps & texts.isin(["", "nan", "NaN", "NA"]))
    if wrong.any():
        raise _unexpected(texts, wrong, "a finite number" + (" or an empty cell" if gaps else ""), path)
    return found


def _whole(texts, path, gaps=False):
    found = _numbers(texts, path, gaps)
    wrong = found.notna() & ((found != found.round()) | ~found.between(0, _LARGEST))
    if wrong.any():
        raise _unexpected(texts, wrong, f"a whole number from 0 to {_LARGEST}", path)
    return found.astype("Int64")


def _unexpected(texts, wrong, expected, path):
    problem = f"found {texts[wrong].iloc[0]!r}, expected {expected}"
    return DataError(problem, file=path, line=line_of(wrong), column=repr(texts.name))


def check_twice(table, path):
    """Raise a DataError that names the first line that is about the same value as an earlier one."""
    keys = [name for name in table if name not in ("value", "importance")]
    if (twice := table.duplicated(keys)).any():
        group, line = table.groupby(keys, sort=False, dropna=False).ngroup(), line_of(twice)
        problem = f"has the same {', '.join(keys)} as line {line_of(group == group[line - 2])}"
        raise DataError(problem, file=path, line=line)


def refuse_unknown(table, column, known, path, what):
    """Raise a DataError that names the first line whose name in a column is not among the known ones."""
    wrong = ~table[column].isin(list(known))
    if wrong.any():
        name = str(table.loc[wrong, column].iloc[0])
        problem = f"{what} has no {column} {name!r}; {suggestion(name, known)}"
        raise DataError(problem, file=path, line=line_of(wrong), column=repr(column))
