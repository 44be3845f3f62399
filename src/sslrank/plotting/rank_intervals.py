"""Mean ranks of features with the spread over samples of the rows."""

from sslrank.plotting.style import PALETTE, look, new_axes


def rank_intervals(table, *, title=None, ax=None):
    """One line per feature: its mean rank and the interval of its ranks.

    Parameters
    ----------
    table : DataFrame
        Columns feature, mean_rank, low, high; the first row is drawn on top.
    title : str, optional
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib.figure.Figure
    """
    with look():
        figure, ax = new_axes(ax, 6.4, 1.0 + 0.24 * len(table))
        places = range(len(table))
        ax.hlines(places, table["low"], table["high"], color=PALETTE[0], linewidth=2.5, alpha=0.4)
        ax.plot(table["mean_rank"], places, "o", color=PALETTE[0])
        ax.set_yticks(places, [str(name) for name in table["feature"]])
        ax.set_ylim(len(table) - 0.5, -0.5)
        ax.set_xlabel("rank (1 is the best)")
        if title:
            ax.set_title(title)
    return figure
