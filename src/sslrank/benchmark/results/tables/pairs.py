"""Test one ranking against each of the others."""

import pandas as pd
from scipy import special

from sslrank.benchmark.results.study import oriented
from sslrank.benchmark.results.tables.registry import table
from sslrank.stats.rank_tests import corrected_error, wilcoxon_test

COLUMNS = ["first", "second", "n_datasets", "wins", "ties", "losses", "median_difference", "p_value"]


@table("Difference of each ranking from one of them", keys=["dataset", "method", "ranking"], values=["score"])
def differences(study, reference=None, evaluator=None, measure=None, k=None):
    """Mean score of each ranking over the folds, and its difference from the ranking `reference`, by dataset.

    `score_low` and `score_high` are the ends of the 95 % interval of the score, `low` and `high` those of the
    difference, positive if the ranking is better; the variance is corrected for folds that share training rows (Nadeau
    and Bengio 2003). The default `reference` is the first ranking. Folds that lack a ranking are left out.
    """
    folds = study.fold_areas(evaluator=evaluator, measure=measure, k=k)
    folds = folds[folds["mode"] == study.config["modes"][0]]
    folds = folds[~folds["ranking"].isin(study.comparison.get("excluded_rankings", []))]
    sizes = study.scores.groupby("dataset")[["n_test", "n_labeled"]].mean()
    rows = []
    for dataset, part in folds.assign(oriented=oriented(folds, "area")).groupby("dataset", sort=False):
        names = part[["method", "ranking"]].drop_duplicates()
        values = part.pivot(index="fold", columns=["method", "ranking"], values="oriented").dropna()
        first = names[names["ranking"] == reference] if reference else names
        for name in names.itertuples(index=False, name=None) if len(first) else ():
            row = {"dataset": dataset, "method": name[0], "ranking": name[1], "n_folds": len(values)}
            gains = values[name] - values[tuple(first.iloc[0])]
            for each, low, high in ((values[name], "score_low", "score_high"), (gains, "low", "high")):
                error = corrected_error(each, sizes["n_test"][dataset] / sizes["n_labeled"][dataset])
                half_width = special.stdtrit(len(each) - 1, 0.975) * error
                row |= {low: each.mean() - half_width, high: each.mean() + half_width}
            rows.append(row | {"score": values[name].mean(), "difference": gains.mean()})
    columns = ["dataset", "method", "ranking", "n_folds", "score", "score_low", "score_high"]
    return pd.DataFrame(rows, columns=[*columns, "difference", "low", "high"])


def against_reference(matrix, reference):
    """Yield Wilcoxon tests of the reference against the other columns of a full matrix, as :data:`COLUMNS`.

    Nothing is yielded without the reference.
    """
    for other in matrix.columns if reference in matrix.columns else ():
        if other != reference:
            test = wilcoxon_test(matrix[reference], matrix[other])
            counts = (test.wins, test.ties, test.losses)
            yield (reference, other, len(matrix), *counts, test.median_difference, test.p_value)
