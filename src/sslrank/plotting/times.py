"""Run times of the methods."""

import numpy as np

from sslrank.plotting.style import look, new_axes, styles_for

_HATCH = {"ssl": "", "sl": "////"}


def time_bars(table, *, title=None, ax=None):
    """Draw bars of seconds on a logarithmic axis, the fastest method on top; SL hatched next to SSL.

    Parameters
    ----------
    table : DataFrame
        Columns `method`, `seconds` and optionally `mode`. Several rows of one method and mode are summed up
        by their median, with a line from the first to the third quartile.
    title : str, optional
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.plotting import time_bars
    >>> figure = time_bars(pd.DataFrame({"method": ["relief", "genie3"], "seconds": [0.4, 2.5]}))
    """
    table = table.assign(mode=table.get("mode", "ssl")).dropna(subset=["seconds"])
    order = list(table.groupby("method")["seconds"].median().sort_values(kind="stable").index)
    modes = [mode for mode in _HATCH if (table["mode"] == mode).any()]
    styles = styles_for(order)
    height = 0.8 / max(len(modes), 1)
    with look():
        figure, ax = new_axes(ax, 6.4, 1.2 + 0.34 * len(order) * max(1, 0.7 * len(modes)))
        for i, mode in enumerate(modes):
            for y, method in enumerate(order):
                seconds = table.loc[(table["method"] == method) & (table["mode"] == mode), "seconds"]
                if seconds.empty:
                    continue
                place = y - 0.4 + height * (i + 0.5)
                first, median, third = np.quantile(seconds, [0.25, 0.5, 0.75])
                ax.barh(
                    place,
                    median,
                    height * 0.92,
                    color=styles[method][0],
                    alpha=1.0 if mode == "ssl" else 0.55,
                    hatch=_HATCH[mode],
                    edgecolor="white",
                    linewidth=0,
                )
                if third > first:
                    ax.plot([first, third], [place, place], color="black", linewidth=1)
                ax.annotate(
                    f"{median:.3g} s" + (f" {mode.upper()}" if len(modes) > 1 else ""),
                    (max(third, median), place),
                    xytext=(4, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=8,
                )
        ax.set_xscale("log")
        ax.set_yticks(np.arange(len(order)), order)
        ax.set_ylim(len(order) - 0.4, -0.6)
        ax.margins(x=0.18)
        ax.set_xlabel("seconds (median)")
        ax.grid(axis="y", visible=False)
        if title:
            ax.set_title(title)
    return figure
