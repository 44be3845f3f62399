"""The arena: rankings compared with a reference, by number of labels, kind of target and shape of the data."""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import norm

from sslrank.benchmark.paths import ENTRIES
from sslrank.benchmark.results.study import complete
from sslrank.benchmark.results.tables.registry import table
from sslrank.datasets.arena import UNSEEN, arena_part
from sslrank.stats.pairwise import average_rank_intervals, holm
from sslrank.stats.rank_tests import wilcoxon_test

ALL = "all"
#: Places of entries, written by `sslrank arena enter`.
PLACES = f"{ENTRIES}/places.csv"
PLACE_COLUMNS = ["entry", "name", "version", "date", "datasets", "place", "of", "average_rank"]
#: Columns of the table of points that describe a dataset; other columns are rankings.
FACTS = ["dataset", "part", "task", "rows", "features", "L"]
#: Ranking that is the mean rank of the methods of `sslrank rank`.
DEFAULT = "trees_l1"
#: Reference scores in the columns of rankings: rankings by all labels, including hidden ones, and all features.
YARDSTICKS = ("oracle", "all_features")
#: A table with more features is wide.
WIDE = 250
#: Semi-supervised rankings, and the supervised ranking that each is compared with.
PAIRS = {
    "semi_supervised": "forest",
    "distilled": "forest",
    "self_training": "scikit_forest",
    "label_propagation": "f_score",
}
#: Part of the held-out datasets whose results were unseen when the default was chosen.
FRESH = "unseen"
#: Controls that see all labels of the training rows, including hidden ones: a forest, and the default.
ORACLES = ("oracle", "oracle_sslrank")
#: Measures of one model of the evaluator, at one number of features.
MODEL = r"^\w+ (?:all|labeled) "
COLUMNS = [
    *("part", "L", "task", "shape", "ranking", "reference", "n_datasets", "average_rank", "lower", "upper"),
    *("share", "difference", "standard_error", "wins", "ties", "losses", "p_value", "p_holm", "n_needed"),
]


@table("Entries", keys=["entry", "version", "date"], values=["place"])
def entries(study):
    """Entries added by pull requests, with the version and date of the arena and their place in it.

    A new version of an entry, or of the arena, adds a row; earlier rows are kept. `place` is the place among the `of`
    rankings on the `datasets` that all of them have. ``sslrank arena enter`` computes it and writes the table
    ``results/entries/places.csv``.
    """
    path = Path(PLACES)
    return pd.read_csv(path, dtype={"version": str}) if path.is_file() else pd.DataFrame(columns=PLACE_COLUMNS)


@table("The arena", keys=["part", "L", "task", "shape", "ranking"], values=["average_rank"])
def arena(study, reference):
    """Average ranks with 95 % bootstrap intervals over the datasets, and differences from the `reference`.

    Only datasets that have all rankings count. `part` is "choose" (datasets on which defaults are chosen), "held out"
    (on which they are confirmed) or both; a table with more than 250 features is wide. `share` is the lead over a
    random ranking as a share of the oracle's, a forest that also sees the hidden labels. Both leads are summed over the
    datasets that have them, so that datasets with a small lead of the oracle have little weight. `difference` is in
    points (100 times the measure), positive if the ranking is better than the reference; `p_value` is Wilcoxon's over
    the datasets, `p_holm` is corrected for all rankings of the same part, L and kind. `n_needed` is the number of
    datasets needed to detect the difference with a power of 80 % at a level of 5 %, given the spread of the
    differences.
    """
    scores, rows = arena_scores(study), []
    marks = yardsticks(study)
    for choice in _choices(scores):
        matrix = matrix_of(scores, choice)
        matrix = matrix.dropna(axis=1, thresh=max(int(0.75 * len(matrix)), 1)).dropna()
        if len(matrix) >= 2 and reference in matrix:
            shares = share_of_way(matrix, matrix_of(marks, choice))
            rows += [choice | row | {"share": shares[row["ranking"]]} for row in _against(matrix, reference)]
    return pd.DataFrame(rows, columns=COLUMNS)


