"""Recompute a cell of the archive, all folds of a (dataset, method, L), and compare it."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.archive.kept_rankings import digests, kept_of_table
from sslrank.benchmark.archive.record import file_name
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.scoring import evaluate_rankings
from sslrank.benchmark.steps.splits import archived_splits
from sslrank.benchmark.steps.verify import (
    CLOSE,
    DIFFERENT,
    LOOSE,
    NEAR,
    NOTHING,
    SAME,
    SWAPPED,
    TOLERANCE,
    compare_values,
    explain,
)
from sslrank.stats.stability import ranks_of

#: Orders of near ties that are tried for one ranking, and features that may nearly tie with each other.
MOST_ORDERS, MOST_TIED = 20_000, 5
_SCORE = ["fold", "mode", "ranking", "evaluator", "measure", "k", "n_test", "n_labeled"]
_RANKING = ["mode", "ranking"]


def verify_cell(job, tell):
    """Do the job of the rule `verify_cell`."""
    names = job.wildcards
    found = recompute_cell(
        paths.ARCHIVE,
        file_name(names.study, names.dataset, names.method),
        names.L,
        Path(job.input.table).parent,
        n_jobs=job.threads,
        code=job.params.job_code,
    )
    Path(job.output[0]).write_text(json.dumps(found) + "\n", encoding="utf-8")


def recompute_cell(archive, file, budget, data, *, n_jobs=1, code=None):
    """Recompute what a record has for one L, and compare: a row of `verify.COLUMNS`.

    The archive keeps digests of the rankings. Where the order of a ranking differs, orders of its near ties are tried
    until the digest fits; all else is then compared in the archive's order.

    `verdict` is one of those that :mod:`sslrank.benchmark.steps.verify` describes; for "different", `difference` names
    what differs: data, splits, status, ranking, features, stability or scores. Folds with a fit that took too long are
    left out, and with them the features and the stability, which are over all folds. `code` has the hash of the code
    that is here, by job, as a record's "how" has it; jobs that were made by other code are `other_code`.
    """
    record = Archive(archive).read(file)
    what = record.what
    parts = {name: part[part["L"] == budget] if "L" in part else part for name, part in record.parts.items()}
    late = set(parts["fit"].loc[parts["fit"]["status"] == "timeout", "fold"])
    folds = sorted(set(parts["fit"]["fold"]) - late)
    row = {"study": what["study"], "dataset": what["dataset"]["name"], "method": what["method"]["name"]}
    jobs = {f"ranking {budget}"} | {f"scores {name}" for name in what["evaluators"]}
    row |= {"L": budget, "folds": len(folds)} | explain(record, jobs, code)
    if not folds:
        return row | {"verdict": NOTHING, "difference": "every fit took too long"}
    dataset, splits = archived_splits(data, what)
    if splits is None:
        return row | {"verdict": DIFFERENT, "difference": "data" if dataset is None else "splits"}
    if {item.fold for item in splits.folds} != set(folds) | late:
        return row | {"verdict": DIFFERENT, "difference": "status"}
    splits = replace(splits, folds=tuple(item for item in splits.folds if item.fold in folds))
    for name in ("fit", "ranking", "score"):
        parts[name] = parts[name][parts[name]["fold"].isin(folds)]
    rankings, status = rank_dataset(
        dataset, splits, budget, what["method"]["spec"], modes=what["modes"], seed=what["seed"], n_jobs=n_jobs
    )
    tolerance = LOOSE if row["other_machine"] else TOLERANCE
    rankings, found = _compared_rankings(rankings, parts["ranking"], tolerance)
    kept = {} if late else kept_of_table(budget, rankings)
    row |= found | _compared_scores(_scores(dataset, splits, budget, rankings, what), parts["score"])
    differences = {
        "status": _differ(status, parts["fit"]),
        "ranking": row["swapped"] is None,
        "features": kept and not same_features(parts["feature"], kept["feature"]),
        "stability": kept and not _same_stability(parts["stability"], kept["stability"]),
        "scores": row["close_scores"] < row["scores"],
    }
    if any(differences.values()):
        named = next(name for name, differs in differences.items() if differs)
        return row | {"verdict": DIFFERENT, "difference": named}
    return row | _verdict(row)


def _verdict(row):
    """The verdict of a cell whose rankings are those of the archive, except for near ties."""
    if row["swapped"]:
        return {"verdict": SWAPPED if row["largest_gap"] <= TOLERANCE else NEAR}
    exact = row["equal_bits"] == row["rankings"] and row["equal_scores"] == row["scores"]
    return {"verdict": SAME if exact else CLOSE}


def _differ(status, archived):
    """True if another fit succeeded, failed or was not supported."""
    first, second = (part.set_index(["fold", "mode"])["status"].to_dict() for part in (status, archived))
    return first != second


def _compared_rankings(rankings, archived, tolerance):
    """Rankings in the archive's order of near ties, and counts of those that agree.

    `swapped` is the number of features that near ties of all rankings put elsewhere, None if a ranking has another
    order or only one side has it; `largest_gap` the tolerance that this needed, as a share of the largest importance.
    """
    known = {(row.fold, row.mode, row.ranking): row for row in archived.itertuples()}
    counts, gap, swapped, tables = {"rankings": 0, "equal_bits": 0, "equal_order": 0}, 0.0, 0, []
    for key, part in rankings.groupby(["fold", *_RANKING], sort=False):
        counts["rankings"] += 1
        values = part["importance"].to_numpy()
        there, here = known.pop(key, None), digests(values)
        tables.append(part)
        if there is None:
            swapped = None
            continue
        counts["equal_bits"] += here["bits"] == there.bits
        if here["order"] == there.order:
            counts["equal_order"] += 1
            continue
        for share in (each for each in (TOLERANCE, LOOSE) if each <= tolerance):
            if (ordered := with_order(values, there.order, share)) is not None:
                break
        if ordered is None:
            swapped = None
        elif swapped is not None:
            tables[-1], gap = part.assign(importance=ordered), max(gap, share)
            first, second = ranks_of(np.array([-ordered, -values]))
            swapped += int((first != second).sum())
    counts["rankings"] += len(known)
    counts |= {"swapped": None if known else swapped, "largest_gap": gap}
    return pd.concat(tables) if tables else rankings, counts


def same_features(archived, found):
    """True if the best features of every ranking are those of the archive, and their means and deviations agree.

    Numbers agree if they differ by at most twice 1e-6 of the largest of their column and ranking, as the archive has
    them as float32. Features with the same mean rank may come in any order, the last of them in or out.
    """
    numbers = [name for name in archived if archived[name].dtype.kind == "f"]
    rankings = dict(list(found.groupby(_RANKING)))
    if set(rankings) != set(archived.groupby(_RANKING).groups):
        return False
    for key, part in archived.groupby(_RANKING):
        part, here = part.sort_values("place"), rankings[key].astype(archived[numbers].dtypes.to_dict())
        mean = part["mean_rank"].to_numpy()
        if len(part) != len(here) or part["place"].tolist() != [*range(1, len(part) + 1)] or (np.diff(mean) < 0).any():
            return False
        both = part.merge(here, on="feature", suffixes=("", "_here"))
        out = [each.loc[~each["feature"].isin(both["feature"]), "mean_rank"] for each in (part, here)]
        if not all(np.isclose(each, mean[-1]).all() for each in out):
            return False
        for name in numbers:
            reach = 2 * LOOSE * both[name].abs().max()
            if not np.allclose(both[name], both[f"{name}_here"], rtol=0, atol=reach, equal_nan=True):
                return False
    return True


def _same_stability(archived, found):
    keys = [*_RANKING, "n_features", "n_folds", "top", "k"]
    both = archived.merge(found, on=keys, how="outer", suffixes=("", "_here"))
    numbers = ("stability", "lower", "upper", "mean_size")
    return len(both) == len(archived) == len(found) and all(
        np.allclose(both[name], both[f"{name}_here"], rtol=0, atol=TOLERANCE, equal_nan=True) for name in numbers
    )


def with_order(importances, order, tolerance=TOLERANCE):
    """Importances with the order of a digest, if only near ties differ; None if no order that was tried fits.

    Features nearly tie if the gap between them is at most `tolerance` of the largest importance.
    """
    importances = np.asarray(importances, dtype=float)
    best = np.argsort(-importances, kind="stable")
    ordered = importances[best]
    apart = np.flatnonzero(-np.diff(ordered) > tolerance * np.abs(importances).max(initial=0.0)) + 1
    groups = [group for group in np.split(best, apart) if len(group) > 1]
    if not groups:
        return None
    # By group: values of each of its weak orders, which differ by some units in the last place; a large group may only
    # tie.
    choices = []
    for group in groups:
        levels = itertools.product(range(len(group)), repeat=len(group)) if len(group) <= MOST_TIED else []
        orders = {tuple(np.unique(each, return_inverse=True)[1].tolist()) for each in [(0,) * len(group), *levels]}
        largest = importances[group[0]]
        choices.append([largest - np.array(each) * np.spacing(abs(largest)) for each in sorted(orders)])
    # The fewest changes first: a change in one group, then in two, ...
    tried = 0
    for number in range(1, len(groups) + 1):
        for changed in itertools.combinations(range(len(groups)), number):
            for picked in itertools.product(*(choices[each] for each in changed)):
                found = importances.copy()
                for each, values in zip(changed, picked, strict=True):
                    found[groups[each]] = values
                if digests(found)["order"] == order:
                    return found
                tried += 1
                if tried == MOST_ORDERS:
                    return None
    return None


def _scores(dataset, splits, budget, rankings, what):
    rows = [
        item | {"evaluator": name}
        for name, block in what["evaluators"].items()
        if budget in block["L"]
        for item in evaluate_rankings(dataset, splits, {budget: rankings}, block, seed=what["seed"])
    ]
    return pd.DataFrame(rows, columns=[*_SCORE, "value"]).astype({"k": "Int64"})


def _compared_scores(scores, archived):
    both = archived.merge(scores, on=_SCORE, how="outer", suffixes=("", "_here"), indicator=True)
    there = both["_merge"] == "both"
    return compare_values(*(both[name].astype(float) for name in ("value", "value_here")), there)
