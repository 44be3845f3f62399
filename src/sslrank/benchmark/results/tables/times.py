"""Seconds of the rankings."""

import json

import pandas as pd

from sslrank.benchmark.results.study import complete_matrix
from sslrank.benchmark.results.tables.ranks import family_members
from sslrank.benchmark.results.tables.registry import table
from sslrank.stats.rank_tests import average_ranks


def seconds(study, experiment=None):
    """Sum fit times over the folds, by task, dataset, method and L, if all folds succeeded.

    Controls are left out. With `experiment`, the times are those of its table "seconds".
    """
    if experiment is not None:
        table = study.experiment(experiment, "seconds")
        table = table if len(table) else pd.DataFrame(columns=["task", "dataset", "method", "L", "seconds"])
        return table.astype({"L": str})
    status = study.status[~study.status["method"].isin(study.controls)]
    status = status[status["mode"] == "ssl"] if "ssl" in set(status["mode"]) else status
    keys = ["task", "dataset", "method", "L"]
    failed_keys = status.loc[status["status"] != "ok", keys].drop_duplicates()
    successful_fits = status.merge(failed_keys, on=keys, how="left", indicator="found")
    successful_fits = successful_fits[successful_fits["found"] == "left_only"]
    return successful_fits.groupby(keys, sort=False)["seconds"].sum().reset_index()


def ranking_seconds(study):
    """Return seconds of each ranking of each successful fit: those of the ranking if reported, otherwise of the fit."""
    fits = study.status[study.status["status"] == "ok"]
    details = [json.loads(text).get("seconds", {}) if isinstance(text, str) else {} for text in fits["details"]]
    rankings = study.scores[["method", "ranking"]].drop_duplicates()
    fits = fits[["dataset", "method", "mode", "L", "seconds"]].assign(noted=details).merge(rankings, on="method")
    parts = zip(fits["noted"], fits["ranking"], fits["seconds"], strict=True)
    fits["seconds"] = [of.get(name, seconds) for of, name, seconds in parts]
    return fits.drop(columns="noted")


def _ranks(part, columns):
    matrix, _ = complete_matrix(part, "method", "seconds")
    if not len(matrix) or matrix.shape[1] < 2:
        return []
    ranks = average_ranks(matrix, higher_is_better=False)
    return [(*columns, name, value, len(matrix)) for name, value in ranks.items()]


@table("Average rank of each ensemble by fitting time", keys=["task", "ensemble"], values=["average_rank"])
def family_time_ranks(study, experiment=None):
    """Ranks of the first family's methods by induction time over all L (ssl-ranking, Table 6).

    With `experiment`, by times that this experiment measured with fixed settings.
    """
    times = seconds(study, experiment)
    times = study.ranked(times[times["method"].isin(family_members(study))])
    times = times.groupby(["task", "dataset", "method"], sort=False)["seconds"].sum().reset_index()
    rows = [row for task, part in times.groupby("task", sort=False) for row in _ranks(part, (task,))]
    return pd.DataFrame(rows, columns=["task", "ensemble", "average_rank", "n_datasets"])


@table("Average rank of each method by fitting time", keys=["task", "L", "method"], values=["average_rank"])
def time_ranks(study, L=None, experiment=None):
    """Ranks of the methods by induction time for each L.

    Table 12 of ssl-ranking has the smallest and the largest L. With `experiment`, by times that this experiment
    measured with fixed settings.
    """
    times = study.ranked(seconds(study, experiment))
    budgets = [
        str(value) for value in L or (study.config["splits"]["L"] if experiment is None else times["L"].unique())
    ]
    rows = []
    for (task, budget), part in times[times["L"].isin(budgets)].groupby(["task", "L"], sort=False):
        rows += _ranks(part, (task, budget))
    return pd.DataFrame(rows, columns=["task", "L", "method", "average_rank", "n_datasets"])


@table("Seconds of one fit, by dataset and method", keys=["dataset", "method"], values=["seconds"])
def fit_times(study):
    """Mean seconds of a fit over the folds, by method; by default with the L that the study compares."""
    times = study.with_budgets(seconds(study), study.comparison.get("L"))
    folds = study.status.groupby(["dataset", "method", "L"])["fold"].nunique().rename("n_folds").reset_index()
    times = times.merge(folds, on=["dataset", "method", "L"], how="left")
    return times.assign(seconds=times["seconds"] / times["n_folds"])
