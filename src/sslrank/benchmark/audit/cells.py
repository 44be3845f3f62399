"""Recompute a cell of the archive, all folds of a (dataset, method, L), or a part of an experiment, and compare it."""

from dataclasses import replace

import numpy as np
import pandas as pd

from sslrank.benchmark.archive import verified
from sslrank.benchmark.archive.finished_jobs import table_facts
from sslrank.benchmark.archive.ranking_summaries import best_first, digests, summarize_table
from sslrank.benchmark.archive.record import job_name, part_tables
from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.scoring import evaluate_rankings
from sslrank.benchmark.steps.experiment_part import compute_part
from sslrank.benchmark.steps.splits import archived_splits
from sslrank.core.extras import MissingExtraError

_SCORE = ["fold", "mode", "ranking", "evaluator", "measure", "k", "n_test", "n_labeled"]
_RANKING = ["mode", "ranking"]


def recompute_cell(record, budget, data, *, code=None, folds=None):
    """Recompute the results of a record for one L, and compare them; return a row of `verified.COLUMNS`.

    `data` is the folder of the prepared dataset. `verdict` is described in :mod:`sslrank.benchmark.archive.verified`;
    for "different", `difference` names what differs: data, facts, splits, status, ranking, features, stability or
    scores. Fits that timed out are not repeated. With some of the `folds`, what needs all of them is not compared: best
    features with their means, and stability. `code` has the current digests by job, as in a record's provenance; jobs
    with others are listed in `other_code`.
    """
    spec = record.spec
    parts = {name: part[part["L"] == budget] if "L" in part else part for name, part in record.parts.items()}
    jobs = {f"ranking {budget}"} | {f"scores {name}" for name in spec["evaluators"]}
    row = dict(zip(("study", "dataset", "method"), record.key, strict=True)) | {"L": budget}
    row |= {"folds": parts["fit"]["fold"].nunique()} | verified.explain(record, jobs, code)
    dataset, splits = archived_splits(data, spec)
    if splits is None:
        return row | {"verdict": verified.DIFFERENT, "difference": "data" if dataset is None else "splits"}
    if any(record.dataset.get(key) != value for key, value in table_facts(dataset).items()):
        return row | {"verdict": verified.DIFFERENT, "difference": "facts"}
    if (existing := {fold.fold for fold in splits.folds}) != set(parts["fit"]["fold"]):
        return row | {"verdict": verified.DIFFERENT, "difference": "status"}
    if folds is not None and existing != set(folds):
        splits = replace(splits, folds=tuple(fold for fold in splits.folds if fold.fold in folds))
        of_folds = {name: part[part["fold"].isin(folds)] for name, part in parts.items() if "fold" in part}
        parts = of_folds | dict.fromkeys(("feature", "stability"))
        row["folds"] = len(folds)
    late = parts["fit"][parts["fit"]["status"] == "timeout"].drop(columns="L").to_dict("records")
    finished = {(budget, fit["fold"], fit["mode"]): (fit | {"details": {}}, []) for fit in late}
    method, options = spec["method"]["spec"], {"modes": spec["modes"], "seed": spec["seed"]}
    try:
        rankings, status = rank_dataset(dataset, splits, budget, method, finished=finished, **options)
    except MissingExtraError as error:
        return row | {"verdict": verified.LACKING, "difference": str(error)}
    if (lacking := _lacking(status, parts["fit"])) is not None:
        return row | {"verdict": verified.LACKING, "difference": lacking}
    tolerance = verified.LOOSE if row["other_machine"] else verified.TOLERANCE
    rankings, counts = _compared_rankings(rankings, parts["ranking"], tolerance)
    summaries = summarize_table(budget, rankings)
    scores = _compared_scores(_scores(dataset, splits, budget, rankings, spec), parts["score"])
    row |= counts | scores
    # Other code may use another unit, but not where the importances have the same bits.
    same_code = row["equal_bits"] == row["rankings"] or f"ranking {budget}" not in row["other_code"].split("; ")
    differences = {
        "status": _status(status) != _status(parts["fit"]),
        "ranking": row["swapped"] is None,
        "features": parts["feature"] is not None
        and not same_features(parts["feature"], summaries["feature"], same_code=same_code),
        "stability": parts["stability"] is not None and not _same_stability(parts["stability"], summaries["stability"]),
        "scores": row["close_scores"] < row["scores"],
    }
    if named := [name for name, differs in differences.items() if differs]:
        return row | {"verdict": verified.DIFFERENT, "difference": named[0]}
    if late:
        return row | {"verdict": verified.LATE}
    if row["swapped"]:
        return row | {"verdict": verified.NEAR}
    same = row["equal_bits"] == row["rankings"] and row["equal_scores"] == row["scores"]
    return row | {"verdict": verified.SAME if same else verified.CLOSE}


