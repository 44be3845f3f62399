"""Titles of the short names in other tables."""

import pandas as pd

from sslrank.benchmark.results.tables.leaders import contest_scores
from sslrank.benchmark.results.tables.registry import table
from sslrank.benchmark.results.titles import TASKS, entry_title, measure_title, ranking_title


@table("Titles of methods, rankings, measures and datasets", keys=["kind", "name"], values=[])
def names(study):
    """Titles of the methods, rankings, entries, measures, target types and datasets of the study.

    A method or ranking without a title has its name as title.

    `control` says whether a method, ranking or entry is a control.
    """
    titles = study.titles
    scores, contest = study.scores, contest_scores(study)
    methods = study.status["method"].unique()  # including those that failed everywhere
    datasets = study.datasets.reindex(columns=["dataset", "title"]).dropna()
    tasks = list(scores["task"].unique())
    tasks += ["all"] if len(tasks) > 1 else []
    rows = [("method", name, titles.get(name, name)) for name in methods]
    rows += [("ranking", name, ranking_title(name, titles)) for name in scores["ranking"].unique()]
    rows += [("entry", name, entry_title(name, titles)) for name in contest["entry"].unique()]
    rows += [("measure", name, measure_title(name)) for name in scores["measure"].unique()]
    rows += [("task", name, TASKS[name]) for name in tasks]
    rows += [("dataset", row.dataset, row.title) for row in datasets.itertuples()]
    listed = pd.DataFrame(rows, columns=["kind", "name", "title"])
    ranked = listed["kind"].isin(["method", "ranking", "entry"])
    return listed.assign(control=listed["name"].isin(study.controls) & ranked)
