"""Levels of supervision chosen by forests, and the gain of SSL forests with and without those that chose 1."""

import json

import pandas as pd

from sslrank.benchmark.results.study import oriented
from sslrank.benchmark.results.tables.ranks import family_members
from sslrank.benchmark.results.tables.registry import table

_FIT = ["task", "dataset", "method", "L", "fold"]


@table(
    "Levels of supervision that SSL forests chose, and SSL minus SL without those that chose 1",
    keys=["task", "dataset"],
    values=["delta"],
)
def chosen_levels(study):
    """Levels of supervision w that the SSL forests of the first family chose by cross-validation, by dataset.

    A forest with w = 1 splits by the targets only, like the SL forest. `share_of_one` and `share_of_zero` are shares of
    `n_forests`, `mean_level` is the mean w. `delta` is the mean of SSL minus SL over members, rankings, L and folds,
    positive if SSL is better; `delta_below_one` is that of the forests with w below 1.
    """
    members = family_members(study)
    fits = study.status[(study.status["mode"] == "ssl") & study.status["method"].isin(members)].astype({"L": str})
    levels = [json.loads(text).get("supervision") if isinstance(text, str) else None for text in fits["details"]]
    fits = fits.assign(w=pd.array(levels, dtype="Float64")).dropna(subset="w")[[*_FIT, "w"]]
    scores = study.selected().astype({"L": str})
    scores = scores.merge(study.areas()[["measure", "higher_is_better"]].drop_duplicates())
    scores = scores.assign(value=oriented(scores, "value"))
    gains = scores.pivot(index=[*_FIT, "ranking"], columns="mode", values="value").reset_index()
    columns = ["n_forests", "share_of_one", "share_of_zero", "mean_level", "delta", "delta_below_one"]
    if fits.empty or not {"ssl", "sl"} <= set(gains.columns):
        return pd.DataFrame(columns=["task", "dataset", *columns])
    gains = gains.assign(delta=gains["ssl"] - gains["sl"]).merge(fits, on=_FIT)
    groups, of_fits = gains.groupby(["task", "dataset"], sort=False), fits.groupby(["task", "dataset"], sort=False)["w"]
    summary = pd.DataFrame(
        {
            "n_forests": of_fits.size(),
            "share_of_one": of_fits.agg(lambda w: (w == 1).mean()),
            "share_of_zero": of_fits.agg(lambda w: (w == 0).mean()),
            "mean_level": of_fits.mean(),
            "delta": groups["delta"].mean(),
            "delta_below_one": gains[gains["w"] < 1].groupby(["task", "dataset"])["delta"].mean(),
        }
    )
    return summary.reset_index()[["task", "dataset", *columns]]
