"""The arena: rankings compared with a reference, by number of labels, kind of target and shape of the data."""

import numpy as np
import pandas as pd
from scipy.stats import norm

from sslrank.benchmark.results.study import complete, once
from sslrank.benchmark.results.tables.ranks import ALL_VALUES
from sslrank.datasets.arena import UNSEEN, arena_part, family_of
from sslrank.stats.pairwise import holm
from sslrank.stats.rank_tests import wilcoxon_test

#: Columns of the table of points that describe a dataset; other columns are rankings.
FACTS = ["dataset", "part", "task", "rows", "features", "L"]
#: Ranking that is the mean rank of the methods of `sslrank rank`.
DEFAULT_RANKING = "trees_l1"
#: Reference scores in the columns of rankings: rankings by all labels, including hidden ones, and all features.
YARDSTICKS = ("oracle", "all_features")
#: A table with more features is wide.
WIDE = 250
#: Semi-supervised rankings, and the ranking of the labelled rows that each is compared with.
PAIRS = {
    "semi_supervised": "forest",
    "distilled": "forest",
    "self_training": "scikit_forest",
    "label_propagation": "f_score",
    "rlsr": "l1",
    "convex_csfs": "l1",
    "semi_jmi": "jmi",
    "semi_mim": "mim",
    "fsga": "fsga_labeled",
}
#: Controls that see all labels of the training rows, including hidden ones: a forest, and the default.
ORACLES = ("oracle", "oracle_sslrank")
#: Measures of one model of the evaluator, at one number of features.
MODEL_MEASURE_PATTERN = r"^\w+ (?:all|labeled) "


@once
def arena_scores(study):
    """Compute the score of each ranking on each dataset and L, in points, averaged over the folds, with shape and part.

    Random rankings (`random_ranking`, `random_1`, ...) are averaged into "random"; "auto_before" is the default of
    `sslrank rank` before 0.1 for the dataset's kind of target.
    """
    scores = complete(study.selected())
    others = [name for name in study.controls if name != "random_ranking"]
    scores = scores[~scores["method"].isin(others)].assign(L=scores["L"].astype(str))
    before = scores["ranking"].str.fullmatch("auto_before_(classes|others)")
    fits = (scores["ranking"] == "auto_before_classes") == (scores["task"] == "classification")
    scores = scores[~before | fits]
    scores["ranking"] = scores["ranking"].str.replace(r"^(random|auto_before)_\w+$", r"\1", regex=True)
    keys = ["dataset", "task", "L", "ranking"]
    scores = scores.groupby(keys, sort=False)["value"].mean().mul(100).reset_index()
    return scores.assign(part=scores["dataset"].map(arena_part), shape=scores["dataset"].map(_shapes(study)))


@once
def reference_scores(study):
    """Compute reference scores, in the form of :func:`arena_scores`, of "random", the oracles and "all_features".

    "all_features" is the score with all features but one random feature: the last point of the curve of a random
    ranking. It is missing if the evaluator's curves stop earlier.
    """
    scores = complete(study.selected()).astype({"L": str})
    scores_of_rankings = arena_scores(study)
    oracles = scores[scores["method"].isin(ORACLES)].drop(columns="ranking").rename(columns={"method": "ranking"})
    of_models = study.scores["measure"].str.contains(MODEL_MEASURE_PATTERN)
    last = study.scores[(study.scores["method"] == "random_ranking") & of_models]
    last = last.assign(L=last["L"].astype(str), ranking="all_features")
    last = last[last["k"] == last["dataset"].map(study.datasets.set_index("dataset")["features"]).astype(float) - 1]
    keys = ["dataset", "task", "L", "ranking"]
    areas = pd.concat([oracles, last])[[*keys, "value"]].groupby(keys, sort=False)["value"].mean().mul(100)
    areas = pd.concat([areas.reset_index(), scores_of_rankings[scores_of_rankings["ranking"] == "random"]])
    return areas.assign(part=areas["dataset"].map(arena_part), shape=areas["dataset"].map(_shapes(study)))


def relative_score(matrix, marks):
    """Scale the score of each column: 0 is a random ranking, 1 the oracle, over the datasets that have both.

    Parameters
    ----------
    matrix : DataFrame
        Scores, datasets by rankings.
    marks : DataFrame
        Scores of "random" and "oracle" by dataset.

    Returns
    -------
    Series
        NaN if the oracle is not better than random.

    Examples
    --------
    >>> scores = pd.DataFrame({"forest": [60.0, 70.0]}, index=["a", "b"])
    >>> marks = pd.DataFrame({"random": [50.0, 50.0], "oracle": [65.0, 75.0]}, index=["a", "b"])
    >>> float(relative_score(scores, marks)["forest"])
    0.75
    """
    marks = marks.reindex(matrix.index).reindex(columns=["random", "oracle"]).dropna()
    lead = (marks["oracle"] - marks["random"]).mean()
    if not lead > 0:
        return pd.Series(np.nan, index=matrix.columns)
    return matrix.loc[marks.index].sub(marks["random"], axis=0).mean() / lead


def _shapes(study):
    """Return the shape of each dataset, by name."""
    features = study.datasets.set_index("dataset")["features"]
    return pd.Series(np.where(features > WIDE, "wide", "tall"), index=features.index)


def matrix_of(scores, choice):
    """Pivot mean scores to datasets by rankings, for rows with the given values {column: value or "all"}.

    See :func:`by_family` for means and tests.
    """
    for column, value in choice.items():
        if value == "unseen":
            scores = scores[scores["dataset"].isin(UNSEEN)]
        elif value != ALL_VALUES:
            scores = scores[scores[column] == value]
    return scores.groupby(["dataset", "ranking"])["value"].mean().unstack()


def by_family(values):
    """Average the rows of datasets, or a value of each, over the datasets of each family."""
    return values.groupby(values.index.map(family_of), sort=False).mean()


def tests_against(matrix, reference):
    """Test each column against one of them over the rows (Wilcoxon), by name; p_holm is corrected for all."""
    names = [name for name in matrix if name != reference]
    tests = [wilcoxon_test(matrix[name], matrix[reference]) for name in names]
    adjusted = holm([test.p_value for test in tests])
    return {
        name: {"wins": test.wins, "ties": test.ties, "losses": test.losses, "p_value": test.p_value, "p_holm": p_holm}
        for name, test, p_holm in zip(names, tests, adjusted, strict=True)
    }


def datasets_needed(values, size=None):
    """Compute how many datasets or families detect a mean of this size (default: that of the values), by their spread.

    For a level of 5 % and a power of 80 %, by the normal approximation; NaN for a size of 0.
    """
    size = np.mean(values) if size is None else size
    if size == 0:
        return np.nan
    return float(np.ceil(((norm.ppf(0.975) + norm.ppf(0.8)) * np.std(values, ddof=1) / size) ** 2))
