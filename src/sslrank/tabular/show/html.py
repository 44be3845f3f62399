"""The page of a ranking: one file without scripts, for bright and dark, wide and narrow screens, and for print."""

import shlex
from html import escape

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import linkage

from sslrank.plotting import feature_curves, heat_map, inline_svg, intervals, target_panels, theme_css
from sslrank.tabular.show.report import (
    arena_lines,
    error_rate,
    findings,
    near_duplicates,
    near_duplicates_line,
    other_ranks,
    stability_line,
)
from sslrank.tabular.trust.intervals import FEWEST_PAIRS
from sslrank.tabular.trust.measures import UNEQUAL
from sslrank.tabular.trust.redundancy import distances
from sslrank.tabular.trust.related import FDR

#: Features in the charts, the plots against the target, the map of associations and the table.
CHART, PANELS, MAP, TABLE = 20, 12, 30, 200
#: Features of the short list on the first screen.
LISTED = 12
_STYLE = """
.sslrank{color:var(--text);background:var(--back);font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:0 auto;
 padding:1rem;color-scheme:light dark}
.sslrank svg{max-width:100%;height:auto;display:block}
.sslrank .wide svg{max-width:none}
.sslrank .scroll{overflow-x:auto}
.sslrank h1{font-size:1.4rem;margin:.2rem 0 1rem}.sslrank h2{font-size:1.1rem;margin:2rem 0 .3rem}
.sslrank h3{font-size:1rem;margin:0 0 .3rem}
.sslrank :is(h1,p,li,code,td.left){overflow-wrap:anywhere}
@media(max-width:40rem){.sslrank .checks :is(tbody,tr,th,td){display:block;text-align:left;border:0;padding:.1rem 0}
 .sslrank .checks tr{border-bottom:1px solid var(--line);padding:.5rem 0}.sslrank .checks tr:first-child{display:none}}
.sslrank .first{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:.8rem}
.sslrank .card{background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.7rem .9rem}
.sslrank .card :is(p,ul,ol){margin:.2rem 0}.sslrank .card :is(ul,ol){padding-left:1.4rem}
.sslrank .soft{color:var(--soft)}.sslrank .good{color:var(--good)}.sslrank .bad{color:var(--bad)}
.sslrank code{background:var(--badge);padding:.1rem .3rem;border-radius:.2rem}
.sslrank table{border-collapse:collapse;font-size:14px}
.sslrank :is(th,td){padding:.2rem .6rem;text-align:right;border-bottom:1px solid var(--line);vertical-align:top}
.sslrank .ranking :is(th,td){white-space:nowrap}
.sslrank :is(.left,.ranking td:nth-child(2),.ranking th:nth-child(2)){text-align:left}
.sslrank .ranking td:nth-child(2){min-width:8rem;max-width:20rem;white-space:normal}
@media print{.sslrank{font-size:11px;max-width:none}.sslrank .scroll{overflow:visible}
 .sslrank .wide svg{max-width:100%}.sslrank :is(.card,tr,svg){break-inside:avoid}}
"""


