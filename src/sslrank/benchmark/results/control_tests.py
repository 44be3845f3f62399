"""Tests of the difference between rankings and a control, by fold."""

import numpy as np
import pandas as pd
from scipy import special

from sslrank.benchmark.results import ALPHA
from sslrank.benchmark.results.study import CURVE
from sslrank.stats.rank_tests import corrected_error, corrected_resampled_t_test

#: Columns that identify a ranking within one mode.
RANKING = CURVE[:-1]


def control_values(table, control, column):
    """Look up the value of a control on the dataset (and fold) of each row; NaN if missing."""
    keys = [key for key in ("dataset", "fold") if key in table.columns]
    values = table.loc[table["method"] == control, [*keys, column]].rename(columns={column: "control_values"})
    return table[keys].merge(values, on=keys, how="left")["control_values"].to_numpy(dtype=np.float64)


def p_values(study, folds, control, column):
    """Compute corrected resampled t-tests of differences from a control over the folds: :data:`RANKING` and p_value.

    `folds` has one value per fold, in `column`. The p-value is NaN for the control itself and for a single fold.
    """
    folds = folds.assign(beyond=folds[column] - control_values(folds, control, column))
    ratios = _test_to_train(study)
    rows = []
    for key, part in folds[folds["method"] != control].groupby(RANKING, sort=False):
        gains = part["beyond"].dropna()
        rows.append((*key, corrected_resampled_t_test(gains, ratios.get(key[1], np.nan))))
    return pd.DataFrame(rows, columns=[*RANKING, "p_value"])


def fold_interval(values, ratio):
    """Return the ends of the 95 % interval of a mean over folds that share training rows (Nadeau and Bengio 2003).

    `ratio` is that of test to training rows.
    """
    half_width = special.stdtrit(len(values) - 1, 0.975) * corrected_error(values, ratio)
    return values.mean() - half_width, values.mean() + half_width


def significantly_better(tests, beyond):
    """Mark rows with positive `beyond` and p_value below 0.05; None without a test."""
    better = (tests[beyond] > 0) & (tests["p_value"] < ALPHA)
    return better.astype(object).where(tests["p_value"].notna(), None)


def _test_to_train(study):
    """Compute the ratio of test to training rows by dataset."""
    tested = study.scores.drop_duplicates(["dataset", "fold"]).groupby("dataset")["n_test"].mean()
    rows = study.datasets.set_index("dataset")["examples"] if "examples" in study.datasets else pd.Series(dtype=float)
    return (tested / (rows.reindex(tested.index) - tested)).to_dict()
