"""View "Datasets" of the results page: facts, curves and best features."""

from html import escape

import numpy as np
import pandas as pd

from sslrank.benchmark.files import read_parquet
from sslrank.benchmark.report.context import HEADS
from sslrank.benchmark.results.titles import TASK_TITLES
from sslrank.plotting import charts, pages
from sslrank.plotting.pages import text_of

#: Number of features in the table of a dataset.
FEATURES = 15
#: Rankers that do not use the features.
BLIND = ("sslrank.rankers.controls:EqualWeights", "random_ranking")
_HIDDEN = ("dataset", "available", "reason", "note", "title", "task")


def datasets_view(context):
    """Build the view of datasets: facts, scores of rankings, and best features."""
    datasets = context.study.datasets
    datasets = datasets[datasets["available"].astype(bool)]
    if not len(datasets):
        return None
    points, features = _points(context), _features(context)
    parts = []
    for row in datasets.to_dict("records"):
        name = row["dataset"]
        title = f"{row['title']} ({name})" if row.get("title") and row["title"] != name else name
        facts = [("kind of target", TASK_TITLES.get(row["task"], row["task"]))]
        facts += [(HEADS.get(key, key.replace("_", " ")), escape(text_of(value))) for key, value in row.items()
                  if key not in _HIDDEN]  # fmt: skip
        note = f'<p class="soft">{escape(row["note"])}</p>' if isinstance(row.get("note"), str) else ""
        html = f"<h3>{escape(title)}</h3>{pages.definition_list(facts)}{note}{_curves(context, name, points)}"
        html += _best_features(context, features.get(name))
        parts.append((name, name, html, TASK_TITLES.get(row["task"], row["task"])))
    return f"<h2>Datasets</h2>{pages.tabs('dataset', 'Dataset', parts)}"


def _points(context):
    """Average scores of entries and controls over folds, by dataset, evaluator, measure, entry, mode, L and k."""
    scores, entries = context.study.scores, context.scores
    if not len(scores) or not len(entries):
        return pd.DataFrame()
    keys = ["dataset", "method", "ranking", "mode"]
    scores = scores.merge(entries[[*keys, "entry", "missing"]], on=keys)
    if context.config["figures"].get("kind") == "errors":  # points of error curves, not their averages
        scores = scores[scores["measure"].str.startswith(("ffa", "rfa"))]
    else:
        compared = entries[["dataset", "measure"]].drop_duplicates()
        scores = scores.merge(compared, on=["dataset", "measure"])
    has_score = scores["value"].notna()
    scores = scores.assign(
        k=scores["k"].astype("Float64").fillna(-1).astype(int),
        weight=scores["n_test"].where(has_score, 0),
        product=(scores["value"] * scores["n_test"]).where(has_score, 0.0),
    )
    means = scores.groupby(
        ["dataset", "evaluator", "measure", "entry", "mode", "missing", "L", "k"], sort=False, observed=True
    ).agg(product=("product", "sum"), weight=("weight", "sum"), error=("value", "sem"), labels=("n_labeled", "mean"))
    means = means.reset_index()
    number = pd.to_numeric(means["L"], errors="coerce")
    return means.assign(value=means["product"] / means["weight"], n_labeled=number.fillna(means["labels"]))


def _curves(context, name, points):
    points = points[points["dataset"] == name] if len(points) else points
    if not len(points):
        return "<p>No ranking could be scored on this dataset.</p>"
    parts, over_labels = [], (context.config["figures"].get("kind") or "labels") == "labels"
    compared = context.config["comparison"]["evaluator"]
    curves = points.groupby(["evaluator", "measure"], sort=False)
    for (evaluator, measure), rows in sorted(curves, key=lambda item: item[0][0] != compared):
        title = context.format_value("evaluator", evaluator) if points["evaluator"].nunique() > 1 else ""
        sizes, budgets = list(rows["k"].drop_duplicates().sort_values()), list(rows["L"].drop_duplicates())
        over = "L" if over_labels and (len(budgets) > 1 or len(sizes) <= 1) else "k"
        if over == "k":
            parts += [(title, measure, over, f"L = {L}" * (len(budgets) > 1), rows[rows["L"] == L]) for L in budgets]
            continue
        sizes.sort(key=lambda size: size != context.config["comparison"]["k"])
        parts += [(title, measure, over, f"k = {k}" if k >= 0 else "", rows[rows["k"] == k]) for k in sizes]
    pictures = []
    for title, measure, over, fixed, rows in parts:
        words = ", ".join(filter(None, [context.format_value("measure", measure), fixed, title]))
        pictures.append((words, words, f"<h4>{escape(words)}</h4>{_picture(context, name, measure, over, rows)}"))
    return f"<h3>How well the rankings work</h3>{pages.tabs(f'curve-{name}', 'Score', pictures)}"


