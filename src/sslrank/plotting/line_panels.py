"""Small line charts side by side, one for each panel."""

from matplotlib.figure import Figure

from sslrank.plotting.style import look, styles_for


def line_panels(table, *, title=None):
    """Draw lines over a number, one chart for each panel.

    Parameters
    ----------
    table : DataFrame
        Columns `panel`, `line`, `x`, `y`, and optionally `xlabel`, `ylabel` and `log` (both axes logarithmic), which
        are the same within a panel. A line whose name ends in ", formula" is dashed, in the colour of the line before
        it.
    title : str, optional

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
    suffix = ", formula"
    styles = styles_for(name for name in table["line"] if not name.endswith(suffix))
    n_columns = min(len(panels), 3)
    n_rows = -(-len(panels) // n_columns)
    with look():
        figure = Figure(figsize=(3.1 * n_columns + 1.9, 2.7 * n_rows + 0.3), layout="constrained")
        axes = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
        labels = {}
        for ax, panel in zip(axes, panels, strict=False):
            part = table[table["panel"] == panel]
            for name, line in part.groupby("line", sort=False):
                color, marker = styles[name.removesuffix(suffix)]
                dashed = name.endswith(suffix)
                (drawn,) = ax.plot(
                    line["x"], line["y"], "--" if dashed else "-", color=color, marker="" if dashed else marker
                )
                labels.setdefault(name, drawn)
            ax.set_title(panel)
            if "xlabel" in part:
                ax.set_xlabel(part["xlabel"].iloc[0])
            if "ylabel" in part:
                ax.set_ylabel(part["ylabel"].iloc[0])
            if "log" in part and bool(part["log"].iloc[0]):
                ax.set_xscale("log")
                ax.set_yscale("log")
                ax.set_xticks(sorted(set(part["x"])), minor=False)
                ax.set_xticks([], minor=True)
                ax.xaxis.set_major_formatter("{x:g}")
        for ax in axes[len(panels) :]:
            ax.set_visible(False)
        figure.legend(labels.values(), labels.keys(), loc="outside right center")
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure
