"""Read and write the workflow's files, with placeholders for files that could not be computed."""

import contextlib
import json
from pathlib import Path

import pandas as pd

from sslrank.core.errors import DataError

COLUMN_TYPES = dict.fromkeys(("L", "dataset", "method", "ranking", "message", "details"), str) | {"k": "Int64"}
#: Columns of the tidy scores. `k` is the number of neighbours or features a measure
#: belongs to; `n_labeled` counts the labelled training rows, which L only asks for.
SCORE_COLUMNS = [
    *("study", "dataset", "task", "method", "ranking", "mode", "L", "fold"),
    *("evaluator", "measure", "k", "value", "n_test", "n_labeled"),
]
#: Columns of the status of a scoring job; status is "ok", "failed", "timeout" or "no data".
SCORING_COLUMNS = ["status", "seconds", "message"]


@contextlib.contextmanager
def readable(path):
    """Turn read errors into one that names the damaged file and the remedy."""
    try:
        yield path
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        advice = f"{_removal(Path(path))}, and run the same command again, which recreates it"
        raise DataError(f"cannot be read ({' '.join(str(error).split())})", file=path, advice=advice) from None


def _removal(path):
    """Return the advice how to remove a damaged file: a ranking with what is made of it."""
    *folder, kind, dataset, name = ("", "", *path.parts)
    if kind != "rankings":
        return "Delete it"
    return f"Run: sslrank rerun {Path(*folder)} --dataset {dataset} --method {name.removesuffix('.parquet')}"


def read_table(path):
    """Read a tidy CSV; label budgets and texts stay text. Errors name a damaged file, as in the next two functions."""
    with readable(path):
        return pd.read_csv(path, dtype=COLUMN_TYPES)


def read_parquet(path):
    """Read a Parquet file of the results."""
    with readable(path):
        return pd.read_parquet(path)


def read_json(path):
    """Read a JSON file of the results."""
    with readable(path):
        return json.loads(Path(path).read_text(encoding="utf-8"))


def stacked(tables, columns):
    """Concatenate tables with these columns, except empty ones, whose columns have no type."""
    tables = [table for table in tables if len(table)]
    return pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)


def read_benchmark(path):
    """Read the means of a job's benchmark file by name; empty if a crash left it incomplete."""
    try:
        return pd.read_csv(path, sep="\t").mean(numeric_only=True).to_dict()
    except (FileNotFoundError, ValueError):
        return {}


def write_problem(path, problem):
    """Write the reason instead of a JSON file that could not be computed; readers raise it as NoDataError."""
    Path(path).write_text(json.dumps({"problem": problem}) + "\n", encoding="utf-8")


def note_failure(path, problem):
    """Add a line to the failures of a step, unless the problem is ""; the next run tries it again."""
    with Path(path).open("a", encoding="utf-8") as stream:
        stream.write(f"{' '.join(problem.split())}\n" if problem else "")


def count_failures(path):
    """Count the failures of a step."""
    path = Path(path)
    return len(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else 0