def _lacking(here, archived):
    """Return the message of a fit that failed only here, because a package is not installed; None without one."""
    fits = archived.merge(here, on=["fold", "mode"], suffixes=("", "_here"))
    failed = fits[(fits["status"] == "ok") & fits["message_here"].str.startswith(MissingExtraError.__name__)]
    return None if failed.empty else failed["message_here"].iloc[0].partition(": ")[2]


def _status(fits):
    return fits.set_index(["fold", "mode"])["status"].to_dict()


def _compared_rankings(rankings, archived, tolerance):
    """Return rankings with the archive's order of near ties, and counts of agreeing ones.

    `swapped` is the number of features that are swapped in near ties; None if the order differs otherwise, or a ranking
    is missing on one side. Features nearly tie if their importances differ by at most `tolerance` times the largest.
    """
    stored_rankings = {(row.fold, row.mode, row.ranking): row for row in archived.itertuples()}
    counts, swapped, tables = {"rankings": 0, "equal_bits": 0, "equal_order": 0}, 0, [rankings.head(0)]
    for key, part in rankings.groupby(["fold", *_RANKING], sort=False):
        counts["rankings"] += 1
        values = part["importance"].to_numpy()
        stored, recomputed = stored_rankings.pop(key, None), digests(values)
        if stored is not None and recomputed["order"] == stored.order:
            counts["equal_bits"] += recomputed["bits"] == stored.bits
            counts["equal_order"] += 1
            if stored.best is not None and list(stored.best) != list(best_first(values)):
                swapped = None
        elif stored is None or (ordered := _with_archived_order(values, stored, tolerance)) is None:
            swapped = None
        else:
            swapped = None if swapped is None else swapped + int((ordered != values).sum())
            part = part.assign(importance=ordered)
        tables.append(part)
    counts["rankings"] += len(stored_rankings)
    return pd.concat(tables, ignore_index=True), counts | {"swapped": None if stored_rankings else swapped}


def _with_archived_order(importances, archived, tolerance):
    """Return importances in the archived order if only near ties differ; otherwise, or without that order, None."""
    if archived.best is None:
        return None
    ordered = importances.copy()
    ordered[archived.best] = np.sort(importances[archived.best])[::-1]
    near = np.abs(ordered - importances).max() <= tolerance * np.abs(importances).max()
    return ordered if near and digests(ordered)["order"] == archived.order else None