def arena_scores(study):
    """Compute the score of each ranking on each dataset and L, in points, averaged over the folds, with shape and part.

    Random rankings (`random_ranking`, `random_1`, ...) are averaged into "random"; "auto_before" is the default of
    `sslrank rank` before 0.1 for the dataset's kind of target.
    """

    def make():
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

    return study.cached("arena", make)


def yardsticks(study):
    """Compute reference scores, in the form of :func:`arena_scores`, of "random", the oracles and "all_features".

    "all_features" is the score with all features but one random feature: the last point of the curve of a random
    ranking. It is missing if the evaluator's curves stop earlier.
    """

    def make():
        scores = complete(study.selected()).astype({"L": str})
        known = arena_scores(study)
        oracles = scores[scores["method"].isin(ORACLES)].drop(columns="ranking").rename(columns={"method": "ranking"})
        last = study.scores[(study.scores["method"] == "random_ranking") & study.scores["measure"].str.contains(MODEL)]
        last = last.assign(L=last["L"].astype(str), ranking="all_features")
        last = last[last["k"] == last["dataset"].map(study.datasets.set_index("dataset")["features"]).astype(float) - 1]
        keys = ["dataset", "task", "L", "ranking"]
        found = pd.concat([oracles, last])[[*keys, "value"]].groupby(keys, sort=False)["value"].mean().mul(100)
        found = pd.concat([found.reset_index(), known[known["ranking"] == "random"]])
        return found.assign(part=found["dataset"].map(arena_part), shape=found["dataset"].map(_shapes(study)))

    return study.cached("yardsticks", make)


def share_of_way(matrix, marks):
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
    >>> float(share_of_way(scores, marks)["forest"])
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
    """Pivot mean scores to datasets by rankings, for rows with the given values {column: value or "all"}."""
    for column, value in choice.items():
        if value == FRESH:
            scores = scores[scores["dataset"].isin(UNSEEN)]
        elif value != ALL:
            scores = scores[scores[column] == value]
    return scores.groupby(["dataset", "ranking"])["value"].mean().unstack()


def _choices(scores):
    """List the subsets: each half and both, for all L and each L; each kind of target and shape of all data."""
    everything = {"part": ALL, "L": ALL, "task": ALL, "shape": ALL}
    for part in ("choose", "held out", ALL):
        for budget in (ALL, *dict.fromkeys(scores["L"])):
            yield everything | {"part": part, "L": budget}
    for column in ("task", "shape"):
        for value in dict.fromkeys(scores[column]):
            yield everything | {column: value}


def _against(matrix, reference):
    intervals = average_rank_intervals(matrix).sort_values("average_rank", kind="stable")
    tests = tests_against(matrix[intervals.index], reference)
    for name, interval in intervals.iterrows():
        row = {"ranking": name, "reference": reference, "n_datasets": len(matrix), **interval.to_dict()}
        if name != reference:
            gains = matrix[name] - matrix[reference]
            row |= {"difference": gains.mean(), "standard_error": gains.sem(), "n_needed": sets_needed(gains)}
            row |= tests[name]
        yield row


def tests_against(matrix, reference):
    """Wilcoxon tests over the datasets of each column against one of them, by name; p_holm is corrected for all."""
    names = [name for name in matrix if name != reference]
    tests = [wilcoxon_test(matrix[name], matrix[reference]) for name in names]
    adjusted = holm([test.p_value for test in tests])
    return {
        name: {"wins": test.wins, "ties": test.ties, "losses": test.losses, "p_value": test.p_value, "p_holm": p_holm}
        for name, test, p_holm in zip(names, tests, adjusted, strict=True)
    }


def sets_needed(gains, alpha=0.05, power=0.8):
    """Number of datasets for a two-sided test to detect the mean gain (normal approximation); NaN for no gain."""
    mean, spread = np.mean(gains), np.std(gains, ddof=1)
    if mean == 0:
        return np.nan
    return float(np.ceil(((norm.ppf(1 - alpha / 2) + norm.ppf(power)) * spread / mean) ** 2))
