"""The page of a ranking: one file that opens from disk, for bright and dark, wide and narrow screens, and for print."""

import hashlib
import json
import os
import re
import shlex
from datetime import UTC, datetime
from html import escape
from importlib import resources
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank import __version__
from sslrank.core.durations import duration
from sslrank.core.messages import counted, listed, shortened
from sslrank.tabular.show import charts
from sslrank.tabular.show.effects import medians_apart
from sslrank.tabular.show.glossary import GLOSSARY
from sslrank.tabular.show.report import (
    LEAKS,
    answer,
    arena_lines,
    error_rate,
    findings,
    near_duplicates,
    other_ranks,
    stability_line,
)
from sslrank.tabular.trust.intervals import COVERAGE, FEWEST_PAIRS
from sslrank.tabular.trust.measures import UNEQUAL
from sslrank.tabular.trust.own_information import OWN_FDR
from sslrank.tabular.trust.redundancy import COPIES, CORRELATED
from sslrank.tabular.trust.related import FDR

_SIGNS = {"+": "grows with the target", "-": "falls with the target"}
#: Features in the picture, with a picture of their own, in the map of associations, in other tables, and in the table
#: itself; a search finds all.
PICTURE, PANELS, MAP, CELLS, TABLE = 12, 60, 20, 20, 200
#: The axis of ranks is logarithmic if it is longer.
LONG = 50


class _Terms:
    """Marks words of the glossary: each explains itself where it stands, by pointer, keyboard and touch."""

    def __init__(self, prefix):
        self.prefix, self.count = prefix, 0

    def __call__(self, words, key):
        self.count += 1
        name = f"{self.prefix}{self.count}"
        return (
            f'<span class="term"><button type="button" aria-describedby="{name}">{escape(words)}</button>'
            f"{self.tip(key, name)}</span>"
        )

    def tip(self, key, name):
        """The explanation itself."""
        return f'<span class="tip" role="tooltip" id="{name}">{escape(GLOSSARY[key])}</span>'

    def head(self, words, key, kind=""):
        """A head of the table of features, which sorts it."""
        self.count += 1
        name = f"{self.prefix}{self.count}"
        return (
            f'<th scope="col" class="{kind}" aria-sort="none"><button type="button" aria-describedby="{name}">'
            f"{escape(words)}</button>{self.tip(key, name)}</th>"
        )


def document(result, folder=None, command=None):
    """The page of a :class:`sslrank.tabular.result.Ranking` as HTML.

    Parameters
    ----------
    result : sslrank.tabular.result.Ranking
    folder : path-like, optional
        Where the ranking is written, for the commands that the page names.
    command : str, optional
        What made the ranking, as it was typed.

    Returns
    -------
    str
    """
    term = _Terms("t")
    frame = result.in_texts
    parts = [
        _first_screen(result, frame, term, links=True),
        _next_step(result, folder),
        _table(result, frame, term),
        _checks(result.checks),
        _enough(result, term),
        _by_method(result, frame),
        _by_target(result, frame),
        _redundancy(result, term),
        _about(result, command, term),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>Ranking of {escape(_name(result))}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<style>{_theme(':root')}\nhtml{{background:var(--back)}}body{{margin:0}}{_asset('show/page.css')}</style>\n"
        f"<script>{_asset('show/page.js')}</script></head>"
        f'<body><main class="sslrank">\n{"".join(parts)}\n</main></body></html>\n'
    )


def fragment(result):
    """The first screen as one element, for a notebook."""
    prefix = "t" + hashlib.sha256(answer(result).encode()).hexdigest()[:6] + "-"
    screen = _first_screen(result, result.in_texts, _Terms(prefix))
    return f'<div class="sslrank"><style>{_theme(".sslrank")}{_asset("show/page.css")}</style>\n{screen}\n</div>'


def _asset(name):
    return resources.files("sslrank").joinpath(f"tabular/{name}").read_text(encoding="utf-8")


def _theme(selector):
    """Colours of all pages; read as a file, as the package beside it needs matplotlib."""
    theme = resources.files("sslrank").joinpath("plotting/theme.css").read_text(encoding="utf-8")
    return theme.replace(":root", selector)


def _name(result):
    return str(result.table.path or "a table")


