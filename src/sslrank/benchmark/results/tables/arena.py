"""The arena: every ranking against one of them, by number of labels, kind of target and shape of the data."""

import numpy as np
import pandas as pd
from scipy.stats import norm

from sslrank.benchmark.results.study import complete
from sslrank.benchmark.results.tables.registry import table
from sslrank.datasets.arena import arena_part
from sslrank.stats.arena import WIDE
from sslrank.stats.pairwise import average_rank_intervals, holm
from sslrank.stats.rank_tests import wilcoxon_test

ALL = "all"
COLUMNS = [
    "part",
    "L",
    "task",
    "shape",
    "ranking",
    "reference",
    "n_datasets",
    "average_rank",
    "lower",
    "upper",
    "difference",
    "standard_error",
    "wins",
    "ties",
    "losses",
    "p_value",
    "p_holm",
    "n_needed",
]


@table("The arena", keys=["part", "L", "task", "shape", "ranking"], values=["average_rank"], kind="rank")
def arena(study, reference, measure=None, evaluator=None, k=None):
    """Average ranks with 95 % bootstrap intervals over the datasets, and each ranking against the `reference`.

    Only datasets that have every ranking count. `part` is "choose" (datasets on which defaults are chosen), "held out"
    (on which they are confirmed) or both; a table with more than 250 features is wide. `difference` is in points, 100
    times the measure, positive where the ranking is better than the reference; `p_value` is Wilcoxon's over the
    datasets, `p_holm` is corrected for all rankings of the same rows. `n_needed` is how many datasets it would take to
    find such a difference with a power of 80 % at the level of 5 %, by the spread of the differences.
    """
    scores, rows = arena_scores(study, measure, evaluator, k), []
    for choice in _choices(scores):
        matrix = matrix_of(scores, choice)
        matrix = matrix.dropna(axis=1, thresh=max(int(0.75 * len(matrix)), 1)).dropna()
        if len(matrix) >= 2 and reference in matrix:
            rows += [choice | row for row in _against(matrix, reference)]
    return pd.DataFrame(rows, columns=COLUMNS)


def arena_scores(study, measure=None, evaluator=None, k=None):
    """Score of every ranking on every dataset for every L, in points, averaged over the folds, with shape and part.

    Random rankings (`random_ranking`, `random_1`, ...) are averaged into "random"; "auto_before" is the vote of
    `sslrank rank` until 0.1 for the dataset's kind of target.
    """

    def make():
        scores = complete(study.selected(evaluator=evaluator, measure=measure, k=k))
        beside = [name for name in study.controls if name != "random_ranking"]
        scores = scores[~scores["method"].isin(beside)].assign(L=scores["L"].astype(str))
        before = scores["ranking"].str.fullmatch("auto_before_(classes|others)")
        fits = (scores["ranking"] == "auto_before_classes") == (scores["task"] == "classification")
        scores = scores[~before | fits]
        scores["ranking"] = scores["ranking"].str.replace(r"^(random|auto_before)_\w+$", r"\1", regex=True)
        keys = ["dataset", "task", "L", "ranking"]
        scores = scores.groupby(keys, sort=False)["value"].mean().mul(100).reset_index()
        features = study.datasets.set_index("dataset")["features"]
        scores["shape"] = np.where(scores["dataset"].map(features) > WIDE, "wide", "tall")
        return scores.assign(part=scores["dataset"].map(arena_part))

    return study.once(("arena", measure, evaluator, k), make)


def matrix_of(scores, choice):
    """Mean scores, datasets by rankings, of the rows with the chosen values: {column: value or "all"}."""
    for column, value in choice.items():
        scores = scores[scores[column] == value] if value != ALL else scores
    return scores.groupby(["dataset", "ranking"])["value"].mean().unstack()


def _choices(scores):
    """List the subsets: each half and both, for all L and each; and each target type and shape in all data."""
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
    """Wilcoxon's tests over the datasets of each other column against one, by name; p_holm is corrected for all."""
    names = [name for name in matrix if name != reference]
    tests = [wilcoxon_test(matrix[name], matrix[reference]) for name in names]
    adjusted = holm([test.p_value for test in tests])
    return {
        name: {"wins": test.wins, "ties": test.ties, "losses": test.losses, "p_value": test.p_value, "p_holm": p_holm}
        for name, test, p_holm in zip(names, tests, adjusted, strict=True)
    }


def sets_needed(gains, alpha=0.05, power=0.8):
    """Number of datasets that a two-sided test needs for a mean gain (normal approximation); NaN without a gain."""
    mean, spread = np.mean(gains), np.std(gains, ddof=1)
    if mean == 0:
        return np.nan
    return float(np.ceil(((norm.ppf(1 - alpha / 2) + norm.ppf(power)) * spread / mean) ** 2))
