"""Tables as heat maps: ranks by method, association of features with a dendrogram, importance per target."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from scipy.cluster.hierarchy import dendrogram

from sslrank.core.messages import shortened
from sslrank.plotting.style import GREY, PALETTE, look

#: Numbers are written in the cells of tables with at most this many columns.
_MOST_TEXTS = 24
#: Shade of a cell of 1.
_DARKEST = 0.75


def heat_map(table, *, text=None, linkage=None, cut=None, title=None, xlabel=None):
    """Draw a table of numbers from -1 to 1 as shaded cells, optionally next to the dendrogram of its rows.

    Parameters
    ----------
    table : DataFrame
        Rows and columns are named by its index and columns. 0 has no shade, 1 the darkest, negative numbers another
        colour; a missing value leaves its cell empty.
    text : DataFrame of str, optional
        What is written in the cells; by default the numbers with two digits, and nothing beyond 24 columns.
    linkage : ndarray, optional
        Of the rows, as from :func:`scipy.cluster.hierarchy.linkage`. Rows are drawn in its order; so are the columns
        where they are the rows' names.
    cut : float, optional
        Distance at which groups are formed: a dotted line in the dendrogram.
    title, xlabel : str, optional

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import pandas as pd
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sslrank.plotting import heat_map
    >>> names = ["age", "income", "spend"]
    >>> table = pd.DataFrame([[1, 0.2, 0.1], [0.2, 1, 0.9], [0.1, 0.9, 1]], index=names, columns=names)
    >>> figure = heat_map(table, linkage=linkage([0.8, 0.9, 0.1], "complete"), cut=0.2)
    """
    tree = None
    if linkage is not None:
        tree = dendrogram(linkage, orientation="left", no_plot=True)
        order, is_square = tree["leaves"], list(table.columns) == list(table.index)
        table = table.iloc[order, order] if is_square else table.iloc[order]
        if text is not None:
            text = text.iloc[order, order] if is_square else text.iloc[order]
    n_rows, n_columns = table.shape
    if text is None and n_columns <= _MOST_TEXTS:
        text = table.map(lambda value: "" if pd.isna(value) else f"{value:.2f}".replace("-", "\u2212"))
    cell = 0.42 if text is not None else 0.24
    longest = max((len(str(name)) for name in table.columns), default=0)
    is_turned = longest > 12 * cell
    width = 2.6 + cell * n_columns + (1.3 if tree else 0)
    height = 0.7 + 0.27 * n_rows + (min(0.055 * longest, 1.2) if is_turned else 0) + (0.4 if tree else 0)
    with look():
        figure = Figure(figsize=(min(width, 13.0), height), layout="constrained")
        if tree:
            beside, ax = figure.subplots(1, 2, width_ratios=[1.3, cell * n_columns + 2.2])
            _draw_tree(beside, tree, n_rows, cut)
        else:
            ax = figure.subplots()
        values = table.to_numpy(dtype=np.float64)
        for i, j in zip(*np.nonzero(np.isfinite(values)), strict=True):
            value = values[i, j]
            color = PALETTE[0] if value >= 0 else PALETTE[1]
            patch = Rectangle((j - 0.47, i - 0.45), 0.94, 0.9, color=color, alpha=_DARKEST * min(abs(value), 1))
            patch.set_linewidth(0)
            ax.add_patch(patch)
            if text is not None:
                ax.text(j, i, str(text.iat[i, j]), ha="center", va="center_baseline", fontsize=8)
        ax.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_rows - 0.5, -0.5))
        ax.set_yticks(range(n_rows), [shortened(str(name), 28) for name in table.index])
        if tree:
            ax.yaxis.tick_right()
        turn = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"} if is_turned else {}
        ax.set_xticks(range(n_columns), [shortened(str(name), 22) for name in table.columns], **turn)
        ax.xaxis.tick_top()
        ax.tick_params(length=0)
        ax.grid(visible=False)
        ax.spines[:].set_visible(False)
        if xlabel:
            ax.set_xlabel(xlabel)
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure


def _draw_tree(ax, tree, n_rows, cut):
    """Draw a dendrogram whose leaves stand at 0, 1, 2, ... next to the rows."""
    for places, distances in zip(tree["icoord"], tree["dcoord"], strict=True):
        ax.plot(distances, (np.asarray(places) - 5) / 10, color=GREY, linewidth=1.1)
    if cut is not None:
        ax.axvline(cut, color=PALETTE[1], linestyle=":", linewidth=1.2)
    ax.set(xlim=(max([1e-9, *np.ravel(tree["dcoord"])]) * 1.03, 0), ylim=(n_rows - 0.5, -0.5))
    ax.set_yticks([])
    ax.set_xlabel("distance")
    ax.grid(visible=False)
    ax.spines["left"].set_visible(False)
