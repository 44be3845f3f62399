"""The job that draws published against reproduced values, each picture as SVG."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.report.pictures import message_figure, save
from sslrank.benchmark.results.entries import REPRODUCED
from sslrank.benchmark.results.titles import QUANTITIES
from sslrank.plotting.critical_distance import critical_distance_diagram
from sslrank.plotting.published import published_vs_reproduced


def published_figure(compared, title):
    """Published against reproduced values of one table."""
    both = compared.dropna(subset=["published", "reproduced"])
    if both.empty:
        return message_figure(f"{title}: no published cell has a counterpart yet")
    keys = ("task", "ranking", "method")
    several = [name for name in keys if name in both.columns and 1 < both[name].nunique() <= 8]
    group = several[0] if several else None
    panel = "variant" if "variant" in both.columns and both["variant"].nunique() > 1 else None
    xlabel = ", ".join(QUANTITIES.get(name, name.replace("_", " ")) for name in both["quantity"].unique())
    return published_vs_reproduced(both, group=group, panel=panel, xlabel=xlabel, title=title)


def published_figures_job(compared, directory, *, titles):
    """Draw published against reproduced values of the comparisons in a folder; `titles` are those of the tables."""
    for name, title in titles.items():
        table = pd.read_csv(Path(compared) / f"{name}.csv")
        save(published_figure(table, title), Path(directory) / name)
        for part, figure in contest_figures(Path(compared) / name):
            save(figure, Path(directory) / f"{name}.{part}")


def contest_figures(stem):
    """Yield the critical-distance diagrams of a published contest and of the reproduced one.

    `stem` is the path of a comparison without its suffix. Names are ``contest0`` and so on. The published ones come
    once, not for each variant of the table.
    """
    tests, ranks = (stem.with_name(f"{stem.name}.{part}.csv") for part in ("tests", "ranks"))
    if not tests.is_file():
        return
    ranks = pd.read_csv(ranks)
    tests = pd.read_csv(tests)
    again = tests.duplicated("scores") & (tests["scores"] != REPRODUCED)
    for number, test in enumerate(tests[~again].itertuples()):
        part = ranks[ranks["scores"] == test.scores]
        title = f"{test.scores}: {test.n_methods} methods, {test.n_datasets} datasets"
        if "variant" in ranks.columns:
            part = part[part["variant"] == test.variant].drop(columns="variant")
            title = f"{test.variant}, {title}"
        averages = part.set_index(part.columns[1])["average_rank"]
        yield f"contest{number}", critical_distance_diagram(averages, test.critical_distance, title=title)
