"""One value and its interval per row: mean ranks of features, importances, scores of methods."""

import numpy as np

from sslrank.core.messages import shortened
from sslrank.plotting.style import GREY, PALETTE, figure_style, new_axes


def intervals(table, *, label="feature", highlight=None, reference=None, reference_label=None, xlabel=None, ax=None):
    """Draw one line per row: a point at its value, and the interval around it.

    Parameters
    ----------
    table : DataFrame
        Columns `label`, `value`, and optionally `low` and `high`, the ends of the interval; missing ends are not
        drawn. The first row is drawn on top.
    label : str
        Column of names.
    highlight : str, optional
        A column of booleans: rows for which it is False are drawn pale.
    reference : float, optional
        Position of a dotted vertical line, such as chance level.
    reference_label : str, optional
    xlabel : str, optional
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.plotting import intervals
    >>> table = pd.DataFrame({"feature": ["age", "income"], "value": [0.6, 0.4], "low": [0.5, 0.2], "high": [0.7, 0.6]})
    >>> figure = intervals(table, reference=0.3, xlabel="importance")
    """
    names, heights = [shortened(str(name), 32) for name in table[label]], np.arange(len(table))
    values, low, high = table.reindex(columns=["value", "low", "high"]).to_numpy(dtype=np.float64).T
    strong = table[highlight].to_numpy(dtype=bool) if highlight else np.ones(len(table), dtype=bool)
    with figure_style():
        figure, ax = new_axes(ax, 6.4, 0.9 + 0.26 * max(len(table), 1))
        for rows, alpha, face in ((strong, 0.4, PALETTE[0]), (~strong, 0.2, "white")):
            known = rows & np.isfinite(low) & np.isfinite(high)
            ax.hlines(heights[known], low[known], high[known], color=PALETTE[0], linewidth=5, alpha=alpha, zorder=3)
            ax.plot(values[rows], heights[rows], "o", color=PALETTE[0], markerfacecolor=face, zorder=4)
        if reference is not None:
            ax.axvline(reference, color=GREY, linestyle=":", linewidth=1.4, zorder=2, label=reference_label)
            if reference_label:
                ax.legend(loc="lower left", bbox_to_anchor=(0, 1))
        ax.set_yticks(heights, names)
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.grid(axis="y", visible=False)
        ax.set_xlabel(xlabel or "")
    return figure


#: Names in a volcano plot at most, and the space of each in points.
MAX_NAMES, _NAME_WIDTH, _NAME_HEIGHT = 12, 90, 10


def volcano(table, *, reference=0.0, xlabel="effect", highlighted="related"):
    """Draw one point per row, and the names of the first highlighted rows that do not cover others.

    Parameters
    ----------
    table : DataFrame
        Columns `feature`, `x`, `y`, and `related`, whether the row is highlighted.
    reference : float
        Position of a dotted vertical line: no effect.
    xlabel, highlighted : str
        Labels of the x axis and of the highlighted rows.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"feature": ["a", "b"], "x": [0.6, 0.1], "y": [4, 0.2], "related": [True, False]})
    >>> figure = volcano(table)
    """
    strong = table["related"].to_numpy(dtype=bool)
    with figure_style():
        figure, ax = new_axes(None, 6.4, 4.6)
        for rows, color, label in ((~strong, GREY, "others"), (strong, PALETTE[1], highlighted)):
            count = f"{label} ({rows.sum()})"
            style = {"color": color, "alpha": 0.6, "markersize": 4, "rasterized": len(table) > 2000}
            ax.plot(table["x"][rows], table["y"][rows], "o", label=count, **style)
        ax.axvline(reference, color=GREY, linestyle=":", linewidth=1.2)
        ax.set(xlabel=xlabel, ylabel="-log10 p")
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
        named = []
        for name, x, y in table.loc[strong, ["feature", "x", "y"]].itertuples(index=False):
            at = ax.transData.transform((x, y)) * 72 / figure.dpi
            is_free = all(abs(at - other)[0] > _NAME_WIDTH or abs(at - other)[1] > _NAME_HEIGHT for other in named)
            if is_free and len(named) < MAX_NAMES:
                named.append(at)
                side = 1 if x >= reference else -1
                ax.annotate(
                    shortened(str(name), 24), (x, y), (-4 * side, 3), textcoords="offset points", fontsize=8,
                    ha="right" if side > 0 else "left",
                )  # fmt: skip
    return figure
