"""Pictures whose x axis is the number of features."""

import numpy as np
import pandas as pd

from sslrank.benchmark.results.error_points import error_points
from sslrank.benchmark.results.titles import entry_title, measure_title
from sslrank.evaluation.error_curve_average import WEIGHTINGS
from sslrank.plotting.error_curves import error_curve_panels
from sslrank.plotting.feature_curves import feature_curves
from sslrank.plotting.line_panels import line_panels


def marked(names, missing):
    """Names of curves, those with missing fits with a star; the page says what it means."""
    return names.astype(str) + missing.gt(0).map({True: " *", False: ""})


def _labels(table, titles=None):
    """Name the curves of a picture: by ranking, and by L and mode where there are several.

    With the `titles` of the study's methods they are as people say them.
    """
    names = table["ranking"].astype(str)
    if table.groupby("ranking")["method"].nunique().max() > 1:
        names = names.where(table["method"] == names, table["method"] + " " + names)
    if titles is not None:
        names = names.map(lambda name: entry_title(name, titles))
    for column in ("L", "mode"):
        if column in table and table[column].nunique() > 1 and _varies(table, column):
            names = names + ", " + (("L " + table["L"]) if column == "L" else table["mode"].str.upper())
    return marked(names, table["missing"])


def _names(table, titles):
    """Map the names of :func:`_labels` to the texts of the legend."""
    return dict(zip(_labels(table), _labels(table, titles), strict=True))


def _varies(table, column):
    return table.groupby(["method", "ranking"])[column].nunique().max() > 1


def feature_points(data, dataset):
    """Points of performance over the number of top features, without rows where there is no score."""
    every = data.scores[data.scores["evaluator"] == data.comparison["evaluator"]]
    parts = []
    for k in sorted(every.loc[every["dataset"] == dataset, "k"].dropna().unique()):
        curves = data.curves(k=int(k))
        parts.append(curves[curves["dataset"] == dataset].assign(size=int(k)))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def feature_figures(data, datasets):
    """Yield name (``colon-main``) and figure, None without scores, of performance over the number of top features."""
    for dataset in datasets:
        points = feature_points(data, dataset)
        if points.empty:
            yield f"{dataset}-main", None
            continue
        table = points.assign(ranking=_labels(points))
        measure, higher = points["measure"].iloc[0], bool(points["higher_is_better"].iloc[0])
        names = _names(points, data.titles)
        options = {"higher_is_better": higher, "title": dataset, "names": names}
        figure = feature_curves(table, ylabel=measure_title(measure), **options)
        yield f"{dataset}-main", figure


def feature_page(data, datasets):
    """Draw the curves of all datasets on one page, in the study's order; None without scores."""
    found = {dataset: feature_points(data, dataset) for dataset in datasets}
    parts = [
        points.assign(
            panel=dataset,
            line=_labels(points, data.titles).str.removesuffix(" *"),
            ylabel=points["measure"].map(measure_title),
        )
        for dataset, points in found.items()
        if len(points)
    ]
    if not parts:
        return None
    return line_panels(pd.concat(parts).rename(columns={"size": "x", "value": "y"}).assign(xlabel="features"))


def error_figures(data, datasets):
    """Yield forward and reverse curves with the expected curve of random rankings (paper eca, Figs. 1 and 2)."""
    curves, expected = error_points(data)
    for dataset in datasets:
        points = curves[curves["dataset"] == dataset]
        if points.empty:
            yield f"{dataset}-main", None
            continue
        level = expected[expected["dataset"] == dataset]
        table = points.assign(ranking=_labels(points))
        yield (
            f"{dataset}-main",
            error_curve_panels(
                table.assign(measure=table["measure"].map(measure_title)),
                expected=level if len(level) else None,
                title=dataset,
                names=_names(points, data.titles),
            ),
        )


def experiment_figures(data):
    """Yield error curves of experiments with a table "curves" (paper eca, Fig. 2), charts of those with "lines"."""
    for name in data.experiments:
        if len(lines := data.experiment(name, "lines")):
            yield f"{name}-lines", line_panels(lines)
        curves = data.experiment(name, "curves")
        for synthetic, part in curves.groupby("data", sort=False) if len(curves) else ():
            yield f"{name}-{synthetic}", error_curve_panels(part, title=f"{name}: {synthetic}")


def weighting_figure(data):
    """Draw the sums of the differences of two rankings' curves by each weighting (paper eca, Fig. 1 and Table 1).

    Of the study's first two methods, on the first dataset that has both; None where no dataset has. A line is the sum
    of weighted differences up to a size, over the sum of all weights: it ends at the value of the table
    `weighted_differences`.
    """
    curves, _ = error_points(data)
    first, second = (*data.config["methods"], None, None)[:2]
    complete = curves[curves["missing"].eq(0) & curves["ranking"].isin([first, second])]
    rankings = complete.groupby("dataset", sort=False)["ranking"].nunique()
    if not rankings.eq(2).any():
        return None
    dataset = rankings.index[rankings.eq(2)][0]
    part = complete[complete["dataset"] == dataset]
    by_ranking = part.pivot_table(index=["curve", "size"], columns="ranking", values="value")
    lines = []
    for curve, of_curve in (by_ranking[first] - by_ranking[second]).groupby(level="curve"):
        drawn = of_curve.index.get_level_values("size").to_numpy(dtype=int)
        sizes = np.arange(1.0, drawn.max() + 1)
        difference = np.interp(sizes, drawn, of_curve)
        for name, weighting in WEIGHTINGS.items():
            weights = weighting(difference, sizes)
            value = np.cumsum(weights * difference) / weights.sum()
            lines.append(pd.DataFrame({"panel": curve, "line": f"weight {name}", "x": drawn, "y": value[drawn - 1]}))
    titles = [entry_title(name, data.titles) for name in (first, second)]
    table = pd.concat(lines, ignore_index=True).assign(xlabel="features", ylabel="weighted difference")
    return line_panels(table, title=f"{dataset}: {titles[0]} against {titles[1]}")
