"""Import the CSV of a method or an evaluator in another language.

The former, with the columns mode, fold, ranking, feature, importance, becomes the two tables of a ranking job; the
latter has the columns :data:`~.rankings_csv.SCORES`.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark.files import read_benchmark, stacked
from sslrank.benchmark.rankings import FILE_SCHEMA, SCHEMA, STATUS_COLUMNS, write_no_data, write_rankings
from sslrank.benchmark.steps import SplitJob
from sslrank.benchmark.steps.rankings_csv import SCORES, line_of, read_rankings
from sslrank.core.errors import DataError, NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits

COLUMNS = [field.name for field in SCHEMA]
_SCORED = ["L", "fold", "mode", "ranking"]
MODES = ("ssl", "sl")
#: Text that the rule of a method writes if the program `timeout` ended the command.
TIMEOUT = b"failed with exit code 124:"
LATE = "took longer than the limit of a fit (limits: fit) for each of its folds and modes"


class ImportJob(SplitJob):
    """Check the CSV files `sources` of a method, one for each of the `budgets`; write the two tables of a ranking job.

    `benchmarks` are Snakemake's of the method's jobs, for the seconds; `modes` are those of the study. The tables are
    `rankings` and `status`.
    """

    sources: list
    benchmarks: list
    budgets: list
    modes: list
    rankings: Path
    status: Path


def import_rankings_job(job: ImportJob):
    """Write the two tables.

    A fold and mode with a missing or invalid ranking gets the status "failed" with the reason. So do all folds if the
    file is not a rankings table, for example if it has the method's error message; the status is "timeout" if the
    program `timeout` ended the method.
    """
    try:
        features = set(Dataset.load(job.data).X.columns)
        folds = [fold.fold for fold in Splits.load(job.splits).folds]
    except NoDataError as error:
        write_no_data(job.budgets, job.modes, str(error), job.rankings, job.status)
        return
    files = zip(job.budgets, job.sources, job.benchmarks, strict=True)
    tables = [_import_budget(*each, features, folds, job.modes) for each in files]
    imported, fits = zip(*tables, strict=True)
    write_rankings(stacked(imported, FILE_SCHEMA.names), pd.concat(fits), job.rankings, job.status)


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


def import_scores(path, splits, rankings, budgets):
    """Return the scores of some L as :func:`sslrank.benchmark.scoring.score_rankings` yields them.

    `rankings` has the table of each L. Raises a DataError for the first line that is not about a ranking or repeats a
    score, and for a ranking without a score.
    """
    if not rankings:
        return []
    tables = [table.drop_duplicates(_SCORED[1:]).assign(L=budget)[_SCORED] for budget, table in rankings.items()]
    ranked = pd.MultiIndex.from_frame(pd.concat(tables))
    table = read_rankings(path, SCORES)
    scored = pd.MultiIndex.from_frame(table[_SCORED])
    problems = {
        "there is no such ranking: {}": pd.Series(~scored.isin(ranked), table.index),
        "the measure is here twice for this k: {}": table.duplicated([*_SCORED, "measure", "k"]),
    }
    for problem, wrong in problems.items():
        if wrong.any():
            words = ", ".join(f"{key} {value}" for key, value in table.loc[wrong, _SCORED].iloc[0].items())
            raise DataError(problem.format(words), file=path, line=line_of(wrong), column="'ranking'")
    lacking = [names for names in ranked if names[0] in budgets and names not in scored]
    if lacking:
        words = ", ".join(f"{key} {value}" for key, value in zip(_SCORED, lacking[0], strict=True))
        raise DataError(f"has no score of the ranking {words}", file=path)
    folds = {fold.fold: fold for fold in splits.folds}
    counts = [{"n_test": len(folds[fold].test), "n_labeled": len(folds[fold].labeled[L])} for L, fold, *_ in scored]
    rows = table.to_dict("records")
    return [row | count for row, count in zip(rows, counts, strict=True) if row["L"] in budgets]
