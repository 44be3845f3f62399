"""Scores by dataset and ranking, and how well an evaluator separates an oracle ranking from a random one."""

import numpy as np
import pandas as pd

from sslrank.benchmark.results.study import CURVE, complete, oriented
from sslrank.benchmark.results.tables.registry import table

ROOM_KEYS = ["task", "dataset", "L", "measure"]
ROOM_CONTROLS = ["random_ranking", "equal_weights", "oracle"]
ROOM_COLUMNS = [*ROOM_KEYS, *ROOM_CONTROLS, "supervised", "best_supervised", "semi_supervised", "room", "flat"]


@table(
    "Score of each ranking on each dataset",
    keys=["dataset", "method", "ranking"],
    values=["score", "accuracy", "auc", "eca"],
    contest=True,
)
def method_scores(
    study,
    name="score",
    mode="ssl",
    k=None,
    evaluator=None,
    measure=None,
    L=None,
    scale=1,
    methods=None,
    n_others=None,
    sources=None,
):
    """Mean score over the folds, by dataset and ranking, with its standard error (`spread`).

    With several L the score is the area under the curve. Folds share training rows, so the standard error is too small.
    `name` is the column's name, for the comparison with a publication, `scale` a factor. `methods`, {method: name},
    selects methods and renames them and their rankings. With `n_others`, `spread` is the standard error of the
    difference from a mean over this number of other splits. `sources`, {name: [method, evaluator]}, replaces `methods`
    where rankings are evaluated in different ways, or one of them stands for another.
    """
    if sources is not None:
        options = {"name": name, "mode": mode, "k": k, "measure": measure, "L": L, "scale": scale, "n_others": n_others}
        parts = [
            method_scores(study, evaluator=judged_by, methods={method: renamed}, **options)
            for renamed, (method, judged_by) in sources.items()
        ]
        return pd.concat(parts, ignore_index=True)
    selection = {"k": k, "evaluator": evaluator, "measure": measure, "L": L}
    scores, folds = study.areas(**selection), study.fold_areas(**selection)
    spread = folds.groupby(CURVE, sort=False)["area"].agg(["std", "count"]).reset_index()
    of_others = 0 if n_others is None else 1 / n_others
    spread["spread"] = spread["std"] * np.sqrt(1 / spread["count"] + of_others)
    scores = scores.merge(spread, on=CURVE, how="left")
    if len(study.config["modes"]) > 1:
        scores = scores[scores["mode"] == mode]
    scores = scores.rename(columns={"area": name, "count": "n_folds"})
    scores[[name, "spread"]] *= scale
    if methods is not None:
        scores = scores[scores["method"].isin(list(methods))]
        called = scores["method"].map(methods)
        scores = scores.assign(method=called, ranking=called, control=False)
    columns = ["task", "dataset", "method", "ranking", "measure", name, "spread", "n_folds", "missing", "control"]
    return scores[columns]


@table("Score by number of features", keys=["dataset", "method", "ranking", "k"], values=["score", "accuracy", "auc"])
def scores_by_size(study, sizes, name="score"):
    """Mean score over the folds with the top k features, by k.

    `sizes` has the values of k, `name` is the column's name.
    """
    if not sizes:
        raise ValueError("`sizes` must have at least one number of features")
    scores = pd.concat([method_scores(study, k=k, name=name).assign(k=k) for k in sizes])
    scores = scores.iloc[np.argsort(pd.factorize(scores["dataset"])[0], kind="stable")]
    columns = ["task", "dataset", "method", "ranking", "k", "measure", name, "spread", "control"]
    return scores[columns].reset_index(drop=True)


@table("Room: scores of random rankings, rankings and the oracle", keys=["dataset", "L"], values=["room"])
def room(study, supervised=(), evaluator=None, k=None):
    """Scores of controls and mean scores of rankings, by dataset and L; higher is better in all columns.

    A ranking is supervised if its mode is "sl" or its method is one of `supervised`. `room` is the oracle minus the
    random ranking. The oracle, a ranking by all labels, is a reference and not an upper bound. `flat` marks rows in
    which all scores are equal, so that no ranking makes a difference. If lower values of a measure are better, scores
    have the opposite sign.
    """
    budgets = [str(budget) for budget in study.config["splits"]["L"]]
    curves = complete(study.curves(evaluator=evaluator, k=k, L=budgets))
    curves = curves.assign(value=oriented(curves, "value"))
    groups = curves.groupby(ROOM_KEYS, sort=False)["value"]
    rows = ((groups.max() - groups.min() < 1e-12) & (groups.size() > 1)).rename("flat").to_frame()
    for control in ROOM_CONTROLS:
        rows[control] = curves[curves["method"] == control].groupby(ROOM_KEYS)["value"].mean()
    rankings = curves[~curves["control"]]
    labeled_only = (rankings["mode"] == "sl") | rankings["method"].isin(supervised)
    rows["supervised"] = rankings[labeled_only].groupby(ROOM_KEYS)["value"].mean()
    rows["best_supervised"] = rankings[labeled_only].groupby(ROOM_KEYS)["value"].max()
    rows["semi_supervised"] = rankings[~labeled_only].groupby(ROOM_KEYS)["value"].mean()
    rows["room"] = rows["oracle"] - rows["random_ranking"]
    return rows.reset_index().replace({np.nan: None})[ROOM_COLUMNS]
