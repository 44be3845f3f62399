"""Published values against reproduced ones."""

import math
from textwrap import fill

import numpy as np
from matplotlib.figure import Figure

from sslrank.plotting.style import GREY, PALETTE, look, new_axes, styles_for

#: Positive values that span more than this factor are drawn on logarithmic axes.
WIDE = 1000
#: Values further from the quartiles than this many interquartile ranges are drawn at the edge.
FAR = 10


def published_vs_reproduced(
    table, *, kind="scatter", label="item", group=None, panel=None, xlabel="value", title=None, ax=None
):
    """Draw two values of each item: a scatter with the line of equality, or a dumbbell per item.

    A few values far away from all others are drawn at the edge of the scatter, with hollow markers.

    Parameters
    ----------
    table : DataFrame
        Columns `published`, `reproduced`, the item's name in `label`, and optionally `group`. Rows with a
        missing value are left out of the scatter; the dumbbell shows the value that is there.
    kind : {"scatter", "dumbbell"}, default="scatter"
    label : str, default="item"
        Column of names (dumbbell).
    group : str, optional
        Column whose values get colours of their own (scatter).
    panel : str, optional
        Column whose values get panels of their own, on the same axes (scatter); `ax` is not used then.
    xlabel : str
        Name of the compared quantity, for the axes.
    title : str, optional
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If `kind` is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.plotting import published_vs_reproduced
    >>> table = pd.DataFrame({"item": ["iris", "wine"], "published": [0.9, 0.8], "reproduced": [0.91, 0.78]})
    >>> figure = published_vs_reproduced(table, kind="dumbbell", xlabel="accuracy")
    """
    if kind == "scatter":
        if panel is not None:
            return _panels(table, panel, group, xlabel, title)
        return _scatter(table, group, xlabel, title, ax)
    if kind == "dumbbell":
        return _dumbbell(table, label, xlabel, title, ax)
    raise ValueError(f"kind must be 'scatter' or 'dumbbell', got {kind!r}")


def _scatter(table, group, xlabel, title, ax):
    both = table.dropna(subset=["published", "reproduced"])
    with look():
        figure, ax = new_axes(ax, 6.2 if group else 4.6, 4.4)
        _points(ax, both, group, _styles(both, group), *_axis(both))
        ax.set(xlabel=f"published {xlabel}{_hint(both)}", ylabel=f"reproduced {xlabel}")
        if group:
            ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
        if title:
            ax.set_title(fill(title, 48))
    return figure


def _panels(table, panel, group, xlabel, title):
    both = table.dropna(subset=["published", "reproduced"])
    parts, styles, axis = list(both.groupby(panel, sort=False)), _styles(both, group), _axis(both)
    columns = min(4, max(1, len(parts)))
    rows = max(1, math.ceil(len(parts) / columns))
    with look():
        heading = fill(title, 26 * columns) if title else ""
        height = 0.9 + 0.25 * heading.count("\n") + 2.3 * rows
        figure = Figure(figsize=(1.4 + 2.1 * columns, height), layout="compressed")
        axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for ax in axes.flat[len(parts) :]:
            ax.axis("off")
        for ax in axes.flat[len(parts) - columns : len(parts)]:
            ax.tick_params(labelbottom=True)  # no panel may stand below
        for ax, (name, part) in zip(axes.flat, parts, strict=False):
            _points(ax, part, group, styles, *axis)
            ax.set_title(fill(str(name), 22), fontsize="medium")
        if group:
            marks = [
                axes[0, 0].plot([], [], marker, color=color, label=name)[0] for name, (color, marker) in styles.items()
            ]
            figure.legend(handles=marks, loc="outside right center")
        figure.supxlabel(f"published {xlabel}{_hint(both)}", fontsize="medium")
        figure.supylabel(f"reproduced {xlabel}", fontsize="medium")
        if heading:
            figure.suptitle(heading)
    return figure


def _styles(table, group):
    return styles_for(table[group]) if group else {None: (PALETTE[0], "o")}


def _values(table):
    return table[["published", "reproduced"]].to_numpy(dtype=np.float64)


def _axis(table):
    """Ends and scale of both axes."""
    values = _values(table)
    low, high = (values.min(), values.max()) if values.size else (0.0, 1.0)
    if low > 0 and high > WIDE * low:
        return [low / 1.3, high * 1.3], "log"
    if values.size:
        quartiles = np.quantile(values, [0.25, 0.75])
        near = np.abs(values - np.clip(values, *quartiles)) <= FAR * np.diff(quartiles)
        if near.mean() > 0.9:
            low, high = values[near].min(), values[near].max()
    pad = 0.06 * (high - low) or 0.5
    return [low - pad, high + pad], "linear"


def _outside(values, ends):
    return ((values < ends[0]) | (values > ends[1])).any(axis=1)


def _hint(table):
    count = _outside(_values(table), _axis(table)[0]).sum()
    return f" (hollow: {count} beyond the edge)" if count else ""


def _points(ax, table, group, styles, ends, scale):
    ax.set(xscale=scale, yscale=scale)
    ax.plot(ends, ends, color=GREY, linewidth=1, linestyle=":", zorder=1)
    if ends[0] < 0 < ends[1]:
        ax.axhline(0, color=GREY, linewidth=0.6)
        ax.axvline(0, color=GREY, linewidth=0.6)
    for name, part in [(None, table)] if group is None else table.groupby(group, sort=False):
        color, marker = styles[name]
        values = _values(part)
        outside = _outside(values, ends)
        x, y = np.clip(values, *ends).T
        ax.plot(x[~outside], y[~outside], marker, color=color, alpha=0.85, label=name, zorder=3)
        if outside.any():
            ax.plot(x[outside], y[outside], marker, color=color, markerfacecolor="white", zorder=4, clip_on=False)
    ax.set(xlim=ends, ylim=ends)
    ax.set_aspect("equal", adjustable="box")


def _dumbbell(table, label, xlabel, title, ax):
    names = [str(name) for name in table[label]]
    published = table["published"].to_numpy(dtype=np.float64)
    reproduced = table["reproduced"].to_numpy(dtype=np.float64)
    with look():
        figure, ax = new_axes(ax, 6.4, 1.3 + 0.24 * len(names))
        y = np.arange(len(names))
        ax.hlines(y, published, reproduced, color="#b5b5b5", linewidth=2.2, zorder=2)
        ax.plot(published, y, "D", color=GREY, label="published", zorder=3, markerfacecolor="white")
        ax.plot(reproduced, y, "o", color=PALETTE[0], label="reproduced", zorder=3)
        ax.set_yticks(y, names)
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.set_xlabel(xlabel)
        ax.grid(axis="y", visible=False)
        if np.nanmin([published, reproduced], initial=0) < 0:
            ax.axvline(0, color=GREY, linewidth=0.8)
        figure.legend(loc="outside upper right", ncols=2)
        if title:
            ax.set_title(title)
    return figure