def _first_screen(result, frame, term, links=False):
    """The answer and one picture."""
    of = f" of {_name(result)}" if result.table.path else ""
    target = listed(shortened(str(name), 40) for name in result.table.target_columns[:3])
    more = len(result.table.target_columns) - 3
    title = f"Which features{of} go with {target}{f' and {more} more' if more > 0 else ''}?"
    said = answer(result, term, lambda name: f"<b>{escape(name)}</b>")
    menu = ""
    if links:
        found = sum(check.passed is False for check in result.checks)
        places = {
            "table": "all features",
            "checks": f"checks ({counted(found, 'finding')})",
            "number": "how many",
            "about": "how this was made",
            "words": "words",
        }
        items = "".join(f'<li><a href="#{place}">{words}</a></li>' for place, words in places.items())
        menu = f'<nav aria-label="parts of this page"><ul>{items}</ul></nav>'
    return (
        f'<section><h1>{escape(title)}</h1><p class="answer">{said}</p>{menu}{_picture(result, frame, term)}</section>'
    )


def _kind(row, is_more):
    """Style of a feature: it has own information, is related, or neither is shown."""
    if not is_more:
        return "other"
    return "own" if row["own_q"] <= OWN_FDR else "related" if row["q"] <= FDR else "other"


def _picture(result, frame, term):
    """The best features: rank and its interval, and how strongly each goes with the target."""
    shown = frame[frame["copy_of"] == ""].head(PICTURE)
    copies, has_intervals = near_duplicates(frame), result.n_pairs >= FEWEST_PAIRS
    last = max(float(shown[["rank", "high"]].max().max()), 2.0)
    scale = np.log if last > LONG else (lambda rank: np.asarray(rank) - 1.0)
    is_more = result.tests.is_more
    curve = result.curve
    n_enough = curve.enough if is_more and curve and not curve.is_flat and curve.is_above_chance else 0
    ends = [rank for rank in shown["rank"] if rank <= n_enough]
    items, kinds = [], []
    strengths = result.effects.iloc[result.order[shown.index]][["strength", "strength_low", "strength_high"]].to_numpy()
    for row, strength in zip(shown.to_dict("records"), strengths, strict=True):
        kind = _kind(row, is_more)
        kinds.append(kind)
        near = len(copies.get(row["feature"], ()))
        name = escape(shortened(row["feature"], 40))
        name += f" <small>+ {counted(near, 'near-duplicate')}</small>" if near else ""
        cut = " last" if ends and row["rank"] == ends[-1] else ""
        first = ""
        if has_intervals:
            where = [float(scale(row[key]) / scale(last)) for key in ("rank", "low", "high")]
            first = charts.strip(*where, kind)
        second = charts.strip(*strength, f"{kind} second", bar=True)
        said = {"own": "has own information", "related": "is related", "other": "is not shown to be related"}[kind]
        between = "" if np.isnan(row["low"]) else f", {_interval(row)}"
        items.append(
            f'<li class="row{cut}"><span class="place">{row["rank"]}</span><span class="name">{name}'
            f'<span class="off"> {said}{between}</span></span>{first}{second}'
            f'<span class="value">{_effect(row)}</span></li>'
        )
    heads = '<span class="place"></span><span>feature</span>'
    if has_intervals:
        middle = [f"{np.sqrt(last):.0f}"] if last > LONG else [f"{(1 + last) / 2:.0f}"] if last > 9 else []
        ends_ = _ends("1", *middle, f"{last:.0f}")
        heads += f"<span>{term('rank', 'rank')} and its {COVERAGE:.0%} {term('interval', 'interval')}{ends_}</span>"
    ends_ = _ends("none", "perfect")
    heads += f'<span class="second">strength alone{ends_}</span><span>{term("effect size", "effect size")}</span>'
    keys = ""
    for kind, words, key in (
        ("own", "has own information", "own information"), ("related", "related", "related"),
        ("other", "not shown to be related", "related"),
    ):  # fmt: skip
        if kind in kinds:
            words = escape(words) if kind == "other" else term(words, key)
            keys += f"<span>{charts.strip(0.5, np.nan, np.nan, kind)}{words}</span>"
    keys += '<span><span class="cut"></span>' + term("enough", "enough") + "</span>" if ends else ""
    rest = f'All {len(frame)} features <a href="#table">are in the table</a>.' if len(frame) > len(shown) else ""
    rest = rest if term.prefix == "t" else ""
    rest += "" if is_more or len(frame) < len(shown) else " Of many features, the best look strong by chance."
    rest = f'<p class="soft">{rest}</p>' if rest else ""
    return (
        f'<figure class="picture{"" if has_intervals else " plain"}"><figcaption class="keys">{keys}</figcaption>'
        f'<div class="heads">{heads}</div><ol>{"".join(items)}</ol></figure>{rest}'
    )


