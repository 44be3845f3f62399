"""Figures of a study as SVG files, for papers and findings; the results page has its own charts."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.results import ALPHA
from sslrank.benchmark.results.tables.ranks import contest
from sslrank.benchmark.results.titles import QUANTITIES, TASK_TITLES, entry_title, measure_title
from sslrank.plotting.critical_distance import critical_distance_diagram
from sslrank.plotting.lines import line_panels
from sslrank.plotting.published import published_vs_reproduced
from sslrank.plotting.style import measure_label, save_figure
from sslrank.stats.rank_tests import average_ranks, critical_distance

_CURVES = {"FFA": "forward feature addition (best first)", "RFA": "reverse feature addition (worst first)"}


def panel_selection(panel, evaluators=None):
    """Return the selection of a panel: k for ``k20``, also evaluators for ``k20-own``, nothing for ``main``."""
    size, _, name = panel.partition("-")
    return ({"k": int(size[1:])} if size != "main" else {}) | ({"evaluator": evaluators[name]} if name else {})


def _named(table, titles):
    """Name lines: title of the entry, L if there are several, SL, and a star if planned fits have no score."""
    names = table["entry"].map(lambda name: entry_title(name, titles))
    if table.groupby(["entry", "mode"])["L"].nunique().max() > 1 and "size" in table:
        names = names + ", L " + table["L"]
    return names + table["missing"].gt(0).map({True: " *", False: ""}) + table["mode"].map({"ssl": "", "sl": ", SL"})


def _with_entries(data, curves, selection):
    entries = data.entries(data.areas(**selection), controls=True)[["task", "method", "ranking", "entry"]]
    return curves.merge(entries.drop_duplicates(), on=["task", "method", "ranking"])


def panel_names(figures):
    """List the curves of one dataset, from a study's block `figures`: ``k20``, ``k20-own`` or ``main``."""
    sizes = [f"k{k}" for k in figures.get("k") or []] or ["main"]
    return sizes + [f"{size}-{evaluator}" for evaluator in figures.get("evaluators") or {} for size in sizes]


def curves_figures(data, datasets, panels):
    """Yield name (``digits-k20``) and figure of performance over L; SSL solid, SL dashed (ssl-ranking, Fig. 3).

    As in the paper, only the best method of a family for the kind of target is drawn; all controls are drawn. A panel
    ``k20`` has this k, ``main`` the study's own choice, ``k20-own`` the evaluators of this name.
    """
    for panel in panels if datasets else ():
        selection = panel_selection(panel, data.config["figures"].get("evaluators"))
        every = _with_entries(data, data.curves(**selection), selection)
        for dataset in datasets:
            curves = every[every["dataset"] == dataset]
            if curves.empty:
                continue
            measure, higher = curves["measure"].iloc[0], bool(curves["higher_is_better"].iloc[0])
            k, rows = selection.get("k"), panel.partition("-")[2]
            title = [f"{dataset} ({TASK_TITLES[curves['task'].iloc[0]].lower()})", *[f"{k}NN"] * bool(k)]
            labels = {"xlabel": "labelled examples L", "ylabel": measure_label(measure_title(measure), higher)}
            table = pd.DataFrame({"line": _named(curves, data.titles), "x": curves["n_labeled"], "y": curves["value"]})
            table = table.assign(panel=", ".join([*title, *[f"{rows} rows"] * bool(rows)]), **labels)
            yield f"{dataset}-{panel}", line_panels(table)


def feature_page(data, datasets):
    """Draw performance over the number of top features, all datasets on one page; None without scores."""
    scores = data.scores[data.scores["evaluator"] == data.comparison["evaluator"]]
    parts = []
    for dataset in datasets:
        for k in sorted(scores.loc[scores["dataset"] == dataset, "k"].dropna().unique()):
            curves = _with_entries(data, data.curves(k=int(k)), {"k": int(k)})
            parts.append(curves[curves["dataset"] == dataset].assign(size=int(k)))
    if not parts:
        return None
    points = pd.concat(parts)
    table = points.assign(line=_named(points, data.titles), ylabel=points["measure"].map(measure_title))
    return line_panels(table.rename(columns={"dataset": "panel", "size": "x", "value": "y"}).assign(xlabel="features"))


def experiment_figures(data):
    """Yield error curves of experiments with a table "curves" (paper eca, Fig. 2)."""
    for name in data.experiments:
        curves = data.experiment(name, "curves")
        for synthetic, part in curves.groupby("data", sort=False) if len(curves) else ():
            part = part.groupby(["ranking", "curve", "size"], sort=False)["value"].mean().reset_index()
            table = part.rename(columns={"ranking": "line", "size": "x", "value": "y"})
            table = table.assign(panel=part["curve"].map(_CURVES), xlabel="number of features", ylabel="")
            table = table.assign(logx=part["size"].max() > 200)
            yield f"{name}-{synthetic}", line_panels(table, title=f"{name}: {synthetic}")


def critical_distance_figures(data):
    """Yield critical-distance diagrams of kinds of target with at least two datasets and rankings, and of all."""
    for task, matrix, _ in contest(data):
        if len(matrix) > 1 and matrix.shape[1] > 1:
            ranks = average_ranks(matrix)
            ranks = ranks.rename({name: entry_title(name, data.titles) for name in matrix})
            title = f"{TASK_TITLES[task]}: {matrix.shape[1]} rankings, {len(matrix)} datasets, alpha = {ALPHA:g}"
            distance = critical_distance(matrix.shape[1], len(matrix))
            yield task, critical_distance_diagram(ranks, distance, title=title)


def write_figures(data, folder, datasets):
    """Draw curves of some datasets, critical-distance diagrams and experiments of a study into a folder.

    `data` is its :class:`~sslrank.benchmark.results.study.StudyData`. ``config["figures"]["kind"]`` is the axis of the
    curves: "labels" (default), "features" (all datasets of the study on one page, ``curves/all``) or "errors".
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)  # the rule's output, also where there is nothing to draw
    figures = data.config["figures"]
    kind = figures.get("kind", "labels")
    for name, figure in curves_figures(data, datasets, panel_names(figures)) if kind == "labels" else ():
        save_figure(figure, folder / "curves" / name, formats=("svg",))
    for name, figure in critical_distance_figures(data):
        save_figure(figure, folder / "critical_distance" / name, formats=("svg",))
    for name, figure in experiment_figures(data):
        save_figure(figure, folder / "experiments" / name, formats=("svg",))
    if kind == "features" and (figure := feature_page(data, list(data.datasets["dataset"]))):
        save_figure(figure, folder / "curves" / "all", formats=("svg",))


def published_figures(compared, output, tables):
    """Draw published against reproduced values for the compared tables in a folder."""
    Path(output).mkdir(parents=True, exist_ok=True)
    for name, block in tables.items():
        table = pd.read_csv(Path(compared) / f"{name}.csv")
        cells = table.dropna(subset=["published", "reproduced"])
        if len(cells):
            keys = ("task", "ranking", "method")
            group = next((key for key in keys if key in cells and 1 < cells[key].nunique() <= 8), None)
            panel = "variant" if "variant" in cells and cells["variant"].nunique() > 1 else None
            xlabel = ", ".join(QUANTITIES.get(key, key.replace("_", " ")) for key in cells["quantity"].unique())
            figure = published_vs_reproduced(cells, group=group, panel=panel, xlabel=xlabel, title=block["title"])
            save_figure(figure, Path(output) / name, formats=("svg",))
