"""Points of error curves, from a study's scores by the evaluator `eca`."""

import numpy as np
import pandas as pd

from sslrank.benchmark.results.study import CURVE
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
            known = errors[key]
            shares = known["n_test"] / known["n_test"].sum()
            error = float(np.sqrt(((shares * known["value"]) ** 2).sum()))
        rows.append((*key, fold_average(part["value"], part["n_test"]), error))
    return pd.DataFrame(rows, columns=EXPECTED_COLUMNS)
