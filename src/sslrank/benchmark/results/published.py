"""Compare published tables with the reproduced ones: values, and for a leaderboard orders, average ranks and tests.

Orders, ranks and tests are of one score per dataset and method (:func:`match_published`). Each of these statistics is
computed on all published scores, on the published scores of the reproduced datasets, and on the reproduced scores. The
first shows whether the published numbers support the claims; the other two differ only by the reproduction.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from scipy import stats

from sslrank.stats.rank_tests import average_ranks, critical_distance, friedman_test, wilcoxon_test

PUBLISHED = "published"
SAME_DATASETS = "published, same datasets"
REPRODUCED = "reproduced"
#: Columns of the tests of one method against each of the others.
COLUMNS = ["first", "second", "n_datasets", "wins", "ties", "losses", "median_difference", "p_value"]


def read_names(path):
    """Read published names by column: ``{"ranking": {"Random Forest": "random_forest"}, ...}``."""
    path = Path(path)
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _plain(name):
    return "".join(c for c in str(name).lower() if c.isalnum())


def to_our_names(values, mapping, known):
    """Translate published names by a mapping, or else to a known name, ignoring case and punctuation.

    A name without a counterpart is unchanged.
    """
    loose = {_plain(name): name for name in known}
    strict = {str(key): value for key, value in mapping.items()}
    return [strict.get(str(value), loose.get(_plain(value), str(value))) for value in values]


def match_published(ours, files, keys, values, *, names=None, datasets=None):
    """Match the cells of published CSV files with those of a reproduced table with these keys and values.

    Key columns that a file lacks are ignored. `names` come from :func:`read_names`; `datasets` has our name by
    published name. All published cells are listed; missing reproduced values are empty.
    """
    names = dict(names or {})
    names["dataset"] = {**names.get("dataset", {}), **(datasets or {})}
    parts = []
    for file in files:
        table = pd.read_csv(file, dtype=dict.fromkeys(keys, str))
        shared = [key for key in keys if key in table.columns]
        for key in shared:
            table[key] = to_our_names(table[key], names.get(key, {}), ours[key].astype(str).unique())
        reproduced = ours.copy()
        for key in shared:
            reproduced[key] = reproduced[key].astype(str)
        reproduced = reproduced.drop_duplicates(shared)
        for value in (name for name in values if name in table.columns):
            columns = [*shared, *(name for name in (value, "spread") if name in reproduced.columns)]
            if value not in reproduced.columns:
                continue
            cells = table[[*shared, value]].rename(columns={value: "published"})
            cells = cells.merge(reproduced[columns].rename(columns={value: "reproduced"}), on=shared, how="left")
            parts.append(cells.assign(source=Path(file).stem, quantity=value))
    columns = ["source", *keys, "quantity", "published", "reproduced", "difference", "spread"]
    if not parts:
        return pd.DataFrame(columns=columns)
    cells = pd.concat(parts, ignore_index=True).dropna(subset="published")
    cells["difference"] = cells["reproduced"] - cells["published"]
    return cells.reindex(columns=columns)


def agreement(compared):
    """Measure the agreement of a comparison, per variant of the table, task, measure and quantity.

    published and reproduced are numbers of cells, rank_correlation is Spearman's, same_sign a share (for differences),
    within_two_errors the share among cells with a spread.
    """
    groups = [name for name in ("variant", "task", "measure", "quantity") if name in compared.columns]
    numbers, rows = ["published", "reproduced", "difference", "spread"], []
    for key, part in compared.groupby(groups, sort=False, dropna=False):
        values = part[numbers].to_numpy(dtype=float)
        published, reproduced, difference, spread = values[~np.isnan(values[:, 1])].T
        row = dict(zip(groups, key, strict=True)) | {"published": len(part), "reproduced": len(published)}
        if len(published):
            row["mean_absolute_difference"] = np.abs(difference).mean()
            if row["quantity"] == "delta":
                row["same_sign"] = (np.sign(published) == np.sign(reproduced)).mean()
        if len(published) > 2 and np.ptp(published) and np.ptp(reproduced):
            row["rank_correlation"] = stats.spearmanr(published, reproduced).statistic
        if (has_spread := ~np.isnan(spread)).any():
            row["within_two_errors"] = (np.abs(difference) <= 2 * spread)[has_spread].mean()
        rows.append(row)
    columns = ["mean_absolute_difference", "rank_correlation", "same_sign", "within_two_errors"]
    return pd.DataFrame(rows).reindex(columns=[*groups, "published", "reproduced", *columns])


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
        correlations = None, None
        if theirs.nunique() > 1 and ours.nunique() > 1:
            correlations = stats.spearmanr(theirs, ours).statistic, stats.kendalltau(theirs, ours).statistic
        rows.append((dataset, *correlations, *map(", ".join, best), bool(set(best[0]) & set(best[1]))))
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
        for other in matrix.columns.drop(reference) if reference in matrix else ():
            pair = wilcoxon_test(matrix[reference], matrix[other])
            counts = (len(matrix), pair.wins, pair.ties, pair.losses)
            pairs.append((name, reference, other, *counts, pair.median_difference, pair.p_value))
    names = ["scores", "n_datasets", "n_methods", "chi_squared", "F", "p_value", "critical_distance"]
    return (
        pd.DataFrame(ranks, columns=["scores", key, "average_rank"]),
        pd.DataFrame(tests, columns=names),
        pd.DataFrame(pairs, columns=["scores", *COLUMNS]),
    )
