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
    names, places = [shortened(str(name), 32) for name in table[label]], np.arange(len(table))
    values, low, high = table.reindex(columns=["value", "low", "high"]).to_numpy(dtype=np.float64).T
    strong = table[highlight].to_numpy(dtype=bool) if highlight else np.ones(len(table), dtype=bool)
    with figure_style():
        figure, ax = new_axes(ax, 6.4, 0.9 + 0.26 * max(len(table), 1))
        for rows, alpha, face in ((strong, 0.4, PALETTE[0]), (~strong, 0.2, "white")):
            known = rows & np.isfinite(low) & np.isfinite(high)
            ax.hlines(places[known], low[known], high[known], color=PALETTE[0], linewidth=5, alpha=alpha, zorder=3)
            ax.plot(values[rows], places[rows], "o", color=PALETTE[0], markerfacecolor=face, zorder=4)
        if reference is not None:
            ax.axvline(reference, color=GREY, linestyle=":", linewidth=1.4, zorder=2, label=reference_label)
            if reference_label:
                ax.legend(loc="lower left", bbox_to_anchor=(0, 1))
        ax.set_yticks(places, names)
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.grid(axis="y", visible=False)
        ax.set_xlabel(xlabel or "")
    return figure
