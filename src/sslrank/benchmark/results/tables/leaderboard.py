"""Tables of the results page's overview: scores, leaderboard, pairs and titles.

All have the same entries: one method per family and ranking, chosen by its average rank with all rows (see
:meth:`~sslrank.benchmark.results.study.StudyData.entries`), in each mode of the study.
"""

import numpy as np
import pandas as pd

from sslrank.benchmark.results import ALPHA
from sslrank.benchmark.results.control_tests import (
    RANKING,
    control_values,
    fold_interval,
    p_values,
    significantly_better,
)
from sslrank.benchmark.results.study import CURVE, complete, once, oriented
from sslrank.benchmark.results.tables.ranks import ALL_VALUES, contests
from sslrank.benchmark.results.tables.registry import table
from sslrank.benchmark.results.tables.times import ranking_seconds
from sslrank.benchmark.results.titles import entry_title, measure_title, ranking_title
from sslrank.stats import leaderboards
from sslrank.stats.pairwise import PAIR_COLUMNS, holm
from sslrank.stats.rank_tests import corrected_resampled_t_test

#: Controls at 0 and 1 of the scale of relative scores.
LOWER_REFERENCE, UPPER_REFERENCE = "random_ranking", "oracle"
CONTEST_COLUMNS = [
    *("task", "dataset", "entry", "method", "ranking", "mode", "control", "measure", "higher_is_better"),
    *("score", "standard_error", "relative", "better_than_random", "missing", "counts"),
]


@table("Score of each entry on each dataset", keys=["task", "dataset", "entry", "mode"], values=["score"])
@once
def contest_scores(study):
    """Scores of entries and controls on each dataset, and whether they count in ranks and tests.

    `score` is the area under the curve over L, or the score if there is one L; `standard_error` is that of its mean
    over the folds. `relative` is the score on a scale with the random control at 0 and the oracle at 1, if the oracle
    is better. `better_than_random` is whether it is significantly better than the random control in a corrected
    resampled t-test over the folds; it is empty without this control or with one fold. `missing` is the number of
    planned fits without a score; if it is not 0, the entry does not count on the dataset. Datasets of `comparison:
    excluded_datasets` do not count; rankings of `comparison: excluded_rankings` are left out.
    """
    entries, folds = study.entries(study.areas(), controls=True), study.fold_areas()
    entries = entries[~entries["ranking"].isin(study.comparison.get("excluded_rankings", []))].reset_index(drop=True)
    errors = folds.groupby(CURVE, sort=False)["area"].sem().rename("standard_error")
    entries = entries.merge(errors.reset_index(), on=CURVE, how="left")
    entries["oriented"], folds["oriented"] = oriented(entries, "area"), oriented(folds, "area")
    entries["counts"] = (entries["missing"] == 0) & entries["area"].notna() & ~entries["control"]
    entries["counts"] &= entries.index.isin(study.ranked(entries).index)
    entries["relative"], entries["better_than_random"] = np.nan, None
    for mode, part in complete(entries).groupby("mode", sort=False):
        bottom, top = (control_values(part, name, "oriented") for name in (LOWER_REFERENCE, UPPER_REFERENCE))
        lead = pd.Series(top - bottom, index=part.index)
        entries.loc[part.index, "relative"] = (part["oriented"] - bottom) / lead.where(lead > 0)
        tests = p_values(study, folds[folds["mode"] == mode], LOWER_REFERENCE, "oriented")
        scores = part.assign(beyond=part["oriented"] - bottom).reset_index().merge(tests, on=RANKING, how="left")
        better = significantly_better(scores.set_index("index"), "beyond")
        entries.loc[part.index, "better_than_random"] = better
    return entries.rename(columns={"area": "score"})[CONTEST_COLUMNS]


def _contests(study):
    """Yield mode, task, cells and :class:`~sslrank.stats.leaderboards.Leaderboard` of each contest.

    Entries on less than the share `least_share` of a contest's datasets are excluded.
    """
    scores = contest_scores(study)
    scores = scores[scores["counts"]].assign(oriented=oriented(scores, "score"))
    # A submitted result is ranked on all of its datasets, among the entries that have them.
    least_share = 1.0 if study.config.get("entered") else study.comparison.get("least_share", 0.0)

    def make():
        for mode, task, cells in contests(scores):
            n_datasets = cells.groupby("entry")["dataset"].transform("nunique")
            cells = cells[n_datasets >= least_share * cells["dataset"].nunique()]
            if len(cells):
                yield mode, task, cells, _board(cells)

    return study.cached("contests", lambda: list(make()))


