"""Published compared with reproduced values."""

import math
from textwrap import fill

import numpy as np
from matplotlib.figure import Figure

from sslrank.plotting.style import GREY, figure_style, styles_for

#: Values further from the quartiles than this many interquartile ranges are drawn at the edge.
FAR = 10


def published_vs_reproduced(table, *, group=None, panel=None, xlabel="value", title=None):
    """Draw two values of each item as points, with the line of equality.

    Outliers are drawn at the edge.

    Parameters
    ----------
    table : DataFrame
        Columns `published` and `reproduced`. Rows with a missing value are left out.
    group : str, optional
        Column whose values get separate colours.
    panel : str, optional
        Column whose values get separate panels with the same axes.
    xlabel : str
        Name of the compared quantity, for the axes.
    title : str, optional

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.plotting import published_vs_reproduced
    >>> table = pd.DataFrame({"published": [0.9, 0.8], "reproduced": [0.91, 0.78]})
    >>> figure = published_vs_reproduced(table, xlabel="accuracy")
    """
    cells = table.dropna(subset=["published", "reproduced"])
    cells = cells.assign(_panel=cells[panel] if panel else "", _group=cells[group].astype(str) if group else "")
    parts, styles = list(cells.groupby("_panel", sort=False)), styles_for(cells["_group"])
    low, high = _axis_limits(cells[["published", "reproduced"]].to_numpy(dtype=np.float64))
    columns = min(4, max(1, len(parts)))
    rows = max(1, math.ceil(len(parts) / columns))
    size = 2.1 if panel else 3.6
    with figure_style():
        heading = fill(title, int(12 * size * columns)) if title else ""
        figsize = (1.4 + size * columns + bool(group), 0.9 + 0.25 * heading.count("\n") + (size + 0.2) * rows)
        figure = Figure(figsize=figsize, layout="compressed")
        axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for ax in axes.flat[len(parts) :]:
            ax.axis("off")
        for ax in axes.flat[max(len(parts) - columns, 0) : len(parts)]:
            ax.tick_params(labelbottom=True)  # there may be no panel below
        for ax, (name, part) in zip(axes.flat, parts, strict=False):
            ax.plot([low, high], [low, high], color=GREY, linewidth=1, linestyle=":", zorder=1)
            for kind, points in part.groupby("_group", sort=False):
                color, marker = styles[kind]
                x, y = points[["published", "reproduced"]].clip(low, high).to_numpy().T
                ax.plot(x, y, marker, color=color, alpha=0.85, zorder=3)
            ax.set(xlim=(low, high), ylim=(low, high), aspect="equal")
            ax.set_title(fill(str(name), 22), fontsize="medium")
        if group:
            marks = [
                axes[0, 0].plot([], [], mark, color=color, label=name)[0] for name, (color, mark) in styles.items()
            ]
            figure.legend(handles=marks, loc="outside right center")
        figure.supxlabel(f"published {xlabel}", fontsize="medium")
        figure.supylabel(f"reproduced {xlabel}", fontsize="medium")
        if heading:
            figure.suptitle(heading)
    return figure


def _axis_limits(values):
    """Compute the ends of both axes without outliers."""
    low, high = (values.min(), values.max()) if values.size else (0.0, 1.0)
    if values.size:
        quartiles = np.quantile(values, [0.25, 0.75])
        near = np.abs(values - np.clip(values, *quartiles)) <= FAR * np.diff(quartiles)
        if near.mean() > 0.9:
            low, high = values[near].min(), values[near].max()
    pad = 0.06 * (high - low) or 0.5
    return low - pad, high + pad