def document(result, folder=None):
    """The page of a :class:`sslrank.tabular.result.Ranking` as HTML; its commands name the `folder` of the ranking."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Feature ranking</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<style>{theme_css()}\nhtml{{background:var(--back)}}body{{margin:0}}</style>"
        f"</head><body><main>\n{fragment(result, folder)}\n</main></body></html>\n"
    )


def fragment(result, folder=None):
    """The page as one element, for a notebook."""
    frame = result.in_texts
    parts = [
        f"<h1>Feature ranking of {escape(str(result.table.path or 'a table'))}</h1>",
        _first_screen(result, frame, folder),
        _checks(result.checks),
        *_best(result, frame),
        *_enough(result),
        *_against_target(result, frame),
        *_by_target(result, frame),
        *_redundancy(result),
        *_others(frame),
        "<h2>The ranking</h2><p>Columns named after methods have importances from all rows.</p>",
        _table(result, frame),
    ]
    lines = [*result.table.notes, *result.notes]
    lines += [f"{name} could not rank these rows: {message}" for name, message in result.failures.items()]
    parts += [f"<h2>Notes</h2>{_listing(lines)}"] if lines else []
    return f'<div class="sslrank"><style>{theme_css(".sslrank")}{_STYLE}</style>\n' + "\n".join(parts) + "\n</div>"


def _first_screen(result, frame, folder):
    """The first screen: the table as it was understood, tests, number of features, the best ones, next step."""
    understood = [line for line in result.table.describe() if not line.startswith("note: ")]
    answer, *more = findings(result)
    mark = "good" if result.tests.is_more else "bad"
    knows = [f'<strong class="{mark}">{escape(_capital(answer))}</strong>']
    knows += [escape(_capital(line)) for line in (*more, *arena_lines(result))]
    best = list(frame["feature"][frame["copy_of"] == ""][: min(result.n_enough, LISTED)])
    others = near_duplicates(frame)
    items = "".join(
        f"<li>{escape(name)}"
        + (f' <span class="soft">{escape(near_duplicates_line(others[name]))}</span>' if name in others else "")
        + "</li>"
        for name in best
    )
    known = "".join(f"<li>{line}</li>" for line in knows)
    more = result.n_enough - len(best)
    rest = f'<p class="soft">{more} more below</p>' if more > 0 and len(best) == LISTED else ""
    return (
        '<div class="first">'
        f'<section class="card"><h3>The table</h3>{_listing(understood)}</section>'
        f'<section class="card"><h3>What was found</h3><ul>{known}</ul></section>'
        f'<section class="card"><h3>The best features</h3><ol>{items}</ol>{rest}</section>'
        f'<section class="card"><h3>Next step</h3>{_next_step(result, folder)}</section></div>'
    )


def _next_step(result, folder):
    leaks = [check for check in result.checks if check.code in ("C03", "C07", "C08") and check.passed is False]
    if leaks:
        return f"<p>First look at {escape(leaks[0].code)}: {escape(leaks[0].finding)}. {escape(leaks[0].advice)}.</p>"
    if not result.tests.is_more:
        return "<p>Label more rows, or bring other features: from these rows no feature can be trusted.</p>"
    count, file = result.n_enough, result.table.path
    best = "best feature" if count == 1 else f"best {count} features"
    if file is None:
        return f"<p>Take the {best}: <code>ranking.short_list({count})</code></p>"
    words = ["sslrank", "reduce", str(file), str(folder or "RANKING"), "--n-features", str(count), "--out", "small.csv"]
    return f"<p>Write a table with the {best}: <code>{escape(shlex.join(words))}</code></p>"


def _capital(text):
    return text[:1].upper() + text[1:]


def _checks(checks):
    if not checks:
        return ""
    words = {True: "passed", False: "found", None: "skipped"}
    rows = []
    for check in sorted(checks, key=lambda check: (check.passed is not False, check.code)):
        said = check.finding or check.looked_at
        mark = {True: "good", False: "bad", None: "soft"}[check.passed]
        advice = escape(check.advice) if check.passed is False else ""
        rows.append(
            f'<tr><th scope="row">{check.code}</th><td class="left">{escape(check.title)}</td>'
            f'<td class="{mark}">{words[check.passed]}</td><td class="left">{escape(said)}</td>'
            f'<td class="left">{advice}</td></tr>'
        )
    head = "".join(f'<th scope="col" class="left">{title}</th>' for title in ("", "check", "", "", "what to do"))
    return "<h2>Checks</h2>" + _scrolled(f"<table><tr>{head}</tr>{''.join(rows)}</table>", "checks", "scroll checks")


def _best(result, frame):
    methods = list(result.ranks)
    shown = frame[frame["copy_of"] == ""].head(CHART)
    drawn = shown.assign(value=shown["rank"])
    has_intervals = result.n_pairs >= FEWEST_PAIRS
    said = f"Related features by their mean rank over {', '.join(methods)}; then the others by their p-value"
    if has_intervals:
        said += f"; the lines are 80% intervals of the rank, from {result.n_pairs} complementary pairs of half-samples"
    drawn["related"] = drawn["q"] <= FDR if result.tests.is_more else False
    said += f"; full points are related to the target at a false discovery rate of {FDR:.0%}"
    figure = intervals(drawn, xlabel="rank (1 is the best)", highlight="related")
    yield f"<h2>The best features</h2><p>{escape(said)}. {escape(_capital(stability_line(result)))}</p>"
    yield _chart(figure, "rank of the best features with their intervals")
    if len(methods) > 1:
        columns = [f"rank:{method}" for method in methods]
        table = shown.set_index("feature")[columns].set_axis(methods, axis=1)
        shade = 1 - np.log(table) / np.log(max(len(frame), 2))
        yield "<h2>Ranks by method</h2><p>From all rows; darker is better.</p>"
        yield _chart(heat_map(shade.clip(0, 1), text=table.map("{:g}".format)), "rank of each feature by each method")


def _enough(result):
    yield "<h2>How many features are enough</h2>"
    curve = result.curve
    if curve is None:
        yield "<p>Not estimated: the effort full does this; the notes name any other reason.</p>"
        return
    yield (
        f"<p>{escape(_capital(curve.describe()))}. {curve.n_repeats} x {curve.n_folds} folds, {curve.predictor}; "
        f"the ranking of each fold was made without its test rows. Error curve average {curve.eca:+.3f} "
        "(0: random ranking)."
        f"{_caution(result)}</p>"
    )
    table = curve.table
    parts = [
        pd.DataFrame({"size": table["size"], "ranking": name, "value": table[column], "error": error})
        for name, column, error in (
            ("best first", "best", table["error"]), ("worst first", "worst", 0.0), ("random", "random", 0.0)
        )
    ]  # fmt: skip
    figure = feature_curves(
        pd.concat(parts, ignore_index=True),
        ylabel=curve.measure_name,
        higher_is_better=curve.higher_is_better,
        enough=None if curve.is_flat or not curve.is_above_chance else (curve.enough, curve.upper),
        reference=curve.chance if np.isfinite(curve.chance) else None,
        reference_label="no features",
        dashed=("random",),
        log_sizes=bool(table["size"].iloc[-1] > 100),
    )
    yield _chart(figure, f"{curve.measure_name} against the number of features")


def _caution(result):
    """A caution about an error curve average above 0 with unequal classes."""
    if result.problem.task != "classification":
        return ""
    counts = np.unique(result.problem.target()[0], return_counts=True)[1]
    if counts.max() < UNEQUAL * counts.sum() / len(counts):
        return ""
    return (
        " The classes are unequal: this average can be above 0 without any relevant feature, as a method may prefer "
        "features with which the predictor names the larger class more often."
    )


def _against_target(result, frame):
    if result.problem.columns.shape[1] > 1:
        return
    labeled = result.table.labeled
    best = list(frame["feature"][frame["copy_of"] == ""][:PANELS])
    X = result.table.X.set_axis([str(name) for name in result.table.X.columns], axis=1)
    target = pd.Series(result.table.y[labeled])
    target = target.astype(float) if result.problem.task == "regression" else target.astype(str)
    figure = target_panels(X.loc[labeled, best], target)
    yield "<h2>The best features against the target</h2><p>Labelled rows.</p>"
    yield _chart(figure, "each of the best features against the target", wide=True)


def _by_target(result, frame):
    if result.problem.columns.shape[1] < 2:
        return
    counts = (~np.isnan(result.problem.columns)).sum(axis=0)
    names = [str(name) for name in result.table.target_names]
    said = ", ".join(f"{name} {count}" for name, count in zip(names[:CHART], counts, strict=False))
    yield f"<h2>By target</h2><p>Labelled rows: {escape(said)}{' ...' if len(names) > CHART else ''}.</p>"
    if result.by_target is not None:
        ranks = result.by_target.rank(ascending=False).loc[frame["feature"][:CHART], names[:CHART]]
        shade = (1 - np.log(ranks) / np.log(max(len(frame), 2))).clip(0, 1)
        yield "<p>Rank of each feature for each target, by its importance for this target in a forest.</p>"
        yield _chart(heat_map(shade, text=ranks.map("{:g}".format)), "rank of each feature for each target", wide=True)


def _redundancy(result):
    found = result.redundancy
    if found is None or len(found.features) < 3:
        return
    count = min(MAP, len(found.features))
    part = found.association[:count, :count]
    names = [str(result.table.X.columns[j]) for j in found.features[:count]]
    tree = linkage(distances(part), "complete")
    groups = [f"{', '.join(str(result.table.X.columns[j]) for j in group)}" for group in found.groups("correlated")]
    yield "<h2>Correlated features</h2><p>Absolute value of Spearman's correlation, Cramér's V or correlation ratio of "
    yield f"the best {count} features; groups have 0.8 or more between each pair.</p>"
    yield _listing(groups[:10]) if groups else "<p>No groups.</p>"
    map_ = heat_map(pd.DataFrame(part, index=names, columns=names), linkage=tree, cut=0.2)
    yield _chart(map_, "association of the best features with each other", wide=True)


def _others(frame):
    others = other_ranks(frame)
    if others.empty:
        return
    shown = frame[frame["copy_of"] == ""].head(CHART)
    table = frame[["rank"]].astype(float).set_axis(["rank here"], axis=1).join(others)
    table = table.loc[shown.index].set_axis(shown["feature"], axis=0)
    shade = (1 - np.log(table) / np.log(max(len(frame), 2))).clip(0, 1)
    text = table.map(lambda value: "" if pd.isna(value) else f"{value:g}")
    yield "<h2>Compared with importances from elsewhere</h2><p>Ranks; those from elsewhere by absolute value.</p>"
    yield _chart(heat_map(shade, text=text), "ranks compared with those of importances from elsewhere")


def _chart(figure, label, wide=False):
    drawn = inline_svg(figure, label)
    return _scrolled(drawn, label, "scroll wide" if wide else "scroll")


def _listing(lines):
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _scrolled(content, label, kind="scroll"):
    """Content that scrolls, also by keyboard, if it is wider than the window."""
    return f'<div class="{kind}" role="region" tabindex="0" aria-label="{escape(label)}">{content}</div>'


def _table(result, frame):
    methods = list(result.importances)
    has_intervals, has_own = result.n_pairs >= FEWEST_PAIRS, result.own is not None
    others = [name for name in frame if str(name).startswith("beside:")]
    head = ["rank", "feature", "kind", "direction", "mean rank"]
    head += ["80% interval"] if has_intervals else []
    head += ["selected"] if result.n_pairs else []
    head += ["p", "q", *(["own q"] if has_own else [])]
    head += [*methods, *(name.removeprefix("beside:") for name in others)]
    rows = []
    for row in frame.head(TABLE).to_dict("records"):
        kind = f"near-duplicate of {row['copy_of']}" if row["copy_of"] else row["kind"]
        cells = [f"{row['rank']}", escape(str(row["feature"])), escape(kind), escape(row["direction"])]
        cells += [f"{row['mean_rank']:.1f}"]
        cells += ["" if pd.isna(row["low"]) else f"{row['low']:.1f} to {row['high']:.1f}"] if has_intervals else []
        cells += [f"{row['selected']:.0%}"] if result.n_pairs else []
        cells += [
            f"{row['p']:.2g}",
            escape(error_rate(row["q"])),
            *([escape(error_rate(row["own_q"]))] if has_own else []),
        ]
        cells += [f"{row[f'importance:{method}']:.3g}" for method in methods]
        cells += ["" if pd.isna(row[name]) else f"{row[name]:.3g}" for name in others]
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    titles = "".join(f'<th scope="col">{escape(str(title))}</th>' for title in head)
    rest = f'<p class="soft">The first {TABLE} of {len(frame)} features.</p>' if len(frame) > TABLE else ""
    return _scrolled(f'<table class="ranking"><tr>{titles}</tr>{"".join(rows)}</table>', "the ranking") + rest
