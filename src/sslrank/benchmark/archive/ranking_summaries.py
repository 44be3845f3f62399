"""Summaries of rankings for the archive: stability over the folds, best features, digests."""

import hashlib

import numpy as np
import pandas as pd

from sslrank.benchmark.archive.record import N_STORED, ORDERED, PARTS
from sslrank.benchmark.files import stacked
from sslrank.stats.stability import rank_agreement, ranks_of, selection_stability, top_features

#: Numbers of top features for which stability is computed; below 1 they are shares of the features.
TOPS = {"10": 10, "30": 30, "10pct": 0.1}


def summarize_rankings(table):
    """Summarize rankings over their folds, by L: the parts "ranking", "feature" and "stability" of a record."""
    tables = [summarize_table(budget, part) for budget, part in table.groupby("L", sort=False)]
    return {part: stacked([each[part] for each in tables], PARTS[part]) for part in ("ranking", "stability", "feature")}


def summarize_table(budget, table):
    """Summarize the rankings of one L, a table with mode, fold, ranking, feature and importance."""
    rows, features = {"ranking": [], "stability": []}, []
    for (mode, ranking), part in table.groupby(["mode", "ranking"], sort=False):
        wide = part.pivot(index="fold", columns="feature", values="importance")
        importances = wide[part["feature"].drop_duplicates()]
        key = {"L": budget, "mode": mode, "ranking": ranking}
        rows["stability"] += [key | row for row in stability_rows(importances.to_numpy())]
        features.append(pd.DataFrame(feature_rows(importances)).assign(**key))
        for fold, values in zip(importances.index, importances.to_numpy(), strict=True):
            rows["ranking"].append(key | {"fold": int(fold)} | digests(values) | {"best": best_first(values)})
    parts = {part: pd.DataFrame(table, columns=PARTS[part]) for part, table in rows.items()}
    return parts | {"feature": stacked(features, PARTS["feature"])}


def digests(importances):
    """Hash a ranking: `bits` from the bits of the importances, `order` from the ranks of the features."""
    values = np.asarray(importances, dtype="<f8") + 0.0  # -0 is 0
    return {"bits": _digest(values), "order": _digest(ranks_of([-values]).astype("<f8"))}


def best_first(importances):
    """Return positions of the best ``ORDERED`` features, best first; ties keep the order of the table."""
    return np.argsort(-np.asarray(importances, dtype=np.float64), kind="stable")[:ORDERED]


def _digest(values):
    return int.from_bytes(hashlib.sha256(values.tobytes()).digest()[:8], "little", signed=True)


def stability_rows(importances):
    """Compute the stability of a ranking over the folds, from an array of folds by features.

    The keys are n_features, n_folds, top ("10", "30", "10pct", or "all" for the whole ranking), k (number of top
    features), stability, lower, upper (:func:`sslrank.stats.stability.selection_stability`) and mean_size (mean number
    of selected features; below k if ties at rank k do not fit). For "all" the stability is the mean Spearman
    correlation between the folds' rankings, without an interval. Values of k as large as the dataset are left out.
    """
    n_folds, n_features = importances.shape
    common = {"n_features": n_features, "n_folds": n_folds}
    rows = []
    for top, size in TOPS.items():
        k = size if size >= 1 else max(1, round(size * n_features))
        if k >= n_features:
            continue
        selected = top_features(importances, k)
        stability = selection_stability(selected)
        values = {"stability": stability.value, "lower": stability.lower, "upper": stability.upper}
        rows.append(common | {"top": top, "k": k, "mean_size": selected.sum(axis=1).mean()} | values)
    overall = {"top": "all", "k": n_features, "mean_size": n_features, "stability": rank_agreement(importances)}
    return [*rows, common | overall]


def feature_rows(importances):
    """List the best features of a ranking (folds by features) by their mean rank over the folds, best first.

    The columns are place (1 is the best), feature, mean_rank, rank_deviation, mean_importance, importance_deviation
    (standard deviations over the folds, NaN for one fold), and selected, the share of folds in which it is among the
    best 30. Ties in mean rank are broken by mean importance, then by the order of the table.
    """
    values = importances.to_numpy()
    ranks = ranks_of(-values)
    mean, importance = ranks.mean(axis=0), values.mean(axis=0)
    best = np.lexsort((-importance, mean))[:N_STORED]
    spread = len(values) > 1
    return {
        "place": np.arange(1, len(best) + 1),
        "feature": importances.columns[best],
        "mean_rank": mean[best],
        "rank_deviation": ranks[:, best].std(axis=0, ddof=1) if spread else np.nan,
        "mean_importance": importance[best],
        "importance_deviation": values[:, best].std(axis=0, ddof=1) if spread else np.nan,
        "selected": top_features(values, N_STORED)[:, best].mean(axis=0),
    }
