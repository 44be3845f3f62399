"""Summaries of the rankings of a method on a dataset: stability over the folds, best features, digests."""

import hashlib

import numpy as np
import pandas as pd

from sslrank.benchmark.archive.record import KEPT, ORDERED, PARTS
from sslrank.benchmark.files import stacked
from sslrank.stats.stability import rank_agreement, ranks_of, selection_stability, top_features

#: Numbers of top features whose stability is computed; a number below 1 is a share of the features.
TOPS = {"10": 10, "30": 30, "10pct": 0.1}


def kept_of_rankings(table):
    """Describe rankings, by L, over their folds: the parts "ranking", "feature" and "stability" of a record."""
    found = [kept_of_table(budget, part) for budget, part in table.groupby("L", sort=False)]
    return {part: stacked([each[part] for each in found], PARTS[part]) for part in ("ranking", "stability", "feature")}


def kept_of_table(budget, table):
    """The same of one table of rankings (mode, fold, ranking, feature, importance), those of one L."""
    rows, features = {"ranking": [], "stability": []}, []
    for (mode, ranking), part in table.groupby(["mode", "ranking"], sort=False):
        wide = part.pivot(index="fold", columns="feature", values="importance")
        importances = wide[part["feature"].drop_duplicates()]
        key = {"L": budget, "mode": mode, "ranking": ranking}
        rows["stability"] += [key | row for row in stability_rows(importances.to_numpy())]
        features.append(pd.DataFrame(feature_rows(importances)).assign(**key))
        for fold, values in zip(importances.index, importances.to_numpy(), strict=True):
            rows["ranking"].append(key | {"fold": int(fold)} | digests(values) | {"best": best_first(values)})
    found = {part: pd.DataFrame(table, columns=PARTS[part]) for part, table in rows.items()}
    return found | {"feature": stacked(features, PARTS["feature"])}


def digests(importances):
    """Numbers that distinguish rankings: `bits` by the importances' bits, `order` by the features' ranks only."""
    values = np.asarray(importances, dtype="<f8") + 0.0  # -0 is 0
    return {"bits": _digest(values), "order": _digest(ranks_of([-values]).astype("<f8"))}


def best_first(importances):
    """Positions of the best ``ORDERED`` features, the best first; of equal ones the first in the table first."""
    return np.argsort(-np.asarray(importances, dtype=np.float64), kind="stable")[:ORDERED]


def _digest(values):
    return int.from_bytes(hashlib.sha256(values.tobytes()).digest()[:8], "little", signed=True)


def stability_rows(importances):
    """Stability of a ranking over the folds, from an array of folds by features.

    The keys are n_features, n_folds, top ("10", "30", "10pct", or "all" for the whole ranking), k (features in that
    top), stability, lower, upper (:func:`sslrank.stats.stability.selection_stability`) and mean_size (features selected
    on average; fewer than k where more features than fit tie at rank k). For "all" it is the mean Spearman
    correlation of the folds' rankings, without an interval. Tops as large as the dataset are left out.
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
    """The best features of a ranking (folds by features) by their mean rank over the folds, the best first.

    The columns are place (1 is the best), feature, mean_rank, rank_deviation, mean_importance, importance_deviation
    (standard deviations over the folds, NaN for one), and selected: the share of the folds that have it among their
    best 30. Features with the same mean rank come in the order of their mean importance, then in that of the table.
    """
    values = importances.to_numpy()
    ranks = ranks_of(-values)
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