def _board(cells):
    """Make the leaderboard of a contest; score differences are empty if measures differ."""
    frame = cells[["dataset", "entry", "oriented"]].set_axis(["dataset", "method", "score"], axis=1)
    board = leaderboards.leaderboard(frame)
    if cells["measure"].nunique() > 1:
        board.pairs[["mean_difference", "low", "high"]] = np.nan
    return board


@table("Leaderboard: average rank of each entry over datasets", keys=["mode", "task", "entry"], values=["average_rank"])
def leaderboard(study):
    """Leaderboard: average ranks with 95 % bootstrap intervals over the datasets, wins, scores and seconds.

    Ranks are over the datasets on which all entries count (`n_datasets`). `win_rate` is the share of these on which the
    entry is the best; ties share the win. `score` is the mean, empty if measures differ. `relative` is the lead over
    the random control as a share of the oracle's, both summed over datasets, so that datasets with a small lead of the
    oracle have little weight; over all kinds of target it is the mean of the kinds. It is empty if the oracle's lead is
    significant on no dataset. `better_than_random` is the number of datasets, out of the `n_tested` with enough folds,
    on which the entry is significantly better than the random control. `seconds` is the median over successful fits of
    the method, or of the ranking if the fit reports its seconds. Controls follow, without ranks.
    """
    scores, fits = contest_scores(study), ranking_seconds(study)
    rows = []
    for mode, task, cells, board in _contests(study):
        ranks = board.table.set_index("method")
        datasets = cells.loc[~cells["dataset"].isin(board.left_out), "dataset"]
        eligible = scores[(scores["mode"] == mode) & scores["dataset"].isin(datasets)]
        eligible = eligible.assign(oriented=oriented(eligible, "score"))
        eligible = eligible[eligible["entry"].isin(ranks.index) | (eligible["control"] & (eligible["missing"] == 0))]
        one_measure = eligible["measure"].nunique() == 1
        relative = _mean_relative(eligible)
        seconds = eligible[["dataset", "method", "ranking", "entry"]].assign(mode=mode)
        seconds = fits.merge(seconds, on=["dataset", "method", "ranking", "mode"]).groupby("entry")["seconds"].median()
        for (entry, control), part in eligible.groupby(["entry", "control"], sort=False):
            row = {"mode": mode, "task": task, "entry": entry, "control": control}
            row |= {"method": ", ".join(dict.fromkeys(part["method"])), "ranking": part["ranking"].iloc[0]}
            row |= {"n_datasets": len(part)}
            if not control:
                row |= ranks.loc[entry, ["average_rank", "lower", "upper", "win_rate"]].to_dict()
            if one_measure:
                row |= {"measure": part["measure"].iloc[0], "score": part["score"].mean()}
            row["relative"] = relative.get(entry, np.nan)
            if part["better_than_random"].notna().any():
                row["better_than_random"] = int(part["better_than_random"].eq(True).sum())
                row["n_tested"] = int(part["better_than_random"].notna().sum())
            row["seconds"] = seconds.get(entry, np.nan)
            rows.append(row)
    columns = ["mode", "task", "entry", "method", "ranking", "control", "n_datasets", "average_rank", "lower"]
    columns += ["upper", "win_rate", "measure", "score", "relative", "better_than_random", "n_tested"]
    columns += ["seconds"]
    ranked = pd.DataFrame(rows, columns=columns)
    order = ranked.groupby(["mode", "task"], sort=False).ngroup()
    return ranked.assign(order=order).sort_values(["order", "average_rank"], kind="stable").drop(columns="order")


def first_contest(board, method=None):
    """Select the contest to show first: over all kinds of target, if it exists and ranks the method."""
    ranked = board.dropna(subset="average_rank")
    of_method = ranked[ranked["method"] == method] if method in set(ranked["method"]) else ranked
    modes = of_method[of_method["mode"] == of_method["mode"].iloc[0]] if len(of_method) else of_method
    tasks = list(dict.fromkeys(modes["task"]))
    task = ALL_VALUES if ALL_VALUES in tasks else next(iter(tasks), None)
    return board[(board["task"] == task) & board["mode"].isin(modes["mode"][:1])]


