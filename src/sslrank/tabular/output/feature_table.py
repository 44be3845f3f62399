"""The table of all features on the page, with details for each row."""

import json
from html import escape

import numpy as np
import pandas as pd

from sslrank.core.messages import listed, shortened
from sslrank.plotting import charts, pages
from sslrank.tabular.output.first_screen import effect_size, rank_interval, two_digits
from sslrank.tabular.output.report import conditional_texts, error_rate, near_duplicates

_SIGNS = {"+": "grows with the target", "-": "falls with the target"}
#: Features in the table, and with a picture of their own; a search finds all.
TABLE, PANELS = 200, 60


def feature_table(result, frame, term):
    """Make the table of all features, which the script sorts, searches and opens; only a search shows the last ones."""
    shown, rest = frame.head(TABLE), frame.iloc[TABLE:]
    heads = [
        term.head("rank", "rank"),
        '<th scope="col" aria-sort="none"><button type="button">feature</button></th>',
        term.head("effect", "effect size"),
        term.head("q", "q"),
    ]
    conditional = [None] * len(shown)
    if result.conditional is not None:
        heads.append(term.head("conditional q", "conditional q"))
        conditional = conditional_texts(result, shown)
    duplicates = near_duplicates(frame)
    bodies = []
    for number, (row, j, text) in enumerate(zip(shown.to_dict("records"), result.order, conditional, strict=False)):
        effect, name = result.effects.iloc[j], escape(row["feature"])
        near = f"<small>near-duplicate of {escape(shortened(row['copy_of'], 24))}</small>" if row["copy_of"] else ""
        direction = f"<small class='of'>{escape(shortened(effect['of'], 26))}</small>" if effect["of"] else ""
        interval = "" if pd.isna(row["low"]) else f"<small>{rank_interval(row)}</small>"
        cells = [
            f"<td>{row['rank']}{interval}</td>",
            f'<th scope="row"><button type="button" class="open" aria-controls="d{number}">{name}</button>{near}</th>',
            f"<td>{effect_size(row, interval=True)}{direction}</td>",
            f"<td>{escape(error_rate(row['q']))}</td>",
        ]
        keys = [row["rank"], row["feature"].replace("|", " "), effect["strength"], row["q"]]
        if text is not None:
            cells.append(f"<td>{escape(text)}</td>")
            keys.append(row["conditional_q"])
        keys = "|".join(map(_sort_key, keys))
        detail = _details(result, row, j, effect, duplicates, with_picture=number < PANELS)
        bodies.append(
            f'<tbody data-name="{escape(row["feature"].lower())}" data-keys="{escape(keys)}"><tr>{"".join(cells)}</tr>'
            f'<tr class="detail" id="d{number}"><td colspan="{len(heads)}"><div>{detail}</div></td></tr></tbody>'
        )
    caption, unshown = "Choose a feature to see its relation with the target, a column head to sort.", ""
    if len(rest):
        caption += (
            f" Shown and sorted are the first {len(shown)} of {len(frame)} features; a search finds the others, too."
        )
        columns = ["rank", "feature", "effect", "effect_measure", "q"]
        lines = [
            (row["rank"], row["feature"], effect_size(row), error_rate(row["q"]))
            for row in rest[columns].to_dict("records")
        ]
        packed = json.dumps(lines, ensure_ascii=False, separators=(",", ":"))
        for character in "<>&":
            packed = packed.replace(character, f"\\u{ord(character):04x}")
        unshown = f'<script type="application/json" id="rest">{packed}</script>'
    table = f'<table class="ranking"><thead><tr>{"".join(heads)}</tr></thead>{"".join(bodies)}</table>'
    return (
        f'<section><h2 id="table">All features</h2><p class="soft">{caption}</p>'
        '<div class="find"><label for="find">Search</label><input id="find" type="search" autocomplete="off"/>'
        '<output id="count" for="find"></output></div>'
        f"{charts.scrolled(table, 'all features')}{unshown}</section>"
    )


def _sort_key(value):
    """Format the value that the script sorts by; empty if missing."""
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:.6g}"
    return str(value)


def _details(result, row, j, effect, duplicates, with_picture):
    """Make the details of a feature: a picture and all values."""
    others = duplicates.get(row["feature"], [])
    ranks = [
        f"{method} rank {row[f'rank:{method}']:g}, importance {row[f'importance:{method}']:.3g}"
        for method in result.ranks
    ]
    facts = [
        ("effect size", f"{row['effect_measure']} {two_digits(row['effect'])}" if not pd.isna(row["effect"]) else ""),
        (
            "target" if result.coded.task == "multitarget" else "direction",
            effect["of"] or _SIGNS.get(row["direction"], ""),
        ),
        ("q alone", error_rate(row["alone_q"])),
        ("p", f"{row['p']:.2g}"),
        ("selected", "" if pd.isna(row["selected"]) else f"{row['selected']:.0%}"),
        ("by method", "; ".join(ranks)),
        ("near-duplicates", listed(others) if len(others) else ""),
        ("kind", row["kind"]),
    ]
    fact_list = pages.definition_list((key, escape(value)) for key, value in facts)
    return (_panel(result, j, int(effect["target"])) if with_picture else "") + fact_list


def _panel(result, j, t):
    """Draw a feature against a target, for the labelled rows that have both."""
    coded, table = result.coded, result.table
    # in the order of the labelled rows of the coded table, which may have fewer others
    labeled_rows = np.flatnonzero(table.labeled)
    y, x = coded.target_values[coded.labeled, t], table.X.iloc[labeled_rows, j]
    known = ~np.isnan(y) & x.notna().to_numpy()
    x, y = x[known].reset_index(drop=True), y[known]
    name, target = str(table.X.columns[j]), str(table.target_names[t]) if t < len(table.target_names) else "the target"
    if coded.targets.kind == "survival":
        null = coded.targets.null.rows(coded.labeled[known])
        return charts.survival(x, null.time, null.event, name, f"{target}{table.target.given}")
    if table.target.adjust:
        score = "log-rank score of " if table.target.event is not None else ""
        name, target = f"{name}, adjusted", f"{score}{target}, adjusted"
    if coded.task in ("regression", "multitarget"):
        y = pd.Series(y)
    else:
        names = coded.targets.classes if coded.task == "classification" else ["no", "yes"]
        y = pd.Series(np.array([str(name) for name in names], dtype=object)[y.astype(np.intp)])
    if isinstance(x.dtype, pd.CategoricalDtype):
        x = x.astype(str)
    return charts.feature_chart(x, y, name, target)