def _picture(context, name, measure, over, rows):
    """Draw curves, or bars for a single point, with the values as a table."""
    rows = rows.assign(x=rows["n_labeled"] if over == "L" else rows["k"].astype(float))
    xlabel = "labelled examples L" if over == "L" else "number of features"
    ticks = list(dict(zip(rows["x"], rows["L"], strict=True)).items()) if over == "L" else None
    xs = np.sort(rows["x"].unique())
    lines, bands, columns = [], [], {}
    modes = context.config["modes"]

    def order(item):  # as the lines end in the chart
        (mode, entry), part = item
        return modes.index(mode), entry in context.config["controls"], -part["value"].iloc[-1]

    for (mode, entry), part in sorted(rows.sort_values("x").groupby(["mode", "entry"], sort=False), key=order):
        title = context.title(entry) + (f", {mode.upper()}" if context.several_modes else "")
        title += " *" if part["missing"].max() else ""
        kind = context.css_classes.get(entry, "s0") + (" dashed" if mode != modes[0] else "")
        lines.append((title, kind, part["x"].to_numpy(), part["value"].to_numpy()))
        columns[title] = part.set_index("x")["value"]
        points = part.dropna(subset="error")
        if mode == modes[0] and "control" not in kind and len(points) > 1:
            low, high = points["value"] - points["error"], points["value"] + points["error"]
            bands.append((kind, points["x"], low, high))
    label = f"{context.format_value('measure', measure)} on {name} over {xlabel}"
    values = pd.DataFrame(columns).reindex(xs).rename_axis(xlabel).reset_index()
    table = pages.table(values, f"{label}: the values")
    if len(xs) == 1:
        return table
    caption = "Fold averages weighted with the sizes of the test sets; the bands are one standard error over the folds."
    caption += " Dashed: ranked from the labelled rows only (SL)." if context.several_modes else ""
    caption += " * some planned fits gave no score." if any(" *" in title for title in columns) else ""
    picture = charts.line_chart(
        lines, label, xlabel, context.measure_title(measure), bands=bands if len(bands) <= 5 else (), ticks=ticks
    )
    return f'{picture}<p class="soft">{caption}</p><details><summary>The values</summary>{table}</details>'


def _features(context):
    """List the best features of entries and oracle with the largest L, by dataset."""
    path, scores = context.folder / "collected" / "features.parquet", context.scores
    if not path.is_file() or scores.empty:
        return {}
    table = read_parquet(path)
    blind = [name for name, spec in context.config["methods_used"].items() if spec.get("ranker") in BLIND]
    table = table[~table["method"].isin(blind) & (table["mode"] == context.config["modes"][0])]
    # A control's ranking has the control's name in a contest.
    control = table["method"].isin(scores.loc[scores["control"], "method"].unique())
    table["ranking"] = table["ranking"].where(~control, table["method"])
    keys = ["dataset", "method", "ranking", "mode"]
    table = table.merge(scores[[*keys, "entry"]].drop_duplicates(), on=keys)
    last = table.groupby("dataset")["L"].transform("last")
    return dict(list(table[table["L"] == last].groupby("dataset")))


def _best_features(context, table):
    """Tabulate mean ranks of the features that rankings put first."""
    if table is None:
        return ""
    ranks = table.pivot(index="feature", columns="entry", values="mean_rank")
    depth = int(table.groupby("entry")["feature"].size().max())
    entries = [name for name in ranks if name not in context.config["controls"]] or list(ranks)
    ranks = ranks[[*entries, *(name for name in ranks if name not in entries)]]
    best = ranks[entries].clip(upper=depth + 1).fillna(depth + 1).sum(axis=1)
    ranks = ranks.iloc[np.lexsort((ranks[entries].min(axis=1), best))[:FEATURES]]
    html = {name: ["" if np.isnan(rank) else f"{rank:.1f}" for rank in ranks[name]] for name in ranks}
    heads = {name: context.title(name) for name in ranks}
    caption = (
        f"Mean rank over the folds with L = {table['L'].iloc[0]}, 1 is the best: the {len(ranks)} features that are "
        f"best over all rankings but controls; empty: not among a ranking's first {depth}."
    )
    shown = pages.table(ranks.reset_index(), "Ranks of the best features", heads=heads, html=html)
    return f'<h3>Its best features</h3><p class="soft">{caption}</p>{shown}'
