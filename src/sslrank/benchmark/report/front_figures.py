"""The figures of the report and of the findings, each drawn from tables of summaries."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from sslrank.plotting.style import GREY, PALETTE, figure_style

KINDS = {
    "classification": "classes",
    "multilabel": "several labels",
    "hierarchical": "hierarchy of labels",
    "regression": "a number",
    "multitarget": "several numbers",
}
#: Title, marker and colour of each series, in the order of the legend.
SERIES = {
    "published": ("published", "D", "#000000"),
    "own": ("our rankings, each evaluated by the rows it was made from", "o", PALETTE[1]),
    "equal": ("no ranking (equal weights), evaluated in the same way", "s", PALETTE[4]),
    "labelled": ("our rankings, all evaluated by the labelled rows", "^", PALETTE[0]),
}
WAYS = {
    "semi_supervised": "impurity of features",
    "self_training": "self-training",
    "label_propagation": "label propagation",
    "rlsr": "regression (RLSR)",
    "convex_csfs": "regression (CSFS)",
    "distilled": "distilled forest",
}
YARDSTICKS = {
    "trees_l1": ("vote: Extra-Trees and L1", "o", PALETTE[0]),
    "scikit_forest": ("forest", "s", PALETTE[2]),
    "f_score": ("F score", "^", PALETTE[4]),
    "semi_supervised": ("semi-supervised forest", "D", PALETTE[1]),
}
#: A page in dark mode shows the figure in dark, and a white ground keeps it readable where this is not known.
_DARK = "<style>@media (prefers-color-scheme: dark) { svg { filter: invert(.93) hue-rotate(180deg) } }</style>"


def _gains(readings, control):
    """SSL minus SL by kind of target: published, by own rows, of equal weights, by the labelled rows."""
    # Cells with both values; in scm20d the original program predicts 0 where no neighbour is labelled.
    cells = [table.dropna(subset=["published", "reproduced"]) for table in (readings, control)]
    readings, control = (table[table["dataset"] != "scm20d"] for table in cells)
    control = control[control["variant"] == "40NN"]
    own, labelled = (readings[readings["variant"] == name] for name in ("own rows", "labelled rows"))
    means = {
        "published": own.groupby("task")["published"].mean(),
        "own": own.groupby("task")["reproduced"].mean(),
        "equal": control.groupby("task")["reproduced"].mean(),
        "labelled": labelled.groupby("task")["reproduced"].mean(),
    }
    figure, ax = _axes(4.3)
    ax.axvline(0, color=GREY, linewidth=1.2)
    for number, (key, (title, marker, color)) in enumerate(SERIES.items()):
        at = np.arange(len(KINDS)) + (number - 1.5) * 0.17
        values = means[key].reindex(list(KINDS)).to_numpy()
        ax.hlines(at, 0, values, color=color, linewidth=2, alpha=0.55)
        ax.plot(values, at, marker, color=color, markersize=6.5, label=title)
    _rows(ax, KINDS.values())
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel("gain by unlabelled rows (SSL minus SL), mean")
    figure.legend(loc="outside upper left", fontsize=9)
    return figure


def _inverse(correlations, forests):
    """Correlation of a forest's ranking with those of three other rankers, against the published ECA of forests."""
    published = forests[forests["ranking"] == "permutation_importance"].groupby("dataset")["published"].first()
    wide = correlations.pivot(index="dataset", columns="forest", values="correlation").join(published)
    figure, ax = _axes(3.9)
    ax.axhline(0, color=GREY, linewidth=1.2)
    ax.axvline(0, color=GREY, linewidth=1.2)
    for name, marker, color in (("permuted alone", "o", PALETTE[0]), ("stay permuted, 2", "D", PALETTE[1])):
        title = "each feature is permuted alone" if name == "permuted alone" else "permuted features stay permuted"
        ax.plot(wide["published"], wide[name], marker, color=color, markersize=6, alpha=0.8, label=title)
    ax.set_xlabel("published score (ECA) of random forests")
    ax.set_ylabel("rank correlation with\nthe other three rankings")
    figure.legend(loc="outside upper left", fontsize=9)
    return figure


