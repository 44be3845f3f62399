"""Performance over the number of features: paper ssfi, Fig. 1; scls thesis, Figs. 4.2 and 5.0."""

from sslrank.plotting.style import look, measure_label, new_axes, styles_for


def feature_curves(table, *, ylabel="performance", higher_is_better=None, title=None, names=None, ax=None):
    """Curves over the number of top features, one colour per ranking.

    Parameters
    ----------
    table : DataFrame
        Columns `size`, `ranking`, `value`, and optionally `error` (drawn as a band of plus and minus one).
    ylabel : str
        The measure.
    higher_is_better : bool, optional
        Says so on the axis.
    title : str, optional
    names : dict of str to str, optional
        What the legend says instead of a ranking's name.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib.figure.Figure
    """
    names = names or {}
    with look():
        figure, ax = new_axes(ax, 6.4, 3.6)
        for ranking, (color, marker) in styles_for(table["ranking"]).items():
            part = table[table["ranking"] == ranking].sort_values("size")
            every = 0.09 if len(part) > 12 else None  # of the diagonal of the picture
            label = names.get(ranking, ranking)
            ax.plot(part["size"], part["value"], color=color, marker=marker, markevery=every, label=label)
            if "error" in part:
                low, high = part["value"] - part["error"], part["value"] + part["error"]
                ax.fill_between(part["size"].astype(float), low, high, color=color, alpha=0.12, linewidth=0)
        ax.set_xlabel("number of features")
        ax.set_ylabel(measure_label(ylabel, higher_is_better))
        if title:
            ax.set_title(title)
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure
