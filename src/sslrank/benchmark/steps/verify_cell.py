"""Recompute a cell of the archive, one fold of a (dataset, method, L), and compare it."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.archive.kept_rankings import digests
from sslrank.benchmark.archive.record import file_name
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.scoring import evaluate_rankings
from sslrank.benchmark.steps.splits import archived_splits
from sslrank.benchmark.steps.verify import (
    CLOSE,
    DIFFERENT,
    NOTHING,
    SAME,
    SWAPPED,
    TOLERANCE,
    compare_values,
    explain,
)
from sslrank.core.random_state import derive_seed
from sslrank.stats.stability import ranks_of

#: Orders of near ties that are tried for one ranking, and features that may nearly tie with each other.
MOST_ORDERS, MOST_TIED = 20_000, 5
_SCORE = ["mode", "ranking", "evaluator", "measure", "k"]


def verify_cell(job, tell):
    """Do the job of the rule `verify_cell`."""
    names, given = job.wildcards, job.params
    found = recompute_cell(
        paths.ARCHIVE,
        file_name(names.study, names.dataset, names.method),
        names.L,
        Path(job.input.table).parent,
        seed=given.seed,
        n_jobs=job.threads,
        code=given.job_code,
    )
    Path(job.output[0]).write_text(json.dumps(found) + "\n", encoding="utf-8")


def recompute_cell(archive, file, budget, data, *, seed=0, n_jobs=1, code=None):
    """Recompute one fold, drawn by `seed`, of a record for one L, and compare: a row of `verify.COLUMNS`.

    The archive keeps digests of the rankings. Where the order of a ranking differs, orders of its near ties are tried
    until the digest fits; scores are then those of the archive's order.

    The verdict is "equal bits" (of all rankings and scores), "within 1e-9" (every feature has the same rank, and all
    scores agree within 1e-9), "near ties swapped" (so they do except for `swapped` features that nearly tie) or
    "different", and `difference` names what: data, splits, status, ranking or scores. `code` has the hash of the code
    that is here, by job, as a record's "how" has it; jobs that were made by other code are `other_code`.
    """
    record = Archive(archive).read(file)
    what, parts = record.what, record.parts
    fits = parts["fit"][(parts["fit"]["L"] == budget) & (parts["fit"]["status"] != "timeout")]
    folds = sorted(fits["fold"].unique())
    fold = int(folds[derive_seed(seed, "verify", file, budget) % len(folds)]) if folds else -1
    row = {"study": what["study"], "dataset": what["dataset"]["name"], "method": what["method"]["name"]}
    jobs = {f"ranking {budget}"} | {f"scores {name}" for name in what["evaluators"]}
    row |= {"L": budget, "fold": fold} | explain(record, jobs, code)
    if not folds:
        return row | {"verdict": NOTHING, "difference": "every fit took too long"}
    dataset, splits = archived_splits(data, what)
    if splits is None:
        return row | {"verdict": DIFFERENT, "difference": "data" if dataset is None else "splits"}
    splits = replace(splits, folds=tuple(item for item in splits.folds if item.fold == fold))
    rankings, status = rank_dataset(
        dataset, splits, budget, what["method"]["spec"], modes=what["modes"], seed=what["seed"], n_jobs=n_jobs
    )
    rankings, found = _compared_rankings(rankings, _cell(parts["ranking"], budget, fold))
    row |= found | _compared_scores(
        _scores(dataset, splits, budget, rankings, what), _cell(parts["score"], budget, fold)
    )
    before = _cell(parts["fit"], budget, fold).set_index("mode")["status"].to_dict()
    if before != status.set_index("mode")["status"].to_dict():
        return row | {"verdict": DIFFERENT, "difference": "status"}
    if row["swapped"] is None:
        return row | {"verdict": DIFFERENT, "difference": "ranking"}
    return row | _verdict(row)


def _verdict(row):
    """The verdict of a cell whose rankings are those of the archive, except for near ties."""
    if row["close_scores"] < row["scores"]:
        return {"verdict": DIFFERENT, "difference": "scores"}
    if row["swapped"]:
        return {"verdict": SWAPPED}
    exact = row["equal_bits"] == row["rankings"] and row["equal_scores"] == row["scores"]
    return {"verdict": SAME if exact else CLOSE}


def _cell(table, budget, fold):
    return table[(table["L"] == budget) & (table["fold"] == fold)]


def _compared_rankings(rankings, archived):
    """Rankings in the archive's order of near ties, and counts of those that agree.

    `swapped` is the number of features that near ties of all rankings put elsewhere, None if a ranking has another
    order or only one side has it.
    """
    known = {(row.mode, row.ranking): row for row in archived.itertuples()}
    found, equal_bits, equal_order, swapped, tables = 0, 0, 0, 0, []
    for key, part in rankings.groupby(["mode", "ranking"], sort=False):
        found += 1
        there, here = known.pop(key, None), digests(part["importance"].to_numpy())
        tables.append(part)
        if there is None:
            swapped = None
            continue
        equal_bits += here["bits"] == there.bits
        if here["order"] == there.order:
            equal_order += 1
        elif (values := with_order(part["importance"].to_numpy(), there.order)) is None:
            swapped = None
        elif swapped is not None:
            tables[-1] = part.assign(importance=values)
            first, second = ranks_of(np.array([-values, -part["importance"].to_numpy()]))
            swapped += int((first != second).sum())
    counts = {"rankings": found + len(known), "equal_bits": equal_bits, "equal_order": equal_order}
    counts["swapped"] = None if known else swapped
    return pd.concat(tables) if tables else rankings, counts


def with_order(importances, order):
    """Importances with the order of a digest, if only near ties differ; None if no order that was tried fits."""
    importances = np.asarray(importances, dtype=float)
    best = np.argsort(-importances, kind="stable")
    ordered = importances[best]
    apart = np.flatnonzero(-np.diff(ordered) > TOLERANCE * np.abs(importances).max(initial=0.0)) + 1
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
