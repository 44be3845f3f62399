"""Small line charts side by side, one for each panel."""

from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter

from sslrank.plotting.style import figure_style, styles_for

#: End of the names of lines that are dashed, in the colour of the line without it.
DASHED = ", SL"


def line_panels(table, *, title=None, ax=None):
    """Draw lines over a number, one chart for each panel.

    Parameters
    ----------
    table : DataFrame
        Columns `panel`, `line`, `x`, `y`, and optionally `error` (drawn as a band of plus and minus one), and `xlabel`,
        `ylabel` and `logx`, which are the same within a panel. A line whose name ends in ", SL" is dashed, in the
        colour of the line without it.
    title : str, optional
    ax : matplotlib Axes, optional
        For a table with one panel.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.plotting import line_panels
    >>> table = pd.DataFrame({"panel": "rows", "line": "forest", "x": [1, 2, 4], "y": [1.0, 2.1, 4.4]})
    >>> figure = line_panels(table)
    """
    panels = list(dict.fromkeys(table["panel"]))
    base = {name: name.removesuffix(DASHED) for name in table["line"]}
    styles = styles_for(base.values())
    n_columns = min(len(panels), 3)
    n_rows = -(-len(panels) // n_columns)
    width, height = (4.5, 3.3) if len(panels) == 1 else (3.1, 2.7)
    with figure_style():
        is_given = ax is not None
        if not is_given:
            size = (width * n_columns + 1.9, height * n_rows + 0.3)
            figure = Figure(figsize=size, layout="constrained")
            axes = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
        else:
            figure, axes = ax.figure, [ax]
        labels = {}
        for ax, panel in zip(axes, panels, strict=False):
            part = table[table["panel"] == panel]
            first = part.iloc[0]
            for name, line in part.groupby("line", sort=False):
                (color, marker), dashed = styles[base[name]], base[name] != name
                spacing = 0.09 if len(line) > 12 else None  # of the diagonal of the picture
                (drawn,) = ax.plot(line["x"], line["y"], "--" if dashed else "-", color=color,
                                   marker="" if dashed else marker, markevery=spacing, label=name)  # fmt: skip
                labels.setdefault(name, drawn)
                if "error" in line:
                    ends = line["y"] - line["error"], line["y"] + line["error"]
                    ax.fill_between(line["x"].astype(float), *ends, color=color, alpha=0.12, linewidth=0)
            ax.set(title=panel, xlabel=first.get("xlabel", ""), ylabel=first.get("ylabel", ""))
            if first.get("logx", False):
                ax.set_xscale("log")
                ax.xaxis.set_major_formatter("{x:g}")  # Matplotlib's labels are formulas, which style.py turns off
                ax.xaxis.set_minor_formatter(LogFormatter())
        for ax in axes[len(panels) :]:
            ax.set_visible(False)
        if is_given:
            axes[0].legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
        else:
            figure.legend(labels.values(), labels.keys(), loc="outside right center")
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure
