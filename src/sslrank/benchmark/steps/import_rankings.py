"""Import the CSV of a method in another language into the two tables of a ranking job.

Its columns are mode, fold, ranking, feature, importance.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark.files import read_benchmark, stacked
from sslrank.benchmark.rankings import FILE_SCHEMA, SCHEMA, STATUS_COLUMNS, write_no_data, write_rankings
from sslrank.benchmark.steps.rankings_csv import read_rankings
from sslrank.core.errors import DataError, NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits

COLUMNS = [field.name for field in SCHEMA]
MODES = ("ssl", "sl")
#: Text that the rule of a method writes if the program `timeout` ended the command.
TIMEOUT = b"failed with exit code 124:"
LATE = "took longer than the limit of a fit (limits: fit) for each of its folds and modes"


def import_rankings_job(*, data, splits, sources, benchmarks, budgets, modes, rankings, status):
    """Check the CSV files `sources` of a method, one for each of the `budgets`; write the two tables of a ranking job.

    `benchmarks` are Snakemake's of the method's jobs, for the seconds; `modes` are those of the study. The tables are
    `rankings` and `status`.

    A fold and mode with a missing or invalid ranking gets the status "failed" with the reason. So do all folds if the
    file is not a rankings table, for example if it has the method's error message; the status is "timeout" if the
    program `timeout` ended the method.
    """
    try:
        features = set(Dataset.load(data).X.columns)
        folds = [fold.fold for fold in Splits.load(splits).folds]
    except NoDataError as error:
        write_no_data(budgets, modes, str(error), rankings, status)
        return
    files = zip(budgets, sources, benchmarks, strict=True)
    tables = [_import_budget(*each, features, folds, modes) for each in files]
    imported, fits = zip(*tables, strict=True)
    write_rankings(stacked(imported, FILE_SCHEMA.names), pd.concat(fits), rankings, status)


def _import_budget(budget, source, benchmark, features, folds, modes):
    """Return rankings and status of one L."""
    seconds = read_benchmark(benchmark).get("s", float("nan")) / max(len(folds) * len(modes), 1)
    table, problem = _read(source)
    good, rows = [], []
    for mode in modes:
        for fold in folds:
            row = {"mode": mode, "fold": fold, "status": "ok", "seconds": seconds, "message": "", "details": "{}"}
            message = problem
            if not problem:
                part = table[(table["mode"] == mode) & (table["fold"] == fold)]
                message = check_ranking(part, features)
                if not message:
                    good.append(part)
            if message:
                row |= {"status": "timeout" if problem == LATE else "failed", "message": message}
            rows.append(row)
    rankings = pd.concat(good, ignore_index=True) if good else pd.DataFrame(columns=COLUMNS)
    return rankings.astype({"fold": np.int32}).assign(L=budget), pd.DataFrame(rows)[STATUS_COLUMNS].assign(L=budget)


def _read(source):
    if Path(source).read_bytes().startswith(TIMEOUT):
        return None, LATE
    try:
        table = read_rankings(source, COLUMNS)
    except DataError as error:
        return None, str(error)
    unknown_modes = sorted(set(table["mode"]) - set(MODES))
    if unknown_modes:
        return None, f"{source}: mode {unknown_modes[0]!r} is none of {', '.join(MODES)}"
    return table, ""


def check_ranking(part, features):
    """Return the first problem of the rankings of a fold and mode; "" if each has every feature once."""
    if part.empty:
        return "the method gave no ranking for this fold and mode"
    for key, ranking in part.groupby("ranking"):
        names = set(ranking["feature"])
        if len(names) < len(ranking):
            return f"ranking {key!r} has a feature twice"
        if names != features:
            unknown = sorted(names - features)
            if unknown:
                return f"ranking {key!r} has the unknown feature {unknown[0]!r}"
            return f"ranking {key!r} lacks the feature {sorted(features - names)[0]!r}"
    return ""
