"""Tables of error curves and their averages (paper eca)."""

import numpy as np
import pandas as pd

from sslrank.benchmark.results.study import CURVE, complete, once
from sslrank.benchmark.results.tables.registry import table
from sslrank.evaluation.error_curve_average import WEIGHTINGS, compare_rankings, eca
from sslrank.metrics.averages import fold_average

#: Prefix of the measures of each curve.
PREFIXES = {"ffa": "FFA", "rfa": "RFA"}
EXPECTED, EXPECTED_ERROR = "expected", "expected error"
COLUMNS = [*CURVE, "missing", "curve", "measure", "size", "value"]
EXPECTED_COLUMNS = ["task", "dataset", "measure", "size", "value", "standard_error"]


def error_points(study):
    """Average curves over the folds, and compute the expected curve of random rankings.

    All methods share the random rankings, so each dataset has one expected curve. Folds have different random rankings,
    so their variances add. Evaluator and L are those of `comparison`.
    """
    comparison = study.comparison
    scores = study.scores[study.scores["evaluator"] == comparison["evaluator"]]
    budgets = comparison.get("L")
    scores = study.with_budgets(scores, budgets)
    scores = study.with_missing(scores, study.with_budgets(study.status, budgets))
    names = [str(measure).rpartition(" ") for measure in scores["measure"]]
    scores = scores.assign(curve=[n[0] for n in names], measure=[n[2] for n in names])
    points = scores[scores["curve"].isin(PREFIXES)]
    points = points.assign(curve=points["curve"].map(PREFIXES))
    keys = [*CURVE, "missing", "curve", "measure", "k"]
    rows = [
        (*key, fold_average(part["value"], part["n_test"]))
        for key, part in points.groupby(keys, sort=False)[["value", "n_test"]]
    ]
    curves = pd.DataFrame(rows, columns=COLUMNS)
    return curves, _expected_points(scores)


def _expected_points(scores):
    keys = ["task", "dataset", "measure", "k"]
    once = scores.drop_duplicates([*keys, "curve", "L", "fold"])
    rows = []
    errors = dict(iter(once[once["curve"] == EXPECTED_ERROR].groupby(keys)))
    for key, part in once[once["curve"] == EXPECTED].groupby(keys, sort=False):
        error = np.nan
        if key in errors:
            fold_errors = errors[key]
            shares = fold_errors["n_test"] / fold_errors["n_test"].sum()
            error = float(np.sqrt(((shares * fold_errors["value"]) ** 2).sum()))
        rows.append((*key, fold_average(part["value"], part["n_test"]), error))
    return pd.DataFrame(rows, columns=EXPECTED_COLUMNS)


@once
def _eca_by_weighting(study, steps="every"):
    curves, expected = study.cached("error points", lambda: error_points(study))
    rows = []
    for key, part in complete(curves).groupby(CURVE, sort=False):
        level = expected[expected["dataset"] == key[1]]
        for weighting in WEIGHTINGS:
            if weighting != "1" and level.empty:
                continue
            value = eca(part, None if weighting == "1" else level, weighting, steps=steps)
            rows.append((*key, weighting, value))
    averages = pd.DataFrame(rows, columns=[*CURVE, "weighting", "eca"])
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
