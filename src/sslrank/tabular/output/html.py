"""The page of a ranking as one HTML file, for light and dark, wide and narrow screens, and print.

The templates get the fields of ``ranking.json`` and the pictures, texts and orders that are computed here.
"""

import hashlib
from functools import cache

import numpy as np
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from sslrank.core.messages import counted, listed, shortened
from sslrank.hypothesis_tests.conditional import CONDITIONAL_FDR
from sslrank.hypothesis_tests.half_samples import MIN_PAIRS, RANK_COVERAGE
from sslrank.hypothesis_tests.related import FDR
from sslrank.plotting import charts, pages
from sslrank.tabular.output.glossary import GLOSSARY, Terms
from sslrank.tabular.output.terminal import conditional_texts, error_rate, findings, hazard_ratio, near_duplicates

#: Features in the picture; in the table; and with a picture of their own. A search finds all.
PICTURE, TABLE, PANELS = 12, 200, 60
#: The axis of ranks is logarithmic if it is longer.
MAX_LINEAR_RANK = 50
#: Styles of features by what the tests show.
STYLES = {
    "conditional": "adds information beyond the others",
    "related": "related",
    "together": "related only together with others",
    "other": "not shown to be related",
}
_SIGNS = {"+": "grows with the target", "-": "falls with the target"}
#: Measures of effects that have a shorter name.
_MEASURES = {"Spearman": "r", "partial r": "r", "Cramér's V": "V", "eta²": "η²", "C index": "C"}


def document(result):
    """Make the page of a :class:`sslrank.tabular.result.Ranking` as HTML.

    Parameters
    ----------
    result : sslrank.tabular.result.Ranking

    Returns
    -------
    str
    """
    fields, term = result.to_dict(), Terms("t")
    rows = _rows(result, fields["features"])
    n_failed = sum(check["passed"] is False for check in fields["checks"])
    menu = {
        "table": "all features",
        "checks": f"checks ({counted(n_failed, 'finding')})",
        "number": "how many",
        "about": "how this was made",
        "words": "glossary",
    }
    values = fields | _first_screen(result, fields, rows, term) | _table(result, rows) | _about(result, fields)
    body = _templates().get_template("page.html.j2").render(values | {"menu": menu})
    return pages.document(f"Ranking of {fields['table']['path'] or 'a table'}", body)


def fragment(result):
    """Make the first screen as one HTML element, for a notebook."""
    prefix = "t" + hashlib.sha256(str(result.answer).encode()).hexdigest()[:6] + "-"
    fields = result.to_dict()
    values = _first_screen(result, fields, _rows(result, fields["features"]), Terms(prefix))
    screen = _templates().get_template("screen.html.j2").render(values)
    return f'<div class="sslrank"><style>{pages.styles(".sslrank")}</style>\n{screen}\n</div>'


