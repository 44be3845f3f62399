"""Areas under performance curves, and their differences between SSL and SL."""

import numpy as np
import pandas as pd

from sslrank.benchmark.results.control_tests import RANKING, control_values, p_values, significantly_better
from sslrank.benchmark.results.study import CURVE, complete
from sslrank.benchmark.results.tables.registry import table

#: Control whose differences are due to the evaluator, and numbers of neighbours of ssl-ranking's Table 7.
CONTROL, NEIGHBORS = "equal_weights", (20, 40)


@table("Area under the curve over L, by dataset and ranking", keys=CURVE, values=["area"])
def areas(study):
    """Areas under all curves of the study.

    `missing` is the number of planned fits of the curve without a score; if it is not 0, the curve is excluded from
    ranks and tests.
    """
    return study.areas()


def mode_differences(areas, columns, scores=()):
    """Compute SSL minus SL areas, positive if SSL is better; `scores` are modes whose areas are kept."""
    wide = areas.pivot(index=columns, columns="mode", values="area").reset_index()
    if not {"ssl", "sl"} <= set(wide.columns):
        return pd.DataFrame(columns=[*columns, "delta"])
    sign = np.where(wide["higher_is_better"], 1.0, -1.0)
    return wide[[*columns, *scores]].assign(delta=sign * (wide["ssl"] - wide["sl"]) + 0.0).dropna(subset="delta")


@table("SSL minus SL: areas over L, by dataset and ranking", keys=["task", "dataset", "ranking"], values=["delta"])
def ssl_minus_sl(study, evaluator=None, measure=None, spacing=None, supervised=False):
    """Differences of areas, positive if SSL is better (ssl-ranking, Tables 8-10).

    `spread` is the standard error of the difference over the folds, if there are several. `spacing`
    replaces that of the study. Curves with missing fits are left out. `supervised` puts the SL ranking in the place of
    the SSL one, under the evaluator of SSL: a control that saw no unlabelled row.

    If the study has the control of equal weights, `control_delta` is its difference, which is due to the evaluator.
    `beyond` is the ranking's difference minus the control's, `p_value` that of its corrected resampled t-test over the
    folds, and `better_than_control` whether it is positive and significant.
    """
    selection = {"evaluator": evaluator, "measure": measure, "spacing": spacing}

    def areas_of(compute):
        rows = compute(**selection)
        if not supervised:
            return rows
        in_place = compute(**selection | {"evaluator": evaluator["ssl"]}).query("mode == 'sl'").assign(mode="ssl")
        return pd.concat([in_place, rows[rows["mode"] == "sl"]])

    entries = complete(study.entries(areas_of(study.areas), controls=True))
    columns = [*RANKING, "measure", "higher_is_better"]
    delta = mode_differences(entries, [*columns, "control"])
    folds = mode_differences(areas_of(study.fold_areas), [*columns, "fold"])
    delta = delta.merge(folds.groupby(RANKING)["delta"].sem().rename("spread").reset_index(), on=RANKING, how="left")
    columns_shown = ["task", "dataset", "ranking", "method", "measure", "control", "delta", "spread"]
    if CONTROL not in set(delta["method"]):
        return delta[columns_shown]
    delta["control_delta"] = control_values(delta, CONTROL, "delta")
    delta["beyond"] = delta["delta"] - delta["control_delta"]
    delta = delta.merge(p_values(study, folds, CONTROL, "delta"), on=RANKING, how="left")
    delta["better_than_control"] = significantly_better(delta, "beyond")
    return delta[[*columns_shown, "control_delta", "beyond", "p_value", "better_than_control"]]


@table("SSL minus SL: scores at each L, by ranking", keys=["task", "dataset", "ranking", "L"], values=["delta"])
def ssl_minus_sl_by_budget(study, k=None, evaluator=None):
    """Differences of scores for each L, positive if SSL is better (ssl-ranking, Figure 3).

    The rankings are those of :func:`ssl_minus_sl`; a curve with missing fits is left out. `ssl` and `sl` are
    the scores.
    """
    selection = {"k": k, "evaluator": evaluator}
    entries = complete(study.entries(study.areas(**selection), controls=True))
    curves = study.curves(**selection).merge(entries[CURVE], on=CURVE).rename(columns={"value": "area"})
    curves["L"] = pd.Categorical(curves["L"], [str(budget) for budget in study.config["splits"]["L"]])  # their order
    delta = mode_differences(curves, [*RANKING, "measure", "higher_is_better", "control", "L"], scores=("ssl", "sl"))
    scores = [name for name in ("ssl", "sl") if name in delta]
    return delta[["task", "dataset", "ranking", "method", "L", "measure", "control", *scores, "delta"]]


@table("SSL minus SL of equal weights, due to the evaluator alone", keys=["task", "dataset"], values=["delta"])
def control_ssl_minus_sl(study, k=None, evaluator=None, measure=None):
    """SSL minus SL areas of equal weights, a difference due to the evaluator.

    It is compared with the published differences between rankings. `spread` is the standard error over the folds.
    """
    selection = {"k": k, "evaluator": evaluator, "measure": measure}
    keys = ["task", "dataset", "measure", "higher_is_better"]
    areas, folds = complete(study.areas(**selection)), study.fold_areas(**selection)
    delta = mode_differences(areas[areas["method"] == CONTROL], keys)
    folds = mode_differences(folds[folds["method"] == CONTROL], [*keys, "fold"])
    spread = folds.groupby(["task", "dataset"])["delta"].sem().rename("spread").reset_index()
    return delta.merge(spread, on=["task", "dataset"], how="left")[["task", "dataset", "measure", "delta", "spread"]]


@table("Share of rankings that SSL makes more global", keys=["task"], values=["share_delta_positive"])
def global_share(study, evaluator=None, control=None):
    """Share of (dataset, ranking) pairs whose difference grows with k (ssl-ranking, Table 7).

    With delta_k the SSL minus SL difference between areas of kNN models with k neighbours, the SSL ranking is more
    global if delta_40 - delta_20 > 0. The method of a family is the one with the best average rank by 40 neighbours.
    `control` names a control that takes the place of the rankings.
    """
    deltas, methods = {}, None
    for k in reversed(NEIGHBORS):
        areas = study.areas(k=k, evaluator=evaluator)
        if control is None and methods is None:
            methods = study.entries(areas)[["task", "method", "ranking"]].drop_duplicates()
        rows = areas[areas["method"] == control] if control else areas.merge(methods)
        deltas[k] = mode_differences(complete(rows), [*RANKING, "higher_is_better"]).set_index(RANKING)["delta"]
    small, large = NEIGHBORS
    groups = (deltas[large] - deltas[small]).dropna().gt(0).groupby("task", sort=False)
    return groups.agg(["mean", "size"]).set_axis(["share_delta_positive", "n_rankings"], axis=1).reset_index()
