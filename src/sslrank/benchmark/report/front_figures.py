"""The figures of the report and of the findings, each drawn from tables of summaries."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from sslrank.plotting.style import GREY, PALETTE, figure_style

KINDS = {
    "classification": "classification",
    "multilabel": "several labels (MLC)",
    "hierarchical": "hierarchy (HMLC)",
    "regression": "a number (STR)",
    "multitarget": "several numbers (MTR)",
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
    "semi_jmi": "surrogate labels (JMI)",
    "semi_mim": "surrogate labels (MIM)",
    "fsga": "genetic search (FSGA)",
}
YARDSTICKS = {
    "trees_l1": ("vote: Extra-Trees and L1", "o", PALETTE[0]),
    "scikit_forest": ("forest", "s", PALETTE[2]),
    "f_score": ("F score", "^", PALETTE[4]),
    "semi_supervised": ("semi-supervised forest", "D", PALETTE[1]),
}
SURVIVAL = {
    "sslrank": ("sslrank rank", "o", PALETTE[0]),
    "survival_forest": ("random survival forest", "s", PALETTE[2]),
    "cox_score": ("Cox score test", "^", PALETTE[4]),
    "random_ranking": ("random ranking", "D", "#000000"),
}
#: A page in dark mode shows the figure in dark, and a white ground keeps it readable where this is not known.
_DARK = "<style>@media (prefers-color-scheme: dark) { svg { filter: invert(.93) hue-rotate(180deg) } }</style>"


def _gains(ax, readings, control):
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
    ax.axvline(0, color=GREY, linewidth=1.2)
    _dots(ax, pd.DataFrame(means).reindex(list(KINDS)).set_axis(KINDS.values()), SERIES, stems=True)
    ax.set_xlabel("mean gain by unlabelled rows: SSL minus SL")


def _inverse(ax, correlations, forests):
    """Correlation of a forest's ranking with those of three other rankers, against the published ECA of forests."""
    published = forests[forests["ranking"] == "permutation_importance"].groupby("dataset")["published"].first()
    wide = correlations.pivot(index="dataset", columns="forest", values="correlation").join(published)
    ax.axhline(0, color=GREY, linewidth=1.2)
    ax.axvline(0, color=GREY, linewidth=1.2)
    for name, marker, color in (("permuted alone", "o", PALETTE[0]), ("stay permuted, 2", "D", PALETTE[1])):
        title = "each feature is permuted alone" if name == "permuted alone" else "permuted features stay permuted"
        ax.plot(wide["published"], wide[name], marker, color=color, markersize=6, alpha=0.8, label=title)
    ax.set_xlabel("published score (ECA) of random forests")
    ax.set_ylabel("rank correlation with\nthe other three rankings")


def _arena(ax, yardsticks):
    """Points of rankings above a random one by number of labels, and their distance from an oracle."""
    rows = yardsticks[(yardsticks["part"] == "all") & (yardsticks["shape"] == "all") & (yardsticks["L"] != "all")]
    wide = rows.assign(L=rows["L"].astype(int)).pivot(index="L", columns="ranking", values="points").sort_index()
    best = wide[list(YARDSTICKS)].max(axis=1)
    ax.plot(wide.index, wide["oracle"], "k*-", markersize=9, label="oracle: a forest that sees all labels")
    ax.fill_between(wide.index, best, wide["oracle"], color="#d9d9d9", linewidth=0, label="lead of the oracle")
    for name, (title, marker, color) in YARDSTICKS.items():
        ax.plot(wide.index, wide[name], f"{marker}-", color=color, label=title)
    ax.set_xscale("log")
    ax.set_xticks(wide.index, [str(number) for number in wide.index])
    ax.minorticks_off()
    ax.set_ylim(0, 1.05 * wide["oracle"].max())
    ax.set_xlabel("labelled rows")
    ax.set_ylabel("points above a random ranking")


def _ways(ax, *unlabelled):
    """Each ranking that uses unlabelled rows minus its counterpart of the labelled rows, with 95 % intervals."""
    rows = pd.concat(unlabelled)
    rows = rows[rows[["part", "task", "shape"]].eq("all").all(axis=1)].set_index("ranking")
    ax.axvline(0, color=GREY, linewidth=1.2)
    for shift, number, title, color in ((-0.13, "20", "20", PALETTE[1]), (0.13, "all", "20, 50 and 200", PALETTE[0])):
        part = rows[rows["L"] == number].reindex(list(WAYS))
        ends = part["difference"] - part["lower"], part["upper"] - part["difference"]
        at = np.arange(len(WAYS)) + shift
        ax.errorbar(part["difference"], at, xerr=ends, fmt="o", color=color, markersize=5.5, capsize=3, label=title)
    _rows(ax, WAYS.values())
    ax.set_xlabel("points with unlabelled rows minus points without")