@cache
def _templates():
    environment = Environment(
        loader=PackageLoader("sslrank.tabular.output"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.globals |= {
        "counted": counted,
        "shortened": shortened,
        "strip": lambda *shares, **options: Markup(charts.strip(*shares, **options)),
        "definition_list": lambda pairs: Markup(pages.definition_list((key, escape(text)) for key, text in pairs)),
        "effect_size": effect_size,
        "error_rate": error_rate,
        "hazard_ratio": hazard_ratio,
        "two_digits": two_digits,
        "styles": STYLES,
        "nan": np.nan,
    }
    return environment


def _rows(result, features):
    """Add to the features what the picture and the table show: styles, near-duplicates, intervals and strengths."""
    duplicates = near_duplicates(result.features)
    strengths = ["of", "target", "strength", "strength_low", "strength_high"]
    effects = result.effects.iloc[result.order][strengths].to_dict("records")
    rows = [row | effect for row, effect in zip(features, effects, strict=True)]
    for row in rows:
        row["style"] = _style(row, result.tests.any_related)
        row["duplicates"] = duplicates.get(row["feature"], [])
        row["interval"] = "" if pd.isna(row["low"]) else rank_interval(row)
    return rows


def _style(row, any_related):
    """Return the style of a feature: adds information, related, related only together with others, or other."""
    if not any_related or row["q"] > FDR:
        return "together" if row["together_with"] else "other"
    return "conditional" if row["conditional_q"] <= CONDITIONAL_FDR else "related"


def _first_screen(result, fields, rows, term):
    """Return what the first screen shows: the answer, and the best features with ranks and effect sizes."""
    target, answer, path = fields["table"]["target"], result.answer, fields["table"]["path"]
    names = listed(shortened(name, 40) for name in target["columns"][:3])
    more = f" and {len(target['columns']) - 3} more" if len(target["columns"]) > 3 else ""
    of_file = f" of {path}" if path else ""
    text = " ".join(answer.sentences(term, lambda name: f"<b>{escape(name)}</b>", escape))
    picture = [row for row in rows if not row["copy_of"]][:PICTURE]
    last = max([2.0, *(row[key] for row in picture for key in ("rank", "high") if row[key] == row[key])])
    scale = np.log if last > MAX_LINEAR_RANK else (lambda rank: rank - 1.0)
    middle = [np.sqrt(last)] if last > MAX_LINEAR_RANK else [(1 + last) / 2] if last > 9 else []
    curve = fields["curve"]
    needed = curve["enough"] if curve and curve["is_conclusive"] else 0
    ends = ("rank", "low", "high")
    return {
        "title": f"Which features{of_file} are related to {names}{more}{answer.given}?",
        # a line may end before a button
        "sentences": Markup(text.replace('(<span class="term">', '<span class="term whole">(')),
        "use": answer.use,
        "menu": {},
        "picture": [row | {"on_axis": [float(scale(row[end]) / scale(last)) for end in ends]} for row in picture],
        "last_rank": last if result.n_pairs >= MIN_PAIRS else None,
        "rank_ends": [f"{end:.0f}" for end in (1, *middle, last)],
        "last_needed": max((row["rank"] for row in picture if row["rank"] <= needed), default=None),
        "rank_coverage": f"{RANK_COVERAGE:.0%}",
        "term": term,
    }


def _table(result, rows):
    """Return what the table of all features shows; only a search shows the last ones, the `rest`."""
    shown, rest = rows[:TABLE], rows[TABLE:]
    texts = [None] * len(shown)
    if result.conditional is not None:
        texts = conditional_texts(result, result.features.head(TABLE))
    for position, (row, text) in enumerate(zip(shown, texts, strict=True)):
        row |= {"conditional": text, "sort_keys": _sort_keys(row, text), "facts": _facts(result, row)}
        row["panel"] = _panel(result, result.order[position], row["target"]) if position < PANELS else ""
    return {
        "rows": shown,
        "rest": [(row["rank"], row["feature"], effect_size(row), error_rate(row["q"])) for row in rest],
    }


def _sort_keys(row, conditional):
    """Join the values that the script sorts a row by; a missing one is empty."""
    values = [row["strength"], row["q"], *([] if conditional is None else [row["conditional_q"]])]
    numbers = ["" if np.isnan(value) else f"{value:.6g}" for value in values]
    return "|".join([str(row["rank"]), row["feature"].replace("|", " "), *numbers])


def _facts(result, row):
    """List all values of a feature."""
    ranks = [
        f"{method} rank {row[f'rank:{method}']:g}, importance {row[f'importance:{method}']:.3g}"
        for method in result.methods
    ]
    about = "target" if result.coded.task == "multitarget" else "direction"
    return [
        ("effect size", "" if pd.isna(row["effect"]) else f"{row['effect_measure']} {two_digits(row['effect'])}"),
        (about, row["of"] or _SIGNS.get(row["direction"], "")),
        ("both ends", row["ends"]),
        ("hazard ratio", f"{ratio} for one standard deviation" if (ratio := hazard_ratio(row)) else ""),
        ("together with", row["together_with"]),
        ("related given", row["given"]),
        ("q alone", error_rate(row["alone_q"])),
        ("p", f"{row['p']:.2g}"),
        ("selected", "" if pd.isna(row["selected"]) else f"{row['selected']:.0%}"),
        ("AUC by class", _by_part(row, "AUC:")),
        ("importance by target", _by_part(row, "target:")),
        ("by method", "; ".join(ranks)),
        ("near-duplicates", listed(row["duplicates"]) if row["duplicates"] else ""),
        ("kind", row["kind"]),
    ]


def _by_part(row, prefix):
    """List the values of the columns of a prefix; of more than eight, the highest ones."""
    values = {name.removeprefix(prefix): row[name] for name in row if name.startswith(prefix)}
    highest = sorted((name for name in values if not np.isnan(values[name])), key=lambda name: -values[name])[:8]
    return "; ".join(
        f"{name} {values[name]:.3g}" for name in (values if len(values) <= 8 else highest) if name in highest
    )


def _about(result, fields):
    """Return the curve, how the table was read, the results that the answer leaves out, and the provenance."""
    table, curve = fields["table"], fields["curve"]
    failed = [f"{name} could not rank these rows: {message}" for name, message in fields["failures"].items()]
    n_rows = table["n_rows"] + table["n_unread"]
    return {
        "curve_sentence": result.curve.describe() if curve else "",
        "curve_picture": Markup(_curve(result.curve)) if curve else "",
        "how_read": [line for line in result.table.describe() if not line.startswith("note: ")],
        "findings": [text[:1].upper() + text[1:] for text in findings(result)],
        "all_notes": [*table["notes"], *fields["notes"], *failed],
        "provenance": [
            ("command", _code(fields["command"])),
            ("file", table["path"] or ""),
            ("sha256", _code(table["sha256"])),
            ("size", f"{n_rows} rows; {counted(len(fields['features']), 'feature')} ranked"),
            ("methods", ", ".join(fields["methods"])),
            ("seed", fields["seed"]),
            ("version", f"sslrank {fields['version']}"),
            ("date", fields["date"]),
        ],
        "n_points": charts.POINTS,
        "glossary": GLOSSARY.items(),
    }


def _code(text):
    return Markup("<code>{}</code>").format(text) if text else ""


def _curve(curve):
    """Draw the score over the number of features."""
    table, sizes = curve.table, curve.table["size"].to_numpy()
    names = {"best": "best first", "worst": "worst first", "random": "random order"}
    lines = [(name, kind, sizes, table[kind].to_numpy()) for kind, name in names.items()]
    bands = [("best", sizes, *(table["best"] + sign * table["error"] for sign in (-1, 1)))]
    marked = (curve.enough, curve.upper) if curve.is_conclusive else None
    label = f"{curve.measure_name} over the number of features"
    ylabel = f"{curve.measure_name} ({'higher' if curve.higher_is_better else 'lower'} is better)"
    labels = "number of features", ylabel
    return charts.line_chart(lines, label, *labels, bands=bands, marked=marked, reference=curve.chance)


def _panel(result, j, t):
    """Draw a feature against a target, for the labelled rows that have both."""
    coded, table = result.coded, result.table
    # in the order of the labelled rows of the coded table, which may have fewer others
    labeled_rows = np.flatnonzero(table.labeled)
    y, x = coded.target_values[coded.labeled, t], table.X.iloc[labeled_rows, j]
    has_both = ~np.isnan(y) & x.notna().to_numpy()
    x, y = x[has_both].reset_index(drop=True), y[has_both]
    name, target = str(table.X.columns[j]), str(table.target_names[t]) if t < len(table.target_names) else "the target"
    if coded.targets.kind == "survival":
        null = coded.targets.null.rows(coded.labeled[has_both])
        return charts.survival(x, null.time, null.event, name, f"{target}{table.target.given}")
    if table.target.adjust:
        score = "log-rank score of " if table.target.event is not None else ""
        name, target = f"{name}, adjusted", f"{score}{target}, adjusted"
    if coded.task in ("regression", "multitarget"):
        y = pd.Series(y)
    else:
        names = coded.targets.classes if coded.task == "classification" else ["no", "yes"]
        y = pd.Series(np.array([str(name) for name in names], dtype=object)[y.astype(np.intp)], dtype=object)
    if isinstance(x.dtype, pd.CategoricalDtype):
        x = x.astype(str)
    return charts.feature_chart(x, y, name, target)


def effect_size(row):
    """Format an effect size with its measure, without a leading zero for AUC, V and eta squared."""
    if pd.isna(row["effect"]):
        return ""
    return f"{_MEASURES.get(row['effect_measure'], row['effect_measure'])} {two_digits(row['effect'])}"


def two_digits(value):
    """Format a number with two digits after the point, and a minus sign."""
    return f"{value:.2f}".replace("-", "\u2212")


def rank_interval(row):
    """Format the interval of a rank."""
    ends = [f"{row[end]:.0f}" for end in ("low", "high")]
    return " to ".join(dict.fromkeys(ends))
