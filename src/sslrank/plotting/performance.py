"""Performance over the number of labels: paper ssl-ranking, Fig. 3."""

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from sslrank.plotting.style import GREY, look, measure_label, new_axes, styles_for

_DASHES = {"ssl": "-", "sl": "--"}


def performance_curves(table, *, ylabel="performance", higher_is_better=None, title=None, names=None, ax=None):
    """Draw curves over L: one colour per ranking, SSL solid and SL dashed.

    Parameters
    ----------
    table : DataFrame
        Columns `n_labeled` (numbers, or budgets such as "all", which stand at the right end), `ranking`,
        `value`, and optionally `mode` ("ssl" or "sl") and `error` (drawn as a band of plus and minus one).
    ylabel : str
        The measure.
    higher_is_better : bool, optional
        Noted on the axis.
    title : str, optional
    names : dict of str to str, optional
        The legend's text of a ranking, if it is not the ranking's name.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.plotting import performance_curves
    >>> table = pd.DataFrame({"n_labeled": [50, 100, "all"], "ranking": "relief", "value": [0.6, 0.7, 0.8]})
    >>> figure = performance_curves(table, ylabel="f1_macro", higher_is_better=True)
    """
    names = names or {}
    table = table.assign(mode=table.get("mode", "ssl"))
    positions, ticks = _positions(table["n_labeled"])
    styles = styles_for(table["ranking"])
    with look():
        figure, ax = new_axes(ax, 6.4, 3.6)
        for ranking, (color, marker) in styles.items():
            for mode, dash in _DASHES.items():
                part = table[(table["ranking"] == ranking) & (table["mode"] == mode)]
                if part.empty:
                    continue
                part = part.assign(x=part["n_labeled"].astype(str).map(positions)).sort_values("x")
                face = color if mode == "ssl" else "white"
                ax.plot(part["x"], part["value"], dash, color=color, marker=marker, markerfacecolor=face)
                if "error" in part:
                    low, high = part["value"] - part["error"], part["value"] + part["error"]
                    ax.fill_between(part["x"], low, high, color=color, alpha=0.12, linewidth=0)
        ax.set_xticks(list(ticks), ticks.values())
        ax.set_xlabel("labelled examples L")
        ax.set_ylabel(measure_label(ylabel, higher_is_better))
        if title:
            ax.set_title(title)
        handles = [Line2D([], [], color=c, marker=m, label=names.get(name, name)) for name, (c, m) in styles.items()]
        present = [mode for mode in _DASHES if (table["mode"] == mode).any()]
        if len(present) > 1:
            handles += [Line2D([], [], color=GREY, linestyle=_DASHES[m], label=m.upper()) for m in present]
        ax.legend(handles=handles, loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure


def _positions(budgets):
    """Place each budget on the x axis, words right of the numbers; return positions by budget, and tick labels."""
    names = list(dict.fromkeys(str(budget) for budget in budgets))
    numbers = pd.to_numeric(pd.Series(names), errors="coerce").to_numpy(dtype=np.float64)
    known = np.sort(numbers[~np.isnan(numbers)])
    step = (known[-1] - known[0]) / max(len(known) - 1, 1) if known.size else 1.0
    right = known[-1] if known.size else 0.0
    positions = {}
    for name, number in zip(names, numbers, strict=True):
        if np.isnan(number):
            right += step or 1.0
            number = right
        positions[name] = float(number)
    return positions, {x: name for name, x in positions.items()}
