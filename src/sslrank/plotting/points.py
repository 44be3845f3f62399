"""One value and its interval per row: mean ranks of features, importances, scores of methods."""

import numpy as np

from sslrank.core.messages import shortened
from sslrank.plotting.style import GREY, PALETTE, look, new_axes


def intervals(
    table,
    *,
    label="feature",
    highlight=None,
    reference=None,
    reference_label=None,
    xlabel=None,
    ax=None,
):
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
        A dotted vertical line, such as what chance gives.
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
    names = [str(name) for name in table[label]]
    values = table["value"].to_numpy(dtype=np.float64)
    ends = [table[end].to_numpy(dtype=np.float64) if end in table else np.full(len(table), np.nan) for end in _ENDS]
    strong = table[highlight].to_numpy(dtype=bool) if highlight else np.ones(len(table), dtype=bool)
    with look():
        figure, ax = new_axes(ax, 6.4, 0.9 + 0.26 * max(len(table), 1))
        for place, (middle, low, high) in enumerate(zip(values, *ends, strict=True)):
            if np.isfinite([low, high]).all():
                alpha = 0.4 if strong[place] else 0.2
                (line,) = ax.plot([low, high], [place, place], color=PALETTE[0], linewidth=5, alpha=alpha, zorder=3)
                line.set_solid_capstyle("round")
            if np.isfinite(middle):
                (mark,) = ax.plot([middle], [place], "o", color=PALETTE[0], zorder=4)
                mark.set_markerfacecolor(PALETTE[0] if strong[place] else "white")
        if reference is not None:
            ax.axvline(reference, color=GREY, linestyle=":", linewidth=1.4, zorder=2)
            if reference_label:
                ax.annotate(
                    reference_label,
                    (reference, 1),
                    xycoords=("data", "axes fraction"),
                    xytext=(3, 3),
                    textcoords="offset points",
                    color=GREY,
                )
        ax.set_yticks(range(len(names)), [shortened(name, 32) for name in names])
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.grid(axis="y", visible=False)
        if xlabel:
            ax.set_xlabel(xlabel)
    return figure


_ENDS = ("low", "high")
