"""Titles of the short names in other tables."""

import pandas as pd

from sslrank.benchmark.results.tables.leaderboard import contest_scores
from sslrank.benchmark.results.tables.registry import table
from sslrank.benchmark.results.titles import entry_title, measure_title, ranking_title


@table("Titles of methods, rankings, measures and datasets", keys=["kind", "name"], values=[])
def names(study):
    """Titles of the methods, rankings, entries and measures of the study.

    A method or ranking without a title has its name as title.
    """
    titles, scores = study.titles, study.scores
    methods = study.status["method"].unique()  # including those that failed everywhere
    rows = [("method", name, titles.get(name, name)) for name in methods]
    rows += [("ranking", name, ranking_title(name, titles)) for name in scores["ranking"].unique()]
    rows += [("entry", name, entry_title(name, titles)) for name in contest_scores(study)["entry"].unique()]
    rows += [("measure", name, measure_title(name)) for name in scores["measure"].unique()]
    return pd.DataFrame(rows, columns=["kind", "name", "title"])
