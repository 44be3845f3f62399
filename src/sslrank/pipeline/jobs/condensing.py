"""The condensing job: all rankings of a study as two small tables, their stability and their best features."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.stats import rankdata

from sslrank.stability import rank_agreement, selection_stability, top_features

#: What a ranking of all folds is.
KEYS = ["dataset", "task", "method", "ranking", "mode", "L"]
STABILITY_COLUMNS = [*KEYS, "n_features", "n_folds", "top", "k", "stability", "lower", "upper", "mean_size"]
#: Numbers of top features whose stability is told: two of everybody's, and a share of the features.
TOPS = {"10": 10, "30": 30, "10pct": 0.1}
#: Features kept of each ranking.
KEPT = 30
FEATURES = pa.schema(
    [(key, pa.string()) for key in KEYS]
    + [
        ("place", pa.int16()),
        ("feature", pa.string()),
        ("mean_rank", pa.float32()),
        ("rank_deviation", pa.float32()),
        ("mean_importance", pa.float32()),
        ("importance_deviation", pa.float32()),
        ("selected", pa.float32()),
    ]
)


def condense_job(stability, features, *, rankings):
    """Write the stability of every ranking over the folds, and its best features.

    Parameters
    ----------
    stability : path-like
        Gets a CSV with the columns :data:`STABILITY_COLUMNS`: see :func:`stability_rows`.
    features : path-like
        Gets a Parquet table with the columns :data:`FEATURES`: see :func:`feature_rows`.
    rankings : list of (dict, path-like)
        dataset, task, method and L of a ranking table, and the file.
    """
    rows, tables = [], []
    for job, path in rankings:
        for (mode, ranking), importances in rankings_of(path):
            key = {**job, "ranking": ranking, "mode": mode}
            rows += [key | row for row in stability_rows(importances.to_numpy())]
            tables.append(pd.DataFrame(feature_rows(importances)).assign(**key))
    pd.DataFrame(rows, columns=STABILITY_COLUMNS).to_csv(stability, index=False, float_format="%.5g")
    found = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=FEATURES.names)
    table = pa.Table.from_pandas(found[FEATURES.names], schema=FEATURES, preserve_index=False)
    pq.write_table(table.replace_schema_metadata(None), features, compression="zstd")


def rankings_of(path):
    """The rankings in a file of a ranking job.

    Yields
    ------
    (mode, ranking) : tuple of str
    importances : DataFrame
        Folds by features, of those folds that succeeded; in the order of the file.
    """
    table = pd.read_parquet(path)
    for key, part in table.groupby(["mode", "ranking"], sort=False):
        wide = part.pivot(index="fold", columns="feature", values="importance")
        yield key, wide[part["feature"].drop_duplicates()]


def stability_rows(importances):
    """How stable a ranking is over the folds.

    Parameters
    ----------
    importances : ndarray of shape (n_folds, n_features)

    Returns
    -------
    list of dict
        n_features, n_folds, top ("10", "30", "10pct", or "all" for the whole ranking), k (features in that top),
        stability, lower, upper (see :func:`sslrank.stability.selection_stability`) and mean_size (features that are
        selected, on average: fewer than k where some tie over the k-th place). For "all" it is the mean Spearman
        correlation of the folds' rankings, without an interval. Tops that are not smaller than the number of features
        are left out.
    """
    n_folds, n_features = importances.shape
    common = {"n_features": n_features, "n_folds": n_folds}
    rows = []
    for top, size in TOPS.items():
        k = size if size >= 1 else max(1, round(size * n_features))
        if k >= n_features:
            continue
        selected = top_features(importances, k)
        found = selection_stability(selected)
        values = {"stability": found.value, "lower": found.lower, "upper": found.upper}
        rows.append(common | {"top": top, "k": k, "mean_size": selected.sum(axis=1).mean()} | values)
    whole = {"top": "all", "k": n_features, "mean_size": n_features, "stability": rank_agreement(importances)}
    return [*rows, common | whole]


def feature_rows(importances):
    """The best features of a ranking by their mean rank over the folds, the best first.

    Parameters
    ----------
    importances : DataFrame
        Folds by features.

    Returns
    -------
    dict of str to array-like
        place (1 is the best), feature, mean_rank and rank_deviation, mean_importance and importance_deviation (standard
        deviations over the folds, NaN for one), and selected: the share of the folds that have it among their best 30.
        Features with the same mean rank come in the order of their mean importance, then in that of the table.
    """
    values = importances.to_numpy()
    ranks = rankdata(-values, axis=1)
    mean, importance = ranks.mean(axis=0), values.mean(axis=0)
    best = np.lexsort((-importance, mean))[:KEPT]
    spread = len(values) > 1
    return {
        "place": np.arange(1, len(best) + 1),
        "feature": importances.columns[best],
        "mean_rank": mean[best],
        "rank_deviation": ranks[:, best].std(axis=0, ddof=1) if spread else np.nan,
        "mean_importance": importance[best],
        "importance_deviation": values[:, best].std(axis=0, ddof=1) if spread else np.nan,
        "selected": top_features(values, KEPT)[:, best].mean(axis=0),
    }
