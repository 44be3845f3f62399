"""Compare a published leaderboard with the reproduced one: orders, average ranks and tests.

The input is a comparison of one score per dataset and method
(:func:`sslrank.benchmark.results.published_values.match_published`). Every statistic is computed on all published
scores, on the published scores of the reproduced datasets, and on the reproduced scores. The first shows whether the
published numbers support the claims; the other two differ only by the reproduction.
"""

import pandas as pd
from scipy import stats

from sslrank.benchmark.results.tables.pairs import COLUMNS, against_reference
from sslrank.stats.rank_tests import average_ranks, critical_distance, friedman_test

PUBLISHED = "published"
SAME_DATASETS = "published, same datasets"
REPRODUCED = "reproduced"


def matrices(compared, key, datasets):
    """Return the three matrices of datasets by methods, by name; `key` is the column of the methods.

    `datasets` are the names of datasets; published tables may have other rows, such as averages.
    """
    cells = compared[compared["dataset"].isin(list(datasets))].drop_duplicates(["dataset", key])
    published = cells.pivot(index="dataset", columns=key, values="published")
    published = published.reindex(columns=list(dict.fromkeys(cells[key]))).dropna()
    reproduced = cells.pivot(index="dataset", columns=key, values="reproduced")
    reproduced = reproduced.reindex(columns=published.columns).dropna(axis=1, how="all").dropna()
    if reproduced.shape[1] == 0:
        reproduced = reproduced.iloc[:0]
    reproduced = reproduced[reproduced.index.isin(published.index)]
    same = published.loc[reproduced.index, reproduced.columns]
    return {PUBLISHED: published, SAME_DATASETS: same, REPRODUCED: reproduced}


def orders(compared, key, datasets):
    """Compare the order of the methods on each dataset.

    The columns are dataset, spearman, kendall (NaN for constant scores), published_best, reproduced_best (ties joined
    by commas) and same_best (whether they have a method in common).
    """
    pair = matrices(compared, key, datasets)
    rows = []
    for dataset, ours in pair[REPRODUCED].iterrows():
        theirs = pair[SAME_DATASETS].loc[dataset]
        best = [list(row.index[row == row.max()]) for row in (theirs, ours)]
        constant = theirs.nunique() < 2 or ours.nunique() < 2
        rows.append(
            {
                "dataset": dataset,
                "spearman": None if constant else stats.spearmanr(theirs, ours).statistic,
                "kendall": None if constant else stats.kendalltau(theirs, ours).statistic,
                "published_best": ", ".join(best[0]),
                "reproduced_best": ", ".join(best[1]),
                "same_best": bool(set(best[0]) & set(best[1])),
            }
        )
    columns = ["dataset", "spearman", "kendall", "published_best", "reproduced_best", "same_best"]
    return pd.DataFrame(rows, columns=columns)


def ranks_and_tests(compared, key, datasets):
    """Compute average ranks, Friedman's and Nemenyi's tests, and Wilcoxon tests of the publication's best method.

    `scores` is the matrix of a row; p_value in the second table belongs to F.
    """
    ranks, tests, pairs, reference = [], [], [], None
    for name, matrix in matrices(compared, key, datasets).items():
        if len(matrix) < 2 or matrix.shape[1] < 3:
            continue
        averages = average_ranks(matrix)
        if reference is None:
            reference = averages.idxmin()
        ranks += [(name, method, rank) for method, rank in averages.items()]
        test, distance = friedman_test(matrix), critical_distance(matrix.shape[1], len(matrix))
        tests.append((name, *matrix.shape, test.statistic, test.iman_davenport, test.iman_davenport_p_value, distance))
        comparison = against_reference(matrix, reference)
        pairs += [(name, *row) for row in comparison]
    names = ["scores", "n_datasets", "n_methods", "chi_squared", "F", "p_value", "critical_distance"]
    return (
        pd.DataFrame(ranks, columns=["scores", key, "average_rank"]),
        pd.DataFrame(tests, columns=names),
        pd.DataFrame(pairs, columns=["scores", *COLUMNS]),
    )
