"""Performance over the number of features: paper ssfi, Fig. 1; scls thesis, Figs. 4.2 and 5.0."""

import numpy as np
from matplotlib.ticker import NullFormatter

from sslrank.plotting.style import GREY, look, measure_label, new_axes, styles_for

#: More numbers of features than this are drawn on a logarithmic axis.
LONG = 200


def feature_curves(
    table,
    *,
    ylabel="performance",
    higher_is_better=None,
    enough=None,
    reference=None,
    reference_label=None,
    log_sizes=None,
    dashed=(),
    ax=None,
):
    """Draw curves over the number of best features, one colour per ranking.

    Parameters
    ----------
    table : DataFrame
        Columns `size`, `ranking`, `value`, and optionally `error` (drawn as a band of plus and minus one).
    ylabel : str
        The measure.
    higher_is_better : bool, optional
        Noted on the axis.
    enough : int or (int, int), optional
        A number of features, or the ends of a range, that is marked.
    reference : float, optional
        A dotted horizontal line, such as the score of the largest class.
    reference_label : str, optional
    log_sizes : bool, optional
        Logarithmic axis of sizes; by default where there are more than 200 features.
    dashed : collection of str
        Rankings that are drawn in grey and dashed, such as random ones.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.plotting import feature_curves
    >>> table = pd.DataFrame({"ranking": "best first", "size": [1, 2, 3], "value": [0.6, 0.8, 0.8], "error": 0.02})
    >>> figure = feature_curves(table, enough=(2, 3), reference=0.5, reference_label="largest class")
    """
    styles = styles_for(name for name in table["ranking"] if name not in dashed)
    styles |= {name: (GREY, "") for name in dict.fromkeys(table["ranking"]) if name in dashed}
    if log_sizes is None:
        # Curves of rankings keep their linear axis; the own table's are drawn over all numbers of features.
        log_sizes = enough is not None and table["size"].max() > LONG
    with look():
        figure, ax = new_axes(ax, 6.4, 3.6)
        if enough is not None:
            low, high = np.broadcast_to(np.asarray(enough), 2)
            text = f"{low} are enough" if low == high else f"{low} to {high}: within a standard error of the best"
            if low < high:
                ax.axvspan(low, high, color=GREY, alpha=0.15, linewidth=0, label=text)
            else:
                ax.axvline(low, color=GREY, linewidth=1.2, linestyle=(0, (2, 3)), label=text)
        if reference is not None:
            ax.axhline(reference, color=GREY, linestyle=":", linewidth=1.4, label=reference_label)
        for ranking, (color, marker) in styles.items():
            part = table[table["ranking"] == ranking].sort_values("size")
            every = 0.09 if len(part) > 12 else None  # of the diagonal of the picture
            dash = "--" if ranking in dashed else "-"
            ax.plot(part["size"], part["value"], dash, color=color, marker=marker, markevery=every, label=ranking)
            if "error" in part:
                low, high = part["value"] - part["error"], part["value"] + part["error"]
                ax.fill_between(part["size"].astype(float), low, high, color=color, alpha=0.12, linewidth=0)
        if log_sizes:
            ax.set_xscale("log")
            ax.xaxis.set_major_formatter("{x:g}")
            ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set_xlabel("number of features")
        ax.set_ylabel(measure_label(ylabel, higher_is_better))
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure
