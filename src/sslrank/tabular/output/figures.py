"""Matplotlib figures of a ranking, one function for each kind of :meth:`sslrank.tabular.result.Ranking.plot`."""

import numpy as np
import pandas as pd

from sslrank.hypothesis_tests.related import FDR
from sslrank.plotting import intervals, line_panels
from sslrank.plotting.style import GREY, figure_style, measure_label, new_axes


def ranks(result, count, ax=None):
    """Plot the ranks of the best features with intervals; features not shown to be related are pale."""
    frame = result.features
    frame = frame[frame["copy_of"] == ""].head(count)
    frame = frame.assign(value=frame["rank"], related=(frame["q"] <= FDR) & result.tests.any_related)
    return intervals(frame, xlabel="rank (1 is the best)", highlight="related", ax=ax)


def curve(result, count, ax=None):
    """Plot the score against the number of features, for the best, worst and random features."""
    points = result.curve
    if points is None:
        raise ValueError("the ranking has no curve: effort='full' computes it")
    table, ylabel = points.table, measure_label(points.measure_name, points.higher_is_better)
    parts = [
        pd.DataFrame({"line": line, "x": table["size"], "y": table[column], "error": error})
        for line, column, error in (
            ("best first", "best", table["error"]), ("worst first", "worst", 0.0), ("random", "random", 0.0)
        )
    ]  # fmt: skip
    labels = {"panel": "", "xlabel": "number of features", "ylabel": ylabel, "logx": table["size"].iloc[-1] > 100}
    with figure_style():
        figure, ax = new_axes(ax, 6.4, 3.6)
        if points.is_conclusive:
            text = f"{points.enough} to {points.upper}: within a standard error of the best"
            ax.axvspan(points.enough, points.upper, color=GREY, alpha=0.15, linewidth=1.2, label=text)
        if np.isfinite(points.chance):
            ax.axhline(points.chance, color=GREY, linestyle=":", linewidth=1.4, label="no features")
        line_panels(pd.concat(parts, ignore_index=True).assign(**labels), ax=ax)
    return figure
