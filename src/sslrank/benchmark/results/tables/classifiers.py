"""Scores of classifiers on the best features, by several measures (scls thesis, Tables 4.3 to 5.1)."""

import numpy as np
import pandas as pd

from sslrank.benchmark.results.study import is_higher_better
from sslrank.benchmark.results.tables.registry import table


@table("Measures of a classifier with the best features", keys=["measure", "dataset", "method"], values=["value"])
def measures_at(study, k=None, others=None):
    """All measures of the compared evaluator at k features, with standard errors (`spread`).

    `others` adds evaluators that do not depend on a ranking, or that count as separate methods: {name: {evaluator, k,
    method, L}}; `method` and `L` name the jobs that ran it (default: the first).
    """
    sources = {None: {"evaluator": study.comparison["evaluator"], "k": k}} | (others or {})
    rows = []
    for name, source in sources.items():
        scores = study.scores[study.scores["evaluator"] == source["evaluator"]]
        for measure in scores["measure"].unique():
            budgets = None if name is None else source.get("L", scores["L"].unique()[:1].tolist())
            points = study.curves(evaluator=source["evaluator"], measure=measure, k=source.get("k"), L=budgets)
            if name is not None:
                points = points[points["method"] == source.get("method", points["method"].iloc[0])]
                points = points.assign(method=name)
            rows.append(points.rename(columns={"standard_error": "spread"}))
    columns = ["measure", "dataset", "method", "L", "value", "spread", "n_folds", "missing", "control"]
    return pd.concat(rows, ignore_index=True)[columns] if rows else pd.DataFrame(columns=columns)


@table("Classifiers with all and with the best features", keys=["dataset", "classifier", "selection"], values=["auc"])
def before_after(study, classifiers=None, method=None, measure=None):
    """Each classifier with all features and with the best number of a method's top features.

    `classifiers` maps names to lists of evaluators with scores of the classifier; k = 0 means all features. The best k
    is chosen on the test rows, as in the thesis, so values after selection are optimistic; the column `k` has it. The
    default `method` is the first one of the study, the default `measure` the compared one.
    """
    method = method or study.config["methods"][0]
    measure = measure or study.comparison["measure"]
    rows = []
    for classifier, evaluators in (classifiers or {}).items():
        points = []
        for evaluator in evaluators:
            scores = study.scores[study.scores["evaluator"] == evaluator]
            sizes = sorted(int(k) for k in scores.loc[scores["method"] == method, "k"].dropna().unique())
            points += [study.curves(evaluator=evaluator, measure=measure, k=k).assign(k=k) for k in sizes]
        points = (
            pd.concat(points, ignore_index=True) if points else pd.DataFrame(columns=["dataset", "method", "value"])
        )
        points = points[points["method"] == method].dropna(subset="value")
        sign = 1 if is_higher_better(measure) else -1
        for dataset, part in points.groupby("dataset", sort=False):
            for selection, chosen in (("before", part[part["k"] == 0]), ("after", part[part["k"] != 0])):
                if len(chosen):
                    best = chosen.iloc[int(np.argmax(sign * chosen["value"].to_numpy()))]
                    row = (dataset, classifier, selection, best["k"], best["value"], best["standard_error"])
                    rows.append(row)
    return pd.DataFrame(rows, columns=["dataset", "classifier", "selection", "k", "auc", "spread"])
