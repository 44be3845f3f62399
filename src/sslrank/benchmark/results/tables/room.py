"""Room for improvement: how far an evaluator separates an oracle ranking from a random one."""

import numpy as np

from sslrank.benchmark.results.study import complete, turned
from sslrank.benchmark.results.tables.registry import table

KEYS = ["task", "dataset", "L", "measure"]
CONTROLS = ["random_ranking", "equal_weights", "oracle"]
COLUMNS = [*KEYS, *CONTROLS, "supervised", "best_supervised", "semi_supervised", "room", "flat"]


@table("Room: a random ranking, rankings by few labels, and an oracle", keys=["dataset", "L"], values=["room"])
def room(study, supervised=(), evaluator=None, k=None):
    """Scores of the controls and mean scores of the rankings, by dataset and L; higher is better in each column.

    A ranking is supervised if its mode is "sl" or its method is one of `supervised`. `room` is the oracle minus the
    random ranking. The oracle, made with all labels, is a reference, not a bound. `flat` marks rows where
    all scores are equal, so that no ranking can make a difference. Scores of measures that are better when lower have
    the opposite sign.
    """
    budgets = [str(budget) for budget in study.config["splits"]["L"]]
    found = complete(study.curves(evaluator=evaluator, k=k, L=budgets))
    found = found.assign(value=turned(found, "value"))
    groups = found.groupby(KEYS, sort=False)["value"]
    rows = (groups.max() - groups.min() < 1e-12).rename("flat").to_frame()
    for control in CONTROLS:
        rows[control] = found[found["method"] == control].groupby(KEYS)["value"].mean()
    rankings = found[~found["control"]]
    labeled_only = (rankings["mode"] == "sl") | rankings["method"].isin(supervised)
    rows["supervised"] = rankings[labeled_only].groupby(KEYS)["value"].mean()
    rows["best_supervised"] = rankings[labeled_only].groupby(KEYS)["value"].max()
    rows["semi_supervised"] = rankings[~labeled_only].groupby(KEYS)["value"].mean()
    rows["room"] = rows["oracle"] - rows["random_ranking"]
    return rows.reset_index().replace({np.nan: None})[COLUMNS]