def _ends(*texts):
    """Labels of an axis."""
    return f'<span class="ends" aria-hidden="true">{"".join(f"<span>{text}</span>" for text in texts)}</span>'


def _effect(row, interval=False):
    """An effect size with its measure; AUC, V and eta squared without the zero that all of them begin with."""
    if pd.isna(row["effect"]):
        return ""
    name = {"Spearman": "r", "Cramér's V": "V", "eta²": "η²"}.get(row["effect_measure"], row["effect_measure"])
    said = f"{name} {_two(row['effect'])}"
    if interval and not pd.isna(row["effect_low"]):
        said += f"<small>{_two(row['effect_low'])} to {_two(row['effect_high'])}</small>"
    return said


def _two(value):
    return f"{value:.2f}".replace("-", "\u2212")


def _interval(row):
    ends = [f"{row[end]:.0f}" for end in ("low", "high")]
    return " to ".join(dict.fromkeys(ends))


def _next_step(result, folder):
    leaks = [check for check in result.checks if check.code in LEAKS and check.passed is False]
    if leaks:
        said = f"First look at {leaks[0].code}: {leaks[0].finding}. {leaks[0].advice}."
    elif not result.tests.is_more:
        said = "Label more rows, or bring other features: from these rows no feature can be trusted."
    elif len(result.short_list()) == len(result.order):
        said = "Keep all features: fewer are not shown to be enough."
    else:
        count, file = len(result.short_list()), result.table.path
        best = "best feature" if count == 1 else f"best {count} features"
        if not isinstance(file, Path):
            said, words = f"Take the {best}:", f"ranking.short_list({count})"
        else:
            words = ["reduce", str(file), str(folder or "RANKING"), "--n-features", str(count), "--out", "small.csv"]
            said, words = f"Write a table with the {best}:", shlex.join(["sslrank", *words])
        return f'<p class="soft">Next: {escape(said)} <code>{escape(words)}</code></p>'
    return f"<p>Next: {escape(said)}</p>"


def _table(result, frame, term):
    """All features: sorted, searched and opened by the script; only a search shows those beyond the first ones."""
    has_intervals, has_own = result.n_pairs >= FEWEST_PAIRS, result.own is not None
    blocks = _block_names(result)
    shown, rest = frame.head(TABLE), frame.iloc[TABLE:]
    heads = [
        term.head("rank", "rank"),
        '<th scope="col" aria-sort="none"><button type="button">feature</button></th>',
        term.head("effect", "effect size"),
        term.head("medians apart", "medians apart", "more"),
        term.head("q alone", "q alone", "more"),
        term.head("q", "q"),
    ]
    heads += [term.head("own q", "own q")] if has_own else []
    heads += [term.head("block", "block", "more")] if blocks else []
    heads += [term.head("selected", "selected", "more")] if result.n_pairs else []
    place = {str(name): j for j, name in enumerate(result.table.X.columns)}
    copies = near_duplicates(frame)
    bodies = []
    for number, row in enumerate(shown.to_dict("records")):
        j = place[row["feature"]]
        effect = result.effects.iloc[j]
        apart, low, high = medians_apart(result.problem, j, effect)
        between = "" if np.isnan(low) else f"<small>{charts.number(low)} to {charts.number(high)}</small>"
        near = f"<small>near-duplicate of {escape(shortened(row['copy_of'], 24))}</small>" if row["copy_of"] else ""
        about = f"<small class='of'>{escape(shortened(effect['of'], 26))}</small>" if effect["of"] else ""
        interval = f"<small>{_interval(row)}</small>" if has_intervals and not pd.isna(row["low"]) else ""
        name = escape(row["feature"])
        cells = [
            f"<td>{row['rank']}{interval}</td>",
            f'<th scope="row"><button type="button" class="open" aria-controls="d{number}">{name}</button>{near}</th>',
            f"<td>{_effect(row, interval=True)}{about}</td>",
            f'<td class="more">{charts.number(apart)}{between}</td>',
            f'<td class="more">{escape(_rate(row["alone_q"]))}</td>',
            f"<td>{escape(_rate(row['q']))}</td>",
        ]
        keys = [row["rank"], row["feature"].replace("|", " "), effect["strength"], apart, row["alone_q"], row["q"]]
        if has_own:
            cells.append(f"<td>{escape(_rate(row['own_q']))}</td>")
            keys.append(row["own_q"])
        if blocks:
            cells.append(f'<td class="more">{escape(shortened(blocks.get(j, ""), 16))}</td>')
            keys.append(blocks.get(j, ""))
        if result.n_pairs:
            cells.append(f'<td class="more">{row["selected"]:.0%}</td>')
            keys.append(row["selected"])
        keys = "|".join(map(_key, keys))
        detail = _detail(result, row, j, effect, (apart, low, high), copies, with_picture=number < PANELS)
        bodies.append(
            f'<tbody data-name="{escape(row["feature"].lower())}" data-keys="{escape(keys)}"><tr>{"".join(cells)}</tr>'
            f'<tr class="detail" id="d{number}"><td colspan="{len(heads)}"><div>{detail}</div></td></tr></tbody>'
        )
    said = "Choose a feature to see how the target goes with it; choose a head to sort."
    unshown = ""
    if len(rest):
        said += (
            f" Shown and sorted are the first {len(shown)} of {len(frame)} features; a search finds the others, too."
        )
        columns = ["rank", "feature", "effect", "effect_measure", "alone_q", "q"]
        lines = [
            (row["rank"], row["feature"], _effect(row), "", _rate(row["alone_q"]), _rate(row["q"]))
            for row in rest[columns].to_dict("records")
        ]
        packed = json.dumps(lines, ensure_ascii=False, separators=(",", ":"))
        for character in "<>&":
            packed = packed.replace(character, f"\\u{ord(character):04x}")
        unshown = f'<script type="application/json" id="rest">{packed}</script>'
    table = f'<table class="ranking"><thead><tr>{"".join(heads)}</tr></thead>{"".join(bodies)}</table>'
    return (
        f'<section><h2 id="table">All features</h2><p class="soft">{said}</p>'
        '<div class="find"><label for="find">Search</label><input id="find" type="search" autocomplete="off"/>'
        '<output id="count" for="find"></output></div>'
        f"{charts.scrolled(table, 'all features')}{unshown}</section>"
    )