def _arena(yardsticks):
    """Points of rankings above a random one by number of labels, and their distance from an oracle."""
    rows = yardsticks[(yardsticks["part"] == "all") & (yardsticks["shape"] == "all") & (yardsticks["L"] != "all")]
    wide = rows.assign(L=rows["L"].astype(int)).pivot(index="L", columns="ranking", values="points").sort_index()
    figure, ax = _axes(3.9)
    best = wide[list(YARDSTICKS)].max(axis=1)
    ax.plot(wide.index, wide["oracle"], "k*-", markersize=9, label="oracle: a forest that sees all labels")
    ax.fill_between(wide.index, best, wide["oracle"], color="#d9d9d9", linewidth=0, label="what labels would still add")
    for name, (title, marker, color) in YARDSTICKS.items():
        ax.plot(wide.index, wide[name], f"{marker}-", color=color, label=title)
    ax.set_xscale("log")
    ax.set_xticks(wide.index, [str(number) for number in wide.index])
    ax.minorticks_off()
    ax.set_ylim(bottom=0)
    ax.set_xlabel("labelled rows")
    ax.set_ylabel("points above a random ranking")
    figure.legend(loc="outside upper left", fontsize=9, ncols=2)
    return figure


def _ways(unlabelled):
    """Each ranking that uses unlabelled rows minus its counterpart of the labelled rows, with 95 % intervals."""
    rows = unlabelled[unlabelled[["part", "task", "shape"]].eq("all").all(axis=1)].set_index("ranking")
    figure, ax = _axes(3.7)
    ax.axvline(0, color=GREY, linewidth=1.2)
    for shift, number, title, color in ((-0.13, "20", "20", PALETTE[1]), (0.13, "all", "20, 50 and 200", PALETTE[0])):
        part = rows[rows["L"] == number].reindex(list(WAYS))
        ends = part["difference"] - part["lower"], part["upper"] - part["difference"]
        at = np.arange(len(WAYS)) + shift
        ax.errorbar(part["difference"], at, xerr=ends, fmt="o", color=color, markersize=5.5, capsize=3, label=title)
    _rows(ax, WAYS.values())
    ax.set_xlabel("points with unlabelled rows minus points without")
    figure.legend(loc="outside upper left", fontsize=9, ncols=2, title="number of labels", alignment="left")
    return figure


#: File in the folder of results: how it is drawn, and its tables in the folder of summaries.
FIGURES = {
    "gains.svg": (
        _gains,
        "ssl-ranking/compared/readings.csv",
        "ssl-ranking/compared/control_differences.csv",
    ),
    "inverse.svg": (_inverse, "eca-forests/tables/inverse.csv", "eca-forests/compared/forests.csv"),
    "arena.svg": (_arena, "arena/tables/arena_yardsticks.csv"),
    "unlabelled.svg": (_ways, "arena/tables/arena_unlabeled.csv"),
}


def front_figures(summaries):
    """Draw the figures whose tables exist.

    Parameters
    ----------
    summaries : str or Path
        Folder of the studies' summaries.

    Returns
    -------
    dict of str to str
        SVG by name of file, of the same bytes for the same tables.
    """
    figures = {}
    for name, (draw, *tables) in FIGURES.items():
        paths = [Path(summaries) / table for table in tables]
        if all(path.is_file() for path in paths):
            with figure_style():
                buffer = BytesIO()
                draw(*map(pd.read_csv, paths)).savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
            figures[name] = buffer.getvalue().decode().replace("<defs>", f"{_DARK}\n <defs>", 1)
    return figures


def _axes(height):
    figure = Figure(figsize=(5.2, height), layout="constrained", facecolor="white")
    return figure, figure.subplots()


def _rows(ax, titles):
    """Name the rows of `ax`, the first one on top."""
    ax.set_yticks(range(len(titles)), titles)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