def place(contest, entry):
    """Return the place of an entry on a leaderboard, and the number of ranked entries; ties share the place."""
    ranks = contest.dropna(subset="average_rank").set_index("entry")["average_rank"]
    return 1 + int((ranks < ranks[entry]).sum()), len(ranks)


def _mean_relative(scores):
    """Compute each entry's lead over the random control as a share of the oracle's, summed by kind of target.

    NaN without controls, or if the oracle's lead is significant on no dataset.
    """
    bottom, top = (control_values(scores, name, "oriented") for name in (LOWER_REFERENCE, UPPER_REFERENCE))
    leads = scores.assign(lead=scores["oriented"] - bottom, most=top - bottom).dropna(subset=["lead", "most"])
    leads = leads.groupby(["entry", "task"])[["lead", "most"]].sum()
    tested = scores[(scores["entry"] == UPPER_REFERENCE) & scores["better_than_random"].notna()]
    by_chance = ~tested["better_than_random"].eq(True).groupby(tested["task"]).any()
    by_chance = by_chance.reindex(leads.index, level="task", fill_value=False)
    shares = (leads["lead"] / leads["most"]).where((leads["most"] > 0) & ~by_chance)
    return shares.groupby("entry").mean()


@table("Pairs of entries: difference, wins and tests", keys=["mode", "task", "first", "second"], values=["p_value"])
def pairs(study):
    """All pairs over the datasets that both have: difference, wins, ties and losses, Wilcoxon tests.

    In a study of one dataset with repeated folds, corrected resampled t-tests over the folds replace Wilcoxon tests.
    `mean_difference` is positive if the first is better, `low` and `high` are the ends of its 95 % interval (Student's
    t over the datasets); all three are empty if measures differ. They, the counts and `p_value` do not depend on other
    entries (Ismail-Fawaz et al. 2023). `p_holm` is corrected for all pairs of the same mode and task; `significant` is
    whether it is below 0.05.
    """
    is_one = len(study.datasets) == 1 and study.config["splits"].get("repetitions", 1) > 1
    boards = [contest for contest in _contests(study) if len(contest[-1].pairs)]  # one entry has no pair
    parts = [
        (_tested_over_folds(study, mode, cells, board.pairs) if is_one else board.pairs).assign(mode=mode, task=task)
        for mode, task, cells, board in boards
    ]
    columns = ["mode", "task", *PAIR_COLUMNS]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _tested_over_folds(study, mode, cells, pairs):
    """Test the pairs of entries of one dataset over its folds (Nadeau and Bengio 2003)."""
    folds = study.fold_areas()
    folds = folds[folds["mode"] == mode].merge(cells[["method", "ranking", "entry"]], on=["method", "ranking"])
    scores = (
        folds.assign(oriented=oriented(folds, "area")).pivot(index="fold", columns="entry", values="oriented").dropna()
    )
    ratio = (study.scores["n_test"] / study.scores["n_labeled"]).mean()
    tests = []
    for first, second in zip(pairs["first"], pairs["second"], strict=True):
        differences = (scores[first] - scores[second]).to_numpy()
        tests.append((*fold_interval(differences, ratio), corrected_resampled_t_test(differences, ratio)))
    pairs = pairs.assign(**dict(zip(("low", "high", "p_value"), np.transpose(tests), strict=True)))
    pairs["p_holm"] = holm(pairs["p_value"])
    return pairs.assign(significant=pairs["p_holm"] < ALPHA)


@table("Titles of methods, rankings, measures and datasets", keys=["kind", "name"], values=[])
def names(study):
    """Titles of the methods, rankings, entries and measures of the study.

    A method or ranking without a title has its name as title.
    """
    titles, scores = study.titles, study.scores
    methods = study.status["method"].unique()  # including those that failed everywhere
    rows = [("method", name, titles.get(name, name)) for name in methods]
    rows += [("ranking", name, ranking_title(name, titles)) for name in scores["ranking"].unique()]
    rows += [("entry", name, entry_title(name, titles)) for name in contest_scores(study)["entry"].unique()]
    rows += [("measure", name, measure_title(name)) for name in scores["measure"].unique()]
    return pd.DataFrame(rows, columns=["kind", "name", "title"])