def _key(value):
    """What the script sorts by; empty if it is missing."""
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:.6g}"
    return str(value)


def _rate(q):
    return "" if pd.isna(q) else error_rate(q)


def _block_names(result):
    """Name of the block of each feature that shares one; near-duplicates by numbers in the order of the ranking."""
    if result.own is None:
        return {}
    if result.blocks is not None:
        place = {str(name): j for j, name in enumerate(result.table.X.columns)}
        blocks = result.blocks.to_dict("records")
        return {place[str(name)]: str(block["block"]) for block in blocks for name in block["features"]}
    blocks = result.own.blocks
    shared = np.unique(blocks, return_counts=True)
    shared = set(shared[0][shared[1] > 1])
    numbers = {}
    for j in result.order:
        if blocks[j] in shared:
            numbers.setdefault(blocks[j], str(len(numbers) + 1))
    return {j: numbers[blocks[j]] for j in range(len(blocks)) if blocks[j] in numbers}


def _detail(result, row, j, effect, medians, copies, with_picture):
    """What an opened row shows: a picture, and all values."""
    apart, low, high = medians
    others = copies.get(row["feature"], [])
    ranks = [
        f"{method} rank {row[f'rank:{method}']:g}, importance {row[f'importance:{method}']:.3g}"
        for method in result.ranks
    ]
    between = "" if np.isnan(low) else f" ({charts.number(low)} to {charts.number(high)})"
    facts = [
        ("effect size", f"{row['effect_measure']} {_two(row['effect'])}" if not pd.isna(row["effect"]) else ""),
        (
            "target" if result.problem.task == "multitarget" else "direction",
            effect["of"] or _SIGNS.get(row["direction"], ""),
        ),
        ("medians apart", f"{charts.number(apart)}{between}" if not np.isnan(apart) else ""),
        ("q alone", _rate(row["alone_q"])),
        ("p", f"{row['p']:.2g}"),
        ("selected", "" if pd.isna(row["selected"]) else f"{row['selected']:.0%}"),
        ("by method", "; ".join(ranks)),
        ("near-duplicates", listed(others) if len(others) else ""),
        ("kind", row["kind"]),
    ]
    told = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in facts if value)
    return (_panel(result, j, int(effect["target"])) if with_picture else "") + f"<dl>{told}</dl>"