def _room(ax, ssl_ranking, ssfi, eca, scls, arena):
    """Score of the oracle minus that of a random ranking, of each dataset and their mean, by study and predictor."""
    rows = {
        "ssl-ranking: 40 neighbours": ssl_ranking[ssl_ranking["variant"] == "40 neighbours"],
        "ssl-ranking: error curves": ssl_ranking[ssl_ranking["variant"] == "error curves"],
        "ssfi: decision tree": ssfi[ssfi["dataset"] != "leukemia_7070"],  # another form of leukemia_7129
        "eca: error curves": eca,
        "scls: ML-kNN": scls[scls["L"] == "10pct"],
        "arena: 20 labels": arena[arena["L"] == 20],
        "arena: 200 labels": arena[arena["L"] == 200],
    }
    ax.axvline(0, color=GREY, linewidth=1.2)
    for at, part in enumerate(rows.values()):
        rooms = part.groupby("dataset")["room"].mean()
        titles = ("a dataset", "mean") if at == 0 else (None, None)
        ax.plot(rooms, [at] * len(rooms), "o", color=PALETTE[0], markersize=5, alpha=0.35, label=titles[0])
        ax.plot(rooms.mean(), at, "D", color="#000000", markersize=6, label=titles[1])
    _rows(ax, rows)
    ax.set_xlabel("room: oracle minus random ranking")


def _survival(ax, differences):
    """Harrell's C of four rankings on tables with censored times."""
    scores = differences.pivot(index="dataset", columns="method", values="score")
    _dots(ax, scores.sort_values("sslrank", ascending=False), SURVIVAL)
    ax.set_xlabel("Harrell's C on held-out rows")


_WITH_TITLE = {"ncols": 2, "title": "number of labels", "alignment": "left"}
_UNLABELLED = [f"{study}/tables/arena_unlabeled.csv" for study in ("arena", "arena-unlabelled")]
_ROOMS = [f"{study}/tables/room.csv" for study in ("ssl-ranking", "ssfi", "eca", "scls", "arena")]
#: File in the folder of results: how it is drawn, height, options of the legend, and tables in the folder of summaries.
FIGURES = {
    "gains.svg": (_gains, 4.3, {}, "ssl-ranking/compared/readings.csv", "ssl-ranking/compared/control_differences.csv"),
    "inverse.svg": (_inverse, 3.9, {}, "eca-forests/tables/inverse.csv", "eca-forests/compared/forests.csv"),
    "arena.svg": (_arena, 3.9, {"ncols": 2}, "arena/tables/arena_yardsticks.csv"),
    "unlabelled.svg": (_ways, 4.5, _WITH_TITLE, *_UNLABELLED),
    "room.svg": (_room, 3.6, {"ncols": 2}, *_ROOMS),
    "survival.svg": (_survival, 3.9, {"ncols": 2}, "survival/tables/differences.csv"),
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
    for name, (draw, height, legend, *tables) in FIGURES.items():
        paths = [Path(summaries) / table for table in tables]
        if all(path.is_file() for path in paths):
            with figure_style():
                figure, buffer = Figure(figsize=(5.2, height), layout="constrained", facecolor="white"), BytesIO()
                draw(figure.subplots(), *map(pd.read_csv, paths))
                figure.legend(loc="outside upper left", fontsize=9, **legend)
                figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
            figures[name] = buffer.getvalue().decode().replace("<defs>", f"{_DARK}\n <defs>", 1)
    return figures


def _dots(ax, table, styles, *, stems=False):
    """Draw the columns of `table` as markers next to each other in rows, with lines from 0 if asked for."""
    for number, (name, (title, marker, color)) in enumerate(styles.items()):
        at = np.arange(len(table)) + (number - (len(styles) - 1) / 2) * 0.17
        if stems:
            ax.hlines(at, 0, table[name], color=color, linewidth=2, alpha=0.55)
        ax.plot(table[name], at, marker, color=color, markersize=6.5, label=title)
    _rows(ax, table.index)
    ax.locator_params(axis="x", nbins=6)


def _rows(ax, titles):
    """Name the rows of `ax`, the first one on top."""
    ax.set_yticks(range(len(titles)), titles)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
