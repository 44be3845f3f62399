"""Fit a ranker on every fold and mode of a dataset: the computation of a ranking job."""

import json
import time
import traceback
import warnings

import numpy as np
import pandas as pd

from sslrank.benchmark.rankings import SCHEMA, STATUS_COLUMNS
from sslrank.core.base import check_importances
from sslrank.core.random_state import derive_seed
from sslrank.core.tasks import ranking_kind
from sslrank.rankers.registry import RANKERS, get_ranker

#: Fitted attributes to keep: chosen parameters, skipped members, and seconds of the other members.
DETAILS = ("supervision_", "bootstrap_", "n_neighbors_", "w0_", "w1_", "skipped_", "seconds_")


def rank_dataset(
    dataset, splits, budget, spec, *, modes=("ssl", "sl"), seed=0, n_jobs=1, finished=(), on_start=None, on_finish=None
):
    """Fit a ranker on each fold and mode; return a table of rankings (:data:`SCHEMA`) and one of the status of fits.

    `spec` has "ranker", "params" and optionally "rankings" (those to keep), "name" (of the method, used for the ranking
    of an unregistered ranker) and "labels" ("all": no label is hidden, and the seed is that of the budget "all", so
    that all budgets have the same ranking). The mode "ssl" fits on all training rows, "sl" on the labelled ones with
    ``supervised=True``, if the ranker has this parameter. A status is "ok", "failed", "timeout" or "unsupported".

    `on_start` and `on_finish` are called with the key (budget, fold, mode) of a fit, `on_finish` also with its result.
    `finished` has results of earlier fits by key; these fits are not repeated.
    """
    ranker = get_ranker(spec["ranker"])  # before the clock starts: imports take seconds
    tasks, supervised = ranker.tasks, "supervised" in ranker.get_params(deep=False)
    names = np.array(dataset.X.columns, dtype=object)
    tables, rows = [], []
    for fold in splits.folds:
        for mode in modes:
            key, importances = (budget, fold.fold, mode), []
            if problem := _unsupported(tasks, supervised, dataset.task, mode):
                row = {"mode": mode, "fold": fold.fold, "status": "unsupported", "message": problem}
                row |= {"details": {}, "seconds": 0.0}
            elif key in finished:
                row, importances = finished[key]
            else:
                if on_start is not None:
                    on_start(key)
                row, importances = _one_fit(dataset, fold, budget, spec, mode, names, seed, n_jobs)
                if on_finish is not None:
                    on_finish(key, (row, importances))
            tables += importances
            if fold.note.get(budget):
                row["details"]["labels"] = fold.note[budget]
            rows.append(row)
    status = pd.DataFrame(rows)[STATUS_COLUMNS]
    status["details"] = [json.dumps(item, sort_keys=True) for item in status["details"]]
    columns = [field.name for field in SCHEMA]
    rankings = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=columns)
    return rankings[columns], status


def _one_fit(dataset, fold, budget, spec, mode, names, seed, n_jobs):
    """Run one fit; return its status row and tables of rankings."""
    row = {"mode": mode, "fold": fold.fold, "status": "ok", "message": "", "details": {}}
    random_state = derive_seed(seed, "ranking", dataset.name, spec.get("labels", budget), fold.fold)
    tables, started = [], time.perf_counter()
    try:
        ranker = _fit(dataset, fold, budget, spec, mode, random_state, n_jobs)
        row["seconds"] = time.perf_counter() - started
        row["details"] = _details(ranker)
        importances, row["message"] = _importances(ranker, spec, len(names))
        tables = [_table(mode, fold.fold, key, names, importances[key]) for key in importances]
    except (Exception, SystemExit) as error:  # report the failure and continue with the other folds
        traceback.print_exc()
        row.update(status="failed", message=f"{type(error).__name__}: {error}")
    row.setdefault("seconds", time.perf_counter() - started)
    return row, tables


def _unsupported(tasks, supervised, task, mode):
    if ranking_kind(task) not in tasks:
        return f"the ranker does not support targets of kind {task!r}"
    if mode == "sl" and not supervised:
        return "the ranker has no supervised counterpart"
    return ""


def _fit(dataset, fold, budget, spec, mode, random_state, n_jobs):
    params = dict(spec.get("params", {}))
    if mode == "sl":
        params["supervised"] = True
    ranker = get_ranker(spec["ranker"], **params)
    common = {"random_state": random_state, "n_jobs": n_jobs, "task": dataset.task, "hierarchy": dataset.hierarchy}
    # Not set_params: a class with an __init__ of its own may not have them all, but fit reads the attributes.
    for key in common.keys() - params.keys():
        setattr(ranker, key, common[key])
    X = dataset.X.iloc[fold.train]
    labeled = fold.train if spec.get("labels") == "all" else fold.labeled[budget]
    y = dataset.y[fold.train].copy()
    y[~np.isin(fold.train, labeled)] = None if dataset.task == "classification" else np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        return ranker.fit(X, y)


def _importances(ranker, spec, n_features):
    """Return the requested rankings of a fitted ranker, and a message about missing ones."""
    by_ranking = getattr(ranker, "importances_", None)
    if not isinstance(by_ranking, dict):
        name = spec["ranker"] if spec["ranker"] in RANKERS else spec.get("name", spec["ranker"].rpartition(":")[2])
        by_ranking = {name: ranker.feature_importances_}
    keep = spec.get("rankings") or list(by_ranking)
    missing = [name for name in keep if name not in by_ranking]
    if len(missing) == len(keep):
        raise ValueError(f"the ranker gives none of the wanted rankings; it gives {', '.join(by_ranking)}")
    for name in set(keep) - set(missing):
        check_importances(by_ranking[name], n_features, f"ranking {name!r}")
    message = f"the ranker gives no ranking {', '.join(missing)} here" if missing else ""
    return {name: by_ranking[name] for name in keep if name in by_ranking}, message


def _details(ranker):
    details = {}
    for name in DETAILS:
        value = getattr(ranker, name, None)
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, int | float | str | dict):
            details[name.rstrip("_")] = value
    return json.loads(json.dumps(details, default=float))


def _table(mode, fold, ranking, names, importances):
    return pd.DataFrame(
        {
            "mode": mode,
            "fold": np.int32(fold),
            "ranking": ranking,
            "feature": names,
            "importance": np.asarray(importances, dtype=np.float64),
        }
    )