def _panel(result, j, t):
    """The picture of a feature against a target, of the labelled rows that have both."""
    problem, table = result.problem, result.table
    of_table = np.flatnonzero(
        table.labeled
    )  # in the order of the labelled rows of the problem, which may have fewer others
    y, x = problem.columns[problem.labeled, t], table.X.iloc[of_table, j]
    known = ~np.isnan(y) & x.notna().to_numpy()
    x, y = x[known].reset_index(drop=True), y[known]
    if problem.task in ("regression", "multitarget"):
        y = pd.Series(y)
    else:
        names = problem.targets.classes if problem.task == "classification" else ["no", "yes"]
        y = pd.Series(np.array([str(name) for name in names], dtype=object)[y.astype(np.intp)])
    if isinstance(x.dtype, pd.CategoricalDtype):
        x = x.astype(str)
    target = str(table.target_names[t]) if t < len(table.target_names) else "the target"
    return charts.panel(x, y, str(table.X.columns[j]), target)


def _enough(result, term):
    curve = result.curve
    head = f'<section><h2 id="number">How many features are {term("enough", "enough")}</h2>'
    if curve is None:
        return f"{head}<p>Not estimated: the effort full does this; the notes name any other reason.</p></section>"
    table = curve.table
    label = f"{curve.measure_name} over the number of features"
    lines = [("size", "", table["size"].to_numpy())]
    lines += [
        (name, kind, table[kind].to_numpy())
        for name, kind in (("best first", "best"), ("worst first", "worst"), ("random order", "random"))
    ]
    band = np.array([table["best"] - table["error"], table["best"] + table["error"]])
    marked = None if curve.is_flat or not curve.is_above_chance else (curve.enough, curve.upper)
    ylabel = f"{curve.measure_name} ({'higher' if curve.higher_is_better else 'lower'} is better)"
    return (
        f"{head}<p>{escape(_capital(curve.describe()))}. {curve.n_repeats} x {curve.n_folds} folds, {curve.predictor}; "
        f"the ranking of each fold was made without its test rows. Error curve average {_two(curve.eca)} "
        f"(0: random ranking).{_caution(result)}</p>"
        f"{charts.curve(lines, band, marked, curve.chance, label, ylabel)}</section>"
    )


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


def _by_method(result, frame):
    """Ranks by each method, and by importances from elsewhere."""
    others = other_ranks(frame)
    if len(result.ranks) + others.shape[1] < 2:
        return ""
    shown = frame[frame["copy_of"] == ""].head(CELLS)
    table = shown[[f"rank:{method}" for method in result.ranks]].set_axis(list(result.ranks), axis=1)
    table = shown[["rank"]].astype(float).join(table).join(others.loc[shown.index]).set_index(shown["feature"])
    said = (
        "Ranks from all rows, the best in the strongest colour. Where methods disagree, they measure other relations."
    )
    said += " Importances from elsewhere are ranked by absolute value." if others.shape[1] else ""
    return (
        f"<section><h2>Ranks by method</h2><p>{said}</p>{_rank_cells(table, len(frame), 'ranks by method')}</section>"
    )


def _rank_cells(ranks, n_features, label):
    shades = 1 - np.log(ranks) / np.log(max(n_features, 2))
    return charts.cells(ranks.map(lambda rank: "" if pd.isna(rank) else f"{rank:g}"), shades, label)


def _by_target(result, frame):
    if result.problem.columns.shape[1] < 2:
        return ""
    counts = (~np.isnan(result.problem.columns)).sum(axis=0)
    names = [str(name) for name in result.table.target_names]
    said = ", ".join(f"{name} {count}" for name, count in zip(names[:CELLS], counts, strict=False))
    found = f"<section><h2>By target</h2><p>Labelled rows: {escape(said)}{' ...' if len(names) > CELLS else ''}.</p>"
    if result.by_target is None:
        return f"{found}</section>"
    ranks = result.by_target.rank(ascending=False).loc[frame["feature"][:CELLS], names[:CELLS]]
    return (
        f"{found}<p>Rank of each feature for each target, by its importance for this target in a forest.</p>"
        f"{_rank_cells(ranks, len(frame), 'rank of each feature for each target')}</section>"
    )