def same_features(archived, recomputed, *, same_code=True):
    """Check if the best features of each ranking, with their means and deviations, agree with the archive.

    Means of importances are compared only with `same_code`; means of ranks are compared in any case.

    Numbers agree if they differ by at most 2e-6 of the largest in their column and ranking, because the archive stores
    float32. Features with the same mean rank may be in any order, and the last of them may be missing.
    """
    numbers = [
        name for name in archived if archived[name].dtype.kind == "f" and (same_code or "importance" not in name)
    ]
    rankings = dict(list(recomputed.groupby(_RANKING)))
    if set(rankings) != set(archived.groupby(_RANKING).groups):
        return False
    for key, part in archived.groupby(_RANKING):
        part, computed = part.sort_values("place"), rankings[key].astype(archived[numbers].dtypes.to_dict())
        last = part["mean_rank"].to_numpy()[-1]
        pairs = part.merge(computed, on="feature", suffixes=("", "_here"))
        out = [each.loc[~each["feature"].isin(pairs["feature"]), "mean_rank"] for each in (part, computed)]
        if len(part) != len(computed) or not all(np.isclose(each, last).all() for each in out):
            return False
        for name in numbers:
            tolerance = 2 * verified.LOOSE * np.nan_to_num(pairs[name].abs().max())
            if not np.allclose(pairs[name], pairs[f"{name}_here"], rtol=0, atol=tolerance, equal_nan=True):
                return False
    return True


def _same_stability(archived, recomputed):
    keys = [*_RANKING, "n_features", "n_folds", "top", "k"]
    pairs = archived.merge(recomputed, on=keys, how="outer", suffixes=("", "_here"))
    numbers = ["stability", "lower", "upper", "mean_size"]
    first, second = (pairs[names].to_numpy(float) for names in (numbers, [f"{name}_here" for name in numbers]))
    same_rows = len(pairs) == len(archived) == len(recomputed)
    return same_rows and np.allclose(first, second, 0, verified.TOLERANCE, equal_nan=True)


def _scores(dataset, splits, budget, rankings, spec):
    rows = [
        item | {"evaluator": name}
        for name, block in spec["evaluators"].items()
        if budget in block["L"]
        for item in evaluate_rankings(dataset, splits, {budget: rankings}, block, seed=spec["seed"])
    ]
    return pd.DataFrame(rows, columns=[*_SCORE, "value"]).astype({"k": "Int64"})


def _compared_scores(scores, archived):
    pairs = archived.merge(scores, on=_SCORE, how="outer", suffixes=("", "_here"), indicator=True)
    in_both = pairs["_merge"] == "both"
    return verified.compare_values(*(pairs[name].astype(float) for name in ("value", "value_here")), in_both)


# --- parts of experiments ---------------------------------------------------------------------------------------------


def recompute_part(record, part, *, code=None):
    """Recompute a part of an experiment's record, and compare it.

    `scores` counts the floating-point numbers. The `difference` is "values", or "rows" if texts or integers differ.
    """
    spec = record.spec
    row = {"study": spec["study"], "experiment": spec["experiment"]["name"], "part": part}
    row |= verified.explain(record, {job_name(part)}, code)
    recomputed = compute_part(spec["experiment"]["module"], spec["parts"][part], seed=spec["seed"])
    keys, values = zip(*(_keys_and_values(tables) for tables in (part_tables(record)[part], recomputed)), strict=True)
    if keys[0] != keys[1]:
        return row | {"verdict": verified.DIFFERENT, "difference": "rows"}
    archived, recomputed = map(pd.Series, values)
    row |= verified.compare_values(archived, recomputed)
    if row["close_scores"] == row["scores"]:
        return row | {"verdict": verified.SAME if row["equal_scores"] == row["scores"] else verified.CLOSE}
    loose = verified.compare_values(archived, recomputed, tolerance=verified.LOOSE)
    if row["other_machine"] and loose["close_scores"] == row["scores"]:
        return row | {"verdict": verified.NEAR}
    return row | {"verdict": verified.DIFFERENT, "difference": "values"}


def _keys_and_values(tables):
    """Split tables into names, texts and integers by table, and all other numbers in their order."""
    keys, values = {}, []
    for name, table in sorted(tables.items()):
        floats = table.select_dtypes("float")
        keys[name] = {column: None if column in floats else table[column].tolist() for column in table}
        values += floats.to_numpy().ravel().tolist()
    return keys | {"numbers": len(values)}, values
