"""Room for improvement: how well an evaluator separates an oracle ranking from a random one."""

import numpy as np

from sslrank.benchmark.results.study import complete, oriented
from sslrank.benchmark.results.tables.registry import table

KEYS = ["task", "dataset", "L", "measure"]
CONTROLS = ["random_ranking", "equal_weights", "oracle"]
COLUMNS = [*KEYS, *CONTROLS, "supervised", "best_supervised", "semi_supervised", "room", "flat"]


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
    groups = curves.groupby(KEYS, sort=False)["value"]
    rows = ((groups.max() - groups.min() < 1e-12) & (groups.size() > 1)).rename("flat").to_frame()
    for control in CONTROLS:
        rows[control] = curves[curves["method"] == control].groupby(KEYS)["value"].mean()
    rankings = curves[~curves["control"]]
    labeled_only = (rankings["mode"] == "sl") | rankings["method"].isin(supervised)
    rows["supervised"] = rankings[labeled_only].groupby(KEYS)["value"].mean()
    rows["best_supervised"] = rankings[labeled_only].groupby(KEYS)["value"].max()
    rows["semi_supervised"] = rankings[~labeled_only].groupby(KEYS)["value"].mean()
    rows["room"] = rows["oracle"] - rows["random_ranking"]
    return rows.reset_index().replace({np.nan: None})[COLUMNS]
