"""Ranks of methods by their areas."""

import pandas as pd

from sslrank.benchmark.results.study import complete, complete_matrix, turned
from sslrank.benchmark.results.tables.registry import table
from sslrank.stats.rank_tests import rank_table


@table(
    "Rank of each ensemble on each dataset, by score and mode",
    keys=["task", "score", "mode", "ensemble", "dataset"],
    values=["rank"],
)
def family_dataset_ranks(study, evaluator=None):
    """Ranks of the methods of the first family of `comparison` on each dataset, by task, score and mode; 1 is best."""
    members = family_members(study)
    areas = study.ranked(complete(study.areas(evaluator=evaluator)))
    areas = areas[areas["method"].isin(members)]
    columns = ["task", "score", "mode", "ensemble"]
    parts = []
    for (task, ranking, mode), part in areas.groupby(["task", "ranking", "mode"], sort=False):
        matrix, _ = complete_matrix(part, "method")
        if len(matrix) and matrix.shape[1] > 1:
            matrix = matrix[[name for name in members if name in matrix]]
            higher = bool(part["higher_is_better"].iloc[0])
            parts.append(_long_ranks(matrix, "ensemble", higher).assign(task=task, score=ranking, mode=mode))
    return _joined(parts, columns)


@table("Average rank of each ensemble by score", keys=["task", "score", "mode", "ensemble"], values=["average_rank"])
def family_ranks(study, evaluator=None):
    """Means of :func:`family_dataset_ranks` by task, score and mode (ssl-ranking, Table 5)."""
    return _average(family_dataset_ranks(study, evaluator), ["task", "score", "mode", "ensemble"])


def family_members(study):
    """Return the methods of the first family; all methods if there is none."""
    return next(iter(study.comparison["families"].values()), list(study.config["methods"]))


@table("Rank of each ranking on each dataset", keys=["task", "ranking", "dataset"], values=["rank"])
def dataset_ranks(study, evaluator=None, measure=None):
    """Ranks of the rankings on each dataset, by task; 1 is the best."""
    parts = [
        _long_ranks(matrix, "ranking", higher).assign(task=task)
        for task, matrix, higher, _ in contest(study, evaluator=evaluator, measure=measure)
        if len(matrix) and matrix.shape[1]
    ]
    return _joined(parts, ["task", "ranking"])


@table("Average rank of each ranking over the datasets", keys=["task", "ranking"], values=["average_rank"])
def ranking_ranks(study, evaluator=None, measure=None):
    """Average ranks of the rankings by task (ssl-ranking, Table 11), the means of :func:`dataset_ranks`."""
    return _average(dataset_ranks(study, evaluator, measure), ["task", "ranking"])


def _long_ranks(matrix, name, higher_is_better):
    ranks = rank_table(matrix, higher_is_better=higher_is_better)
    return ranks.reset_index().melt("dataset", var_name=name, value_name="rank")


def _joined(parts, keys):
    columns = [*keys, "dataset", "rank"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _average(ranks, keys):
    averages = ranks.groupby(keys, sort=False)["rank"].agg(average_rank="mean", n_datasets="size")
    return averages.reset_index()


def contest(study, **selection):
    """Yield the data of ranks and tests: task, complete matrix of areas, higher_is_better, datasets left out.

    The matrix has datasets by entries. A ranking counts on a dataset only if all its planned fits have a score, in all
    folds and for all L. With several tasks, "all" follows, with all datasets and the entries that all tasks have;
    there, areas of measures of which lower is better have the opposite sign.
    """
    areas = study.areas(**selection)
    mode = "ssl" if "ssl" in set(areas["mode"]) or areas.empty else areas["mode"].iloc[0]
    chosen = study.entries(areas, mode)
    chosen = study.ranked(complete(chosen[chosen["mode"] == mode]))
    for task, part in chosen.groupby("task", sort=False):
        matrix, dropped = complete_matrix(part)
        yield task, matrix, bool(part["higher_is_better"].iloc[0]), dropped
    tasks = chosen["task"].nunique()
    if tasks > 1:
        everywhere = chosen.groupby("entry")["task"].transform("nunique") == tasks
        part = chosen[everywhere]
        matrix, dropped = complete_matrix(part.assign(area=turned(part, "area")))
        yield "all", matrix, True, dropped
