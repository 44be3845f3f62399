"""The figure at the top of the report: SSL minus SL by kind of target, as published and by what evaluates rankings."""

from io import BytesIO

import numpy as np
from matplotlib.figure import Figure

from sslrank.plotting.style import GREY, PALETTE, figure_style

KINDS = {
    "classification": "classification",
    "multilabel": "several labels",
    "hierarchical": "hierarchy of labels",
    "regression": "a number",
    "multitarget": "several numbers",
}
#: Title, marker and colour of each series, in the order of the legend.
SERIES = {
    "published": ("published", "D", "#000000"),
    "own": ("our rankings, each evaluated by the rows that it was made from", "o", PALETTE[1]),
    "equal": ("no ranking (equal weights), evaluated in the same way", "s", PALETTE[4]),
    "labelled": ("our rankings, all evaluated by the labelled rows", "^", PALETTE[0]),
}


def gains_figure(readings, control):
    """Draw the mean of SSL minus SL for each kind of target.

    Parameters
    ----------
    readings : DataFrame
        dataset, task, variant ("own rows", "labelled rows"), published, reproduced: ssl-ranking, Tables 8 to 10.
    control : DataFrame
        The same of equal weights, with the variant "40NN".

    Returns
    -------
    str
        SVG, of the same bytes for the same tables.
    """
    # In scm20d the original program predicts 0 where no neighbour is labelled.
    readings, control = (table[table["dataset"] != "scm20d"] for table in (readings, control))
    control = control[control["variant"] == "40NN"]
    own, labelled = (readings[readings["variant"] == name] for name in ("own rows", "labelled rows"))
    means = {
        "published": own.groupby("task")["published"].mean(),
        "own": own.groupby("task")["reproduced"].mean(),
        "equal": control.groupby("task")["reproduced"].mean(),
        "labelled": labelled.groupby("task")["reproduced"].mean(),
    }
    with figure_style():
        figure = Figure(figsize=(6.4, 4.3), layout="constrained", facecolor="white")
        ax = figure.subplots()
        ax.axvline(0, color=GREY, linewidth=1.2)
        for number, (key, (title, marker, color)) in enumerate(SERIES.items()):
            at = np.arange(len(KINDS)) + (number - 1.5) * 0.17
            values = means[key].reindex(list(KINDS)).to_numpy()
            ax.hlines(at, 0, values, color=color, linewidth=2, alpha=0.55)
            ax.plot(values, at, marker, color=color, markersize=6.5, label=title)
        ax.set_yticks(range(len(KINDS)), KINDS.values())
        ax.invert_yaxis()
        ax.grid(axis="y", visible=False)
        ax.set_xlabel("gain by unlabelled rows (SSL minus SL), mean")
        figure.legend(loc="outside upper left", fontsize=9)
        buffer = BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue().decode()
