"""Average ranks of methods in terms of areas."""

import pandas as pd

from sslrank.benchmark.results.study import complete, complete_matrix, turned
from sslrank.benchmark.results.tables.registry import table
from sslrank.stats.rank_tests import average_ranks


@table(
    "Average ranks of the members of a family",
    keys=["task", "score", "mode", "ensemble"],
    values=["average_rank"],
    kind="rank",
    winner="ensemble",
)
def family_ranks(study, family=None, k=None, evaluator=None, measure=None):
    """Average ranks of a family's methods per task, score and mode (ssl-ranking, Table 5).

    `family` is the first one of the block `comparison` by default.
    """
    members = family_members(study, family)
    areas = study.ranked(complete(study.areas(k=k, evaluator=evaluator, measure=measure)))
    areas = areas[areas["method"].isin(members)]
    rows = []
    for (task, ranking, mode), part in areas.groupby(["task", "ranking", "mode"], sort=False):
        matrix, _ = complete_matrix(part, "method")
        if len(matrix) and matrix.shape[1] > 1:
            ranks = average_ranks(matrix, higher_is_better=bool(part["higher_is_better"].iloc[0]))
            rows += [(task, ranking, mode, name, ranks[name], len(matrix)) for name in members if name in ranks]
    return pd.DataFrame(rows, columns=["task", "score", "mode", "ensemble", "average_rank", "n_datasets"])


def family_members(study, family):
    """Methods of a family, by default the first one; all methods where there is none."""
    families = study.comparison["families"]
    if not families:
        return list(study.config["methods"])
    return families[family or next(iter(families))]


@table(
    "Average ranks of the rankings",
    keys=["task", "ranking"],
    values=["average_rank"],
    kind="rank",
    winner="ranking",
)
def ranking_ranks(study, mode="ssl", k=None, evaluator=None, measure=None):
    """Average ranks of the rankings per task (ssl-ranking, Table 11)."""
    rows = []
    for task, matrix, higher, _ in contest(study, mode, k=k, evaluator=evaluator, measure=measure):
        if len(matrix) and matrix.shape[1]:
            ranks = average_ranks(matrix, higher_is_better=higher)
            rows += [(task, name, value, len(matrix)) for name, value in ranks.items()]
    return pd.DataFrame(rows, columns=["task", "ranking", "average_rank", "n_datasets"])


def contest(study, mode="ssl", **selection):
    """Yield what ranks and tests are about: task, full matrix of areas, higher_is_better, left-out datasets.

    The matrix is of datasets by entries. A ranking counts on a dataset only if every planned fit of it there gave a
    score, in all folds and for all L. With several tasks, "all" follows: every dataset, and the entries that all tasks
    have; areas of measures that are better when lower change their sign there.
    """
    areas = study.areas(**selection)
    if mode not in set(areas["mode"]) and len(areas):
        mode = areas["mode"].iloc[0]
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
