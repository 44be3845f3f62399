"""Draw a study's curves and critical-distance diagrams, each as SVG."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.report.pictures import message_figure, save
from sslrank.benchmark.report.size_figures import (
    error_figures,
    experiment_figures,
    feature_figures,
    feature_page,
    marked,
    weighting_figure,
)
from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.results.tables.ranks import contest
from sslrank.benchmark.results.titles import TASKS, entry_title, measure_title
from sslrank.plotting.critical_distance import critical_distance_diagram
from sslrank.plotting.performance import performance_curves
from sslrank.stats.rank_tests import average_ranks, critical_distance


def panel_selection(panel, judges=None):
    """The k of a panel named ``k20``, and the evaluators of one named ``k20-own``; nothing for ``main``."""
    size, _, judge = panel.partition("-")
    return ({"k": int(size[1:])} if size != "main" else {}) | ({"evaluator": judges[judge]} if judge else {})


def curves_figures(data, datasets, panels):
    """Yield name (``digits-k20``) and figure of performance over L: SSL solid, SL dashed (ssl-ranking, Fig. 3).

    Of a family of methods the best one for the kind of target is drawn, as in the paper; controls are all drawn. A
    panel ``k20`` has that k, ``main`` the study's own choice; ``k20-own`` is by the judges of that name.
    """
    for panel in panels:
        selection = panel_selection(panel, data.config["figures"].get("judges"))
        judge = panel.partition("-")[2]
        every = data.curves(**selection)
        chosen = data.entries(data.areas(**selection), controls=True)
        chosen = chosen[["task", "method", "ranking", "entry"]]
        every = every.merge(chosen.drop_duplicates(), on=["task", "method", "ranking"])
        for dataset in datasets:
            curves = every[every["dataset"] == dataset]
            if curves.empty:
                yield f"{dataset}-{panel}", message_figure(f"{dataset}: no ranking could be scored")
                continue
            task, measure = curves["task"].iloc[0], curves["measure"].iloc[0]
            k = selection.get("k")
            shown = marked(curves["entry"], curves["missing"])
            called = curves["entry"].map(lambda name: entry_title(name, data.titles))
            yield (
                f"{dataset}-{panel}",
                performance_curves(
                    pd.DataFrame(
                        {
                            "n_labeled": curves["L"],
                            "ranking": shown,
                            "mode": curves["mode"],
                            "value": curves["value"],
                        }
                    ),
                    ylabel=measure_title(measure),
                    names=dict(zip(shown, marked(called, curves["missing"]), strict=True)),
                    higher_is_better=bool(curves["higher_is_better"].iloc[0]),
                    title=", ".join(
                        [f"{dataset} ({TASKS[task].lower()})", *[f"{k}NN"] * bool(k), *[f"{judge} rows"] * bool(judge)]
                    ),
                ),
            )


def critical_distance_figures(data):
    """Yield a critical-distance diagram for each kind of target with two datasets and two rankings, and over all."""
    alpha = data.comparison["alpha"]
    for task, matrix, higher, _ in contest(data):
        if len(matrix) < 2 or matrix.shape[1] < 2:
            continue
        ranks = average_ranks(matrix, higher_is_better=higher)
        called = {name: entry_title(name, data.titles) for name in matrix}
        title = f"{TASKS[task]}: {matrix.shape[1]} rankings, {len(matrix)} datasets, alpha = {alpha:g}"
        distance = critical_distance(matrix.shape[1], len(matrix), alpha)
        figure = critical_distance_diagram(ranks.rename(called), distance, title=title)
        yield task, figure


def figures_job(collected, directory, *, study, config, datasets, panels, experiments=None):
    """Draw a study's curves and critical-distance diagrams into ``curves/`` and ``critical_distance/`` of `directory`.

    `collected` is the folder of the collected tables. `config["figures"]["kind"]` is what the curves run over: "labels"
    (default), "features" or "errors". With "features" ``curves/all`` has all datasets on one page. Curves of the
    `experiments` (folders by name) are drawn into ``experiments/``.
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)  # the rule's output, also where there is nothing to draw
    data = StudyData.load(study, config, collected, experiments)
    kind = config["figures"].get("kind", "labels")
    if kind == "labels":
        curves = curves_figures(data, datasets, panels)
    else:
        curves = {"features": feature_figures, "errors": error_figures}[kind](data, datasets)
    for name, figure in curves:
        if figure is None:
            figure = message_figure(f"{name.rpartition('-')[0]}: no ranking could be scored")
        save(figure, folder / "curves" / name)
    for name, figure in critical_distance_figures(data):
        save(figure, folder / "critical_distance" / name)
    for name, figure in experiment_figures(data):
        save(figure, folder / "experiments" / name)
    if kind == "features" and (figure := feature_page(data, datasets)):
        save(figure, folder / "curves" / "all")
    if kind == "errors" and (figure := weighting_figure(data)):
        save(figure, folder / "experiments" / "weightings")
