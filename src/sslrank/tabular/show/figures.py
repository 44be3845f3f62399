"""Pictures of a ranking with matplotlib, a function for each kind of :meth:`sslrank.tabular.result.Ranking.plot`."""

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import linkage

from sslrank.plotting import feature_curves, heat_map, intervals, target_panels
from sslrank.tabular.show.report import other_ranks
from sslrank.tabular.trust.redundancy import CORRELATED, distances
from sslrank.tabular.trust.tests.related import FDR


def _best(result, count):
    """The best features without near-duplicates; `related` is True for those that are."""
    frame = result.in_texts
    frame = frame[frame["copy_of"] == ""].head(count)
    return frame.assign(related=(frame["q"] <= FDR) & result.tests.any_related)


def ranks(result, count, ax=None):
    """Ranks of the best features with their intervals; pale ones are not shown to be related."""
    frame = _best(result, count)
    return intervals(frame.assign(value=frame["rank"]), xlabel="rank (1 is the best)", highlight="related", ax=ax)


def effects(result, count, ax=None):
    """Effect sizes of the best features with their intervals."""
    frame = _best(result, count)
    measures = frame["effect_measure"].unique()
    table = frame.assign(value=frame["effect"], low=frame["effect_low"], high=frame["effect_high"])
    if len(measures) > 1:
        table["feature"] = frame["feature"] + " (" + frame["effect_measure"] + ")"
    none = 0.5 if "AUC" in measures else 0.0
    return intervals(
        table, xlabel=", ".join(measures), highlight="related", reference=none, reference_label="no relation", ax=ax
    )


def features(result, count):
    """The best features against the target, in the labelled rows."""
    if result.problem.columns.shape[1] > 1:
        raise ValueError("features are drawn against one target; there are several")
    labeled = result.table.labeled
    X = result.table.X.set_axis([str(name) for name in result.table.X.columns], axis=1)
    target = pd.Series(result.table.y[labeled])
    target = target.astype(float) if result.problem.task == "regression" else target.astype(str)
    return target_panels(X.loc[labeled, list(_best(result, count)["feature"])], target)


def methods(result, count):
    """Ranks of the best features by each method, and by importances from elsewhere; darker is better."""
    frame = _best(result, count)
    table = frame[[f"rank:{method}" for method in result.ranks]].set_axis(list(result.ranks), axis=1)
    table = table.join(other_ranks(result.in_texts)).set_index(frame["feature"])
    return _ranks(table, len(result.mean_rank))


def targets(result, count):
    """Rank of each feature for each of several targets, by its importance for this target in a forest."""
    if result.by_target is None:
        raise ValueError("the ranking has no importances for each of several targets")
    found = result.by_target.rank(ascending=False).loc[result.in_texts["feature"][:count]]
    return _ranks(found.iloc[:, :count], len(result.mean_rank))


def _ranks(table, n_features):
    shade = (1 - np.log(table) / np.log(max(n_features, 2))).clip(0, 1)
    return heat_map(shade, text=table.map(lambda rank: "" if pd.isna(rank) else f"{rank:g}"))


def curve(result, count, ax=None):
    """Score over the number of features, best, worst and random ones first; all numbers, whatever the count."""
    found = result.curve
    if found is None:
        raise ValueError("the ranking has no curve: effort='full' computes it")
    table = found.table
    parts = [
        pd.DataFrame({"size": table["size"], "ranking": name, "value": table[column], "error": error})
        for name, column, error in (
            ("best first", "best", table["error"]), ("worst first", "worst", 0.0), ("random", "random", 0.0)
        )
    ]  # fmt: skip
    return feature_curves(
        pd.concat(parts, ignore_index=True),
        ylabel=found.measure_name,
        higher_is_better=found.higher_is_better,
        enough=None if found.is_flat or not found.is_above_chance else (found.enough, found.upper),
        reference=found.chance if np.isfinite(found.chance) else None,
        reference_label="no features",
        dashed=("random",),
        log_sizes=bool(table["size"].iloc[-1] > 100),
        ax=ax,
    )


def correlations(result, count):
    """Association of the best features with each other, with the tree that joins them."""
    found = result.redundancy
    count = min(count, 0 if found is None else len(found.features))
    if count < 2:
        raise ValueError("association needs at least two features")
    part = found.association[:count, :count]
    names = [str(result.table.X.columns[j]) for j in found.features[:count]]
    return heat_map(
        pd.DataFrame(part, index=names, columns=names), linkage=linkage(distances(part), "complete"), cut=1 - CORRELATED
    )
