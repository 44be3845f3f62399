"""Figure jobs: each writes one picture as SVG and PNG."""

from pathlib import Path

import pandas as pd

from sslrank.pipeline.analysis.study import StudyData
from sslrank.pipeline.analysis.tables.ranks import contest
from sslrank.pipeline.report.size_figures import error_figures, experiment_figures, feature_figures
from sslrank.plots import (
    critical_distance_diagram,
    performance_curves,
    published_vs_reproduced,
    save_figure,
)
from sslrank.plots.style import look, new_axes
from sslrank.statistics import nemenyi_test


def message_figure(text):
    """A picture that only says why there is none."""
    with look():
        figure, ax = new_axes(None, 6.4, 1.2)
        ax.axis("off")
        ax.text(0.5, 0.5, text, ha="center", va="center", wrap=True)
    return figure


def _save(figure, path):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    save_figure(figure, path, formats=("svg", "png"))


def panel_selection(panel):
    """The k of a panel named ``k20``; the study's own choice for ``main``."""
    return {"k": int(panel[1:])} if panel != "main" else {}


def curves_figures(data, datasets, panels):
    """Performance over L: SSL solid, SL dashed (ssl-ranking, Fig. 3).

    Of a family of methods the best one for the kind of target is drawn, as in the paper.

    Parameters
    ----------
    data : StudyData
    datasets : list of str
    panels : list of str
        ``k20`` and the like, or ``main`` for the study's own choice of k.

    Yields
    ------
    tuple of str, Figure
        Name, as in ``digits-k20``, and figure.
    """
    for panel in panels:
        selection = panel_selection(panel)
        every = data.curves(**selection)
        chosen = data.contestants(data.areas(**selection))[["task", "method", "ranking", "contestant"]]
        every = every.merge(chosen.drop_duplicates(), on=["task", "method", "ranking"])
        for dataset in datasets:
            curves = every[every["dataset"] == dataset]
            if curves.empty:
                yield f"{dataset}-{panel}", message_figure(f"{dataset}: no ranking could be scored")
                continue
            task, measure = curves["task"].iloc[0], curves["measure"].iloc[0]
            k = selection.get("k")
            yield (
                f"{dataset}-{panel}",
                performance_curves(
                    pd.DataFrame(
                        {
                            "n_labeled": curves["L"],
                            "ranking": curves["contestant"],
                            "mode": curves["mode"],
                            "value": curves["value"],
                        }
                    ),
                    ylabel=measure,
                    higher_is_better=bool(curves["higher_is_better"].iloc[0]),
                    title=f"{dataset} ({task})" + (f", {k}NN" if k else ""),
                ),
            )


def critical_distance_figures(data):
    """A critical-distance diagram per kind of target that has two datasets and two rankings, and over all.

    Yields
    ------
    tuple of str, Figure
    """
    alpha = data.comparison["alpha"]
    for task, matrix, higher, _ in contest(data):
        if len(matrix) < 2 or matrix.shape[1] < 2:
            continue
        test = nemenyi_test(matrix, alpha=alpha, higher_is_better=higher)
        title = f"{task}: {matrix.shape[1]} rankings, {len(matrix)} datasets, alpha = {alpha:g}"
        figure = critical_distance_diagram(test.average_ranks, test.critical_distance, groups=test.groups, title=title)
        yield task, figure


def published_figure(compared, title):
    """Published against reproduced values of one table."""
    both = compared.dropna(subset=["published", "reproduced"])
    if both.empty:
        return message_figure(f"{title}: no published cell has a counterpart yet")
    keys = ("task", "ranking", "method")
    several = [name for name in keys if name in both.columns and 1 < both[name].nunique() <= 8]
    group = several[0] if several else None
    panel = "variant" if "variant" in both.columns and both["variant"].nunique() > 1 else None
    xlabel = ", ".join(both["quantity"].unique()).replace("_", " ")
    return published_vs_reproduced(both, group=group, panel=panel, xlabel=xlabel, title=title)


def figures_job(collected, directory, *, study, config, datasets, panels, experiments=None):
    """Draw a study's curves and critical-distance diagrams.

    Parameters
    ----------
    collected : path-like
        Folder of the collected tables.
    directory : path-like
        Gets ``curves/`` and ``critical_distance/``.
    study : str
    config : dict
        Its "figures" say by "kind" what the curves run over: "labels" (default), "features" or "errors".
    datasets, panels : list of str
    experiments : dict of str to path-like, optional
        Folders of the study's experiments by name; those with curves are drawn into ``experiments/``.
    """
    folder = Path(directory)
    data = StudyData.load(study, config, collected, experiments)
    kind = config["figures"].get("kind", "labels")
    if kind == "labels":
        curves = curves_figures(data, datasets, panels)
    else:
        curves = {"features": feature_figures, "errors": error_figures}[kind](data, datasets)
    for name, figure in curves:
        if figure is None:
            figure = message_figure(f"{name.rpartition('-')[0]}: no ranking could be scored")
        _save(figure, folder / "curves" / name)
    for name, figure in critical_distance_figures(data):
        _save(figure, folder / "critical_distance" / name)
    for name, figure in experiment_figures(data):
        _save(figure, folder / "experiments" / name)


def published_figures_job(compared, directory, *, titles):
    """Draw published against reproduced values.

    Parameters
    ----------
    compared : path-like
        Folder of the comparisons.
    directory : path-like
    titles : dict of str to str
        By table.
    """
    for name, title in titles.items():
        table = pd.read_csv(Path(compared) / f"{name}.csv")
        _save(published_figure(table, title), Path(directory) / name)
        for part, figure in contest_figures(Path(compared) / name):
            _save(figure, Path(directory) / f"{name}.{part}")


def contest_figures(stem):
    """Critical-distance diagrams of a published contest and of the reproduced one.

    Parameters
    ----------
    stem : Path
        Path of a comparison without its suffix.

    Yields
    ------
    tuple of str, Figure
        ``contest0`` and so on, in the order of ``<stem>.tests.csv``, and figure.
    """
    tests, ranks = (stem.with_name(f"{stem.name}.{part}.csv") for part in ("tests", "ranks"))
    if not tests.is_file():
        return
    ranks = pd.read_csv(ranks)
    for number, test in enumerate(pd.read_csv(tests).itertuples()):
        part = ranks[ranks["scores"] == test.scores]
        averages = part.set_index(part.columns[1])["average_rank"]
        title = f"{test.scores}: {test.n_methods} methods, {test.n_datasets} datasets"
        yield f"contest{number}", critical_distance_diagram(averages, test.critical_distance, title=title)
