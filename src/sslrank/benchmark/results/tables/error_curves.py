"""Tables of error curves and their averages (paper eca)."""

import pandas as pd

from sslrank.benchmark.results.error_points import error_points
from sslrank.benchmark.results.study import complete, once
from sslrank.benchmark.results.tables.registry import table
from sslrank.evaluation.error_curve_average import WEIGHTINGS, compare_rankings, eca


@once
def _eca_by_weighting(study, steps="every"):
    curves, expected = study.cached("error points", lambda: error_points(study))
    rows = []
    for key, part in complete(curves).groupby(["task", "dataset", "method", "ranking", "mode"], sort=False):
        level = expected[expected["dataset"] == key[1]]
        for weighting in WEIGHTINGS:
            if weighting != "1" and level.empty:
                continue
            value = eca(part, None if weighting == "1" else level, weighting, steps=steps)
            rows.append((*key, weighting, value))
    averages = pd.DataFrame(rows, columns=["task", "dataset", "method", "ranking", "mode", "weighting", "eca"])
    return averages.assign(control=averages["method"].isin(study.controls))


@table("Error curve average of each ranking, by weighting", keys=["dataset", "ranking", "weighting"], values=["eca"])
def eca_weightings(study, steps="every", weighting=None, scale=1):
    """ECA of the curves, averaged over folds, with each of the four weightings (paper eca, Eqs. 1 to 4).

    Curves with missing fits are left out. `steps` has the sizes to average over ("every" or "computed", see
    :func:`~sslrank.evaluation.error_curve_average.weighted_difference`), `weighting` selects one, `scale` is a factor.
    """
    averages = _eca_by_weighting(study, steps)
    if weighting is not None:
        averages = averages[averages["weighting"] == weighting]
    return averages.assign(eca=averages["eca"] * scale)


@table("Two rankings compared by each weighting of ECA", keys=["dataset", "weighting"], values=["FFA", "RFA", "ECA"])
def weighted_differences(study):
    """Curves of two rankings compared by each weighting (paper eca, Fig. 1, Table 1).

    The rankings are those of the study's first two methods, none if filters leave one. The first is better if FFA is
    positive, RFA negative and ECA positive.
    """
    pair = study.config["methods"][:2]
    curves, _ = error_points(study)
    curves = complete(curves)
    rows = []
    for dataset, part in curves[curves["ranking"].isin(pair)].groupby("dataset", sort=False):
        if part["ranking"].nunique() == 2:
            for weighting in WEIGHTINGS:
                areas = compare_rankings(part, *pair, weighting)
                rows.append((dataset, *pair, weighting, areas["FFA"], areas["RFA"], areas["ECA"]))
    return pd.DataFrame(rows, columns=["dataset", "first", "second", "weighting", "FFA", "RFA", "ECA"])


@table("Results of an experiment", keys=["data", "weighting", "theta"], values=["value"])
def experiment_table(study, experiment=None, table="summary", where=None):
    """A table of an experiment that needs no dataset; `where` selects rows, {column: value}."""
    rows = study.experiment(experiment, table)
    for column, value in (where or {}).items():
        if len(rows):
            rows = rows[rows[column].astype(str) == str(value)]
    return rows if len(rows.columns) else pd.DataFrame(columns=["data", "weighting", "theta", "value"])
