"""Import the CSV of scores of an evaluator in another language, with the columns :data:`~.rankings_csv.SCORES`."""

import pandas as pd

from sslrank.benchmark.steps.rankings_csv import SCORES, line_of, read_rankings
from sslrank.core.errors import DataError

_RANKING = ["L", "fold", "mode", "ranking"]


def import_scores(path, splits, rankings, budgets):
    """Return the scores of some L as :func:`sslrank.benchmark.scoring.score_rankings` yields them.

    `rankings` has the table of each L. Raises a DataError for the first line that is not about a ranking or repeats a
    score, and for a ranking without a score.
    """
    if not rankings:
        return []
    tables = [table.drop_duplicates(_RANKING[1:]).assign(L=budget)[_RANKING] for budget, table in rankings.items()]
    ranked = pd.MultiIndex.from_frame(pd.concat(tables))
    table = read_rankings(path, SCORES)
    scored = pd.MultiIndex.from_frame(table[_RANKING])
    problems = {
        "there is no such ranking: {}": pd.Series(~scored.isin(ranked), table.index),
        "the measure is here twice for this k: {}": table.duplicated([*_RANKING, "measure", "k"]),
    }
    for problem, wrong in problems.items():
        if wrong.any():
            words = ", ".join(f"{key} {value}" for key, value in table.loc[wrong, _RANKING].iloc[0].items())
            raise DataError(problem.format(words), file=path, line=line_of(wrong), column="'ranking'")
    lacking = [names for names in ranked if names[0] in budgets and names not in scored]
    if lacking:
        words = ", ".join(f"{key} {value}" for key, value in zip(_RANKING, lacking[0], strict=True))
        raise DataError(f"has no score of the ranking {words}", file=path)
    folds = {fold.fold: fold for fold in splits.folds}
    counts = [{"n_test": len(folds[fold].test), "n_labeled": len(folds[fold].labeled[L])} for L, fold, *_ in scored]
    rows = table.to_dict("records")
    return [row | count for row, count in zip(rows, counts, strict=True) if row["L"] in budgets]
