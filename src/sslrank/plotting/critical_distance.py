"""Critical-distance diagram: Demsar 2006, Fig. 1; paper eca, Fig. 3."""

import numpy as np
import pandas as pd

from sslrank.plotting.style import GREY, look, new_axes
from sslrank.stats.rank_tests import undistinguished_groups


def critical_distance_diagram(average_ranks, critical_distance, *, groups=None, title=None, ax=None):
    """Draw methods on an axis of average ranks; a bar joins those that do not differ significantly.

    Parameters
    ----------
    average_ranks : Series or dict
        Average rank by method, 1 the best, which stands on the left.
    critical_distance : float
    groups : list of list of str, optional
        Methods under one bar; by default those closer than the critical distance.
    title : str, optional
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from sslrank.plotting import critical_distance_diagram
    >>> figure = critical_distance_diagram({"relief": 1.4, "genie3": 2.1, "random": 3.0}, critical_distance=0.9)
    """
    ranks = pd.Series(average_ranks, dtype=np.float64).sort_values(kind="stable")
    n = len(ranks)
    if groups is None:
        groups = undistinguished_groups(ranks, critical_distance)
    half = (n + 1) // 2
    bar_gap, row_gap = 0.22, 0.36
    first_row = 0.45 + bar_gap * len(groups)
    bottom = first_row + row_gap * max(half - 1, 0) + 0.25
    with look():
        figure, ax = new_axes(ax, 7.0, 0.55 * (bottom + 1.2) + 0.55)
        low, high = 1.0, float(max(n, 2))
        span = high - low
        margin = 0.42 * span
        ax.set(xlim=(low - margin, high + margin), ylim=(bottom, -1.15))
        ax.axis("off")
        ax.plot([low, high], [0, 0], color="black", linewidth=1.2)
        for tick in range(1, int(high) + 1):
            ax.plot([tick, tick], [-0.12, 0], color="black", linewidth=1.2)
            ax.text(tick, -0.2, str(tick), ha="center", va="bottom")
        shown = min(critical_distance, span)
        ax.plot([low, low + shown], [-0.78, -0.78], color="black", linewidth=1.6)
        for end in (low, low + shown):
            if end == low or shown == critical_distance:
                ax.plot([end, end], [-0.86, -0.70], color="black", linewidth=1.6)
        more = "" if shown == critical_distance else ", longer than the axis"
        ax.text(low + shown + 0.015 * span, -0.78, f"critical distance {critical_distance:.4g}{more}", va="center")
        for place, (name, rank) in enumerate(ranks.items()):
            left = place < half
            row = first_row + row_gap * (place if left else n - 1 - place)
            edge = low - 0.05 * span if left else high + 0.05 * span
            ax.plot([rank, rank, edge], [0, row, row], color=GREY, linewidth=0.9)
            ax.plot([rank], [0], "o", color="black", markersize=3.5)
            label = f"{name}  {rank:.2f}" if left else f"{rank:.2f}  {name}"
            shift = -0.015 * span if left else 0.015 * span
            ax.text(edge + shift, row, label, ha="right" if left else "left", va="center")
        for place, group in enumerate(groups):
            ends = ranks[list(group)]
            y = 0.22 + bar_gap * place
            ax.plot(
                [ends.min() - 0.012 * span, ends.max() + 0.012 * span],
                [y, y],
                color="black",
                linewidth=4,
                solid_capstyle="butt",
            )
        if title:
            ax.set_title(title)
    return figure
