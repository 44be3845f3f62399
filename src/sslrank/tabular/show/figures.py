"""Matplotlib figures of a ranking, one function for each kind of :meth:`sslrank.tabular.result.Ranking.plot`."""

import numpy as np
import pandas as pd

from sslrank.plotting import feature_curves, intervals
from sslrank.tabular.trust.tests.related import FDR


def ranks(result, count, ax=None):
    """Plot the ranks of the best features with intervals; features not shown to be related are pale."""
    frame = result.in_texts
    frame = frame[frame["copy_of"] == ""].head(count)
    frame = frame.assign(value=frame["rank"], related=(frame["q"] <= FDR) & result.tests.any_related)
    return intervals(frame, xlabel="rank (1 is the best)", highlight="related", ax=ax)


def curve(result, count, ax=None):
    """Plot the score against the number of features, for the best, worst and random features."""
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
