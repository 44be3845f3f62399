"""Ranks of methods by their areas."""

import pandas as pd

from sslrank.benchmark.results.study import complete, complete_matrix, first_mode, oriented
from sslrank.benchmark.results.tables.registry import table
from sslrank.stats.rank_tests import rank_table

#: Value of a column, such as the kind of target, that stands for all of its values.
ALL_VALUES = "all"


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
    areas = areas.assign(oriented=oriented(areas, "area"))
    parts = []
    for (task, ranking, mode), part in areas.groupby(["task", "ranking", "mode"], sort=False):
        matrix, _ = complete_matrix(part, "method", "oriented")
        if len(matrix) and matrix.shape[1] > 1:
            matrix = matrix[[name for name in members if name in matrix]]
            parts.append(_long_ranks(matrix, "ensemble").assign(task=task, score=ranking, mode=mode))
    return _concatenate(parts, ["task", "score", "mode", "ensemble"])


@table("Average rank of each ensemble by score", keys=["task", "score", "mode", "ensemble"], values=["average_rank"])
def family_ranks(study, evaluator=None):
    """Means of the ranks on each dataset, by task, score and mode (ssl-ranking, Table 5)."""
    return _average(family_dataset_ranks(study, evaluator), ["task", "score", "mode", "ensemble"])


def family_members(study):
    """Return the methods of the first family; all methods if there is none."""
    return next(iter(study.comparison["families"].values()), list(study.config["methods"]))


@table("Rank of each ranking on each dataset", keys=["task", "ranking", "dataset"], values=["rank"])
def dataset_ranks(study, evaluator=None, measure=None):
    """Ranks of the rankings on each dataset, by task; 1 is the best."""
    parts = [
        _long_ranks(matrix, "ranking").assign(task=task)
        for task, matrix, _ in contest(study, evaluator=evaluator, measure=measure)
        if len(matrix) and matrix.shape[1]
    ]
    return _concatenate(parts, ["task", "ranking"])


@table("Average rank of each ranking over the datasets", keys=["task", "ranking"], values=["average_rank"])
def ranking_ranks(study, evaluator=None, measure=None):
    """Means over the datasets of each ranking's rank, by task (ssl-ranking, Table 11)."""
    return _average(dataset_ranks(study, evaluator, measure), ["task", "ranking"])


def _long_ranks(matrix, name):
    return rank_table(matrix).reset_index().melt("dataset", var_name=name, value_name="rank")


def _concatenate(parts, keys):
    columns = [*keys, "dataset", "rank"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _average(ranks, keys):
    averages = ranks.groupby(keys, sort=False)["rank"].agg(average_rank="mean", n_datasets="size")
    return averages.reset_index()


def contest(study, **selection):
    """Yield the data of ranks and tests: task, complete matrix of areas, datasets left out.

    The matrix has datasets by entries; higher is better, as areas of errors have the opposite sign. A ranking counts on
    a dataset only if all its planned fits have a score, in all folds and for all L. For "all" see :func:`contests`.
    """
    areas = study.areas(**selection)
    entries = study.entries(areas)
    entries = study.ranked(complete(entries[entries["mode"] == first_mode(areas)]))
    for _, task, cells in contests(entries.assign(oriented=oriented(entries, "area"))):
        yield task, *complete_matrix(cells, value="oriented")


def contests(cells):
    """Yield mode, kind of target and rows of each contest; several kinds are followed by "all".

    "all" has the datasets of all kinds, and the entries that all kinds have.
    """
    for mode, part in cells.groupby("mode", sort=False):
        for task, of_task in part.groupby("task", sort=False):
            yield mode, task, of_task
        n_tasks = part["task"].nunique()
        if n_tasks > 1:
            yield mode, ALL_VALUES, part[part.groupby("entry")["task"].transform("nunique") == n_tasks]