def _redundancy(result, term):
    found = result.redundancy
    if found is None or len(found.features) < 3:
        return ""
    names = [str(name) for name in result.table.X.columns]
    count = min(MAP, len(found.features))
    part = found.association[:count, :count]
    rows = [f"{i + 1}. {names[j]}" for i, j in enumerate(found.features[:count])]
    groups = [", ".join(names[j] for j in group) for group in found.groups("correlated")]
    said = (
        f"Association of the best {count} features: absolute value of Spearman's correlation, Cramér's V or "
        f"correlation ratio. Groups have {CORRELATED} or more between each pair; from {COPIES} on features are "
        f"{term('near-duplicates', 'near-duplicate')}."
    )
    below = np.tril(np.ones(part.shape, dtype=bool), -1)[:, :-1]  # each pair once
    numbers = pd.DataFrame(part, index=rows, columns=range(1, count + 1)).iloc[:, :-1]
    texts = numbers.map(lambda value: f"{value:.2f}".replace("0.", ".")).where(below, "")
    listing = _listing(groups[:10]) if groups else "<p>No groups.</p>"
    cells = charts.cells(texts, numbers.where(below), "association of the best features")
    return f"<section><h2>Features that go together</h2><p>{said}</p>{listing}{cells}</section>"


def _checks(checks):
    """Findings and advice; what passed is folded."""

    def items(some):
        return "".join(
            f"<li><strong>{check.code} {escape(check.title)}</strong>: "
            f"{escape(check.finding or check.looked_at)}."
            f"{f' {escape(check.advice)}.' if check.passed is False and check.advice else ''}</li>"
            for check in some
        )

    found = [check for check in checks if check.passed is False]
    passed = [check for check in checks if check.passed is True]
    skipped = [check for check in checks if check.passed is None]
    body = f'<ul class="checks">{items(found)}</ul>' if found else '<p class="good">No findings.</p>'
    for some, words in ((passed, "passed"), (skipped, "skipped")):
        if some:
            body += (
                f"<details><summary>{counted(len(some), f'check {words}', f'checks {words}')}</summary>"
                f'<ul class="checks">{items(some)}</ul></details>'
            )
    return f'<section><h2 id="checks">Checks of the table</h2>{body}</section>'


def _about(result, command, term):
    """How the table was read and what else was found; where the page comes from; the words."""
    table = result.table
    read = [line for line in table.describe() if not line.startswith("note: ")]
    notes = [*table.notes, *result.notes]
    notes += [f"{name} could not rank these rows: {message}" for name, message in result.failures.items()]
    found = [*findings(result), *filter(None, [stability_line(result)]), *arena_lines(result)]
    facts = [
        ("command", f"<code>{escape(command)}</code>" if command else ""),
        ("file", escape(str(table.path or ""))),
        (
            "sha256",
            f"<code>{file_hash(table.path)}</code>" if isinstance(table.path, Path) and table.path.is_file() else "",
        ),
        ("size", f"{table.n_rows + table.left_out} rows; {counted(table.X.shape[1], 'feature')} ranked"),
        ("methods", escape(", ".join(result.ranks))),
        ("seed", str(result.seed)),
        ("version", f"sslrank {__version__}"),
        ("date", _date()),
        ("time taken", duration(result.seconds) if result.seconds and not os.environ.get("SOURCE_DATE_EPOCH") else ""),
    ]
    facts = "".join(f"<dt>{key}</dt><dd>{value}</dd>" for key, value in facts if value)
    words = "".join(f"<dt>{escape(word)}</dt><dd>{escape(text)}</dd>" for word, text in GLOSSARY.items())
    private = "" if result.problem.task in ("classification", "multilabel", "hierarchical") else (
        f" Pictures of single features show values of up to {charts.POINTS} rows."
    )  # fmt: skip
    return (
        f'<section><h2 id="about">How this was made</h2><h3>How the table was read</h3>{_listing(read)}'
        f"<h3>What was found, in full</h3>{_listing(map(_capital, found))}"
        f"{f'<h3>Notes</h3>{_listing(notes)}' if notes else ''}"
        f"<h3>Where this page comes from</h3><dl>{facts}</dl>"
        f'<p class="soft">This page has names of columns, classes and categories, lowest and highest values.{private} '
        "It needs no network and sends nothing.</p></section>"
        f'<section><h2 id="words">Words</h2><dl>{words}</dl></section>'
    )


def file_hash(path):
    """SHA-256 of a file, in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _date():
    """Today, or the date of SOURCE_DATE_EPOCH, with which the same ranking gives the same page."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    when = datetime.fromtimestamp(int(epoch), UTC) if re.fullmatch(r"\d+", epoch) else datetime.now(UTC)
    return when.strftime("%Y-%m-%d")


def _capital(text):
    return text[:1].upper() + text[1:]


def _listing(lines):
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
