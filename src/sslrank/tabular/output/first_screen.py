"""The first screen of a page and of a notebook: the answer and one picture."""

from html import escape

import numpy as np
import pandas as pd

from sslrank.core.messages import counted, listed, shortened
from sslrank.hypothesis_tests.conditional import CONDITIONAL_FDR
from sslrank.hypothesis_tests.related import FDR
from sslrank.plotting import charts
from sslrank.tabular.output.report import near_duplicates
from sslrank.tabular.trust.stability.intervals import MIN_PAIRS, RANK_COVERAGE

#: Features in the picture.
PICTURE = 12
#: The axis of ranks is logarithmic if it is longer.
MAX_LINEAR_RANK = 50
#: Styles of features by what the tests show.
FEATURE_STYLES = {
    "conditional": "adds information beyond the others",
    "related": "related",
    "other": "not shown to be related",
}


def file_label(result):
    """Name the file of a ranking, or write "a table" if there is none."""
    return str(result.table.path or "a table")


def first_screen(result, frame, term, links=False):
    """Make the answer and the picture of the best features, as HTML."""
    of_file = f" of {file_label(result)}" if result.table.path else ""
    target = listed(shortened(str(name), 40) for name in result.table.target.columns[:3])
    more = len(result.table.target.columns) - 3
    target += f" and {more} more" if more > 0 else ""
    title = f"Which features{of_file} are related to {target}{result.table.target.given}?"
    answer = result.answer
    text = " ".join(answer.sentences(term, lambda name: f"<b>{escape(name)}</b>", escape))
    text = text.replace('(<span class="term">', '<span class="term whole">(')  # a line may end before a button
    text = f'<p class="answer">{text}</p>{f"<p>{escape(answer.use)}</p>" if answer.use else ""}'
    menu = ""
    if links:
        failed = sum(check.passed is False for check in result.checks)
        places = {
            "table": "all features",
            "checks": f"checks ({counted(failed, 'finding')})",
            "number": "how many",
            "about": "how this was made",
            "words": "glossary",
        }
        items = "".join(f'<li><a href="#{place}">{words}</a></li>' for place, words in places.items())
        menu = f'<nav aria-label="parts of this page"><ul>{items}</ul></nav>'
    return f"<section><h1>{escape(title)}</h1>{text}{menu}{_picture(result, frame, term)}</section>"


def _style(row, any_related):
    """Return the style of a feature: adds information, related, or other."""
    if not any_related or row["q"] > FDR:
        return "other"
    return "conditional" if row["conditional_q"] <= CONDITIONAL_FDR else "related"


def _picture(result, frame, term):
    """Draw the best features: ranks with intervals, and effect sizes."""
    shown = frame[frame["copy_of"] == ""].head(PICTURE)
    duplicates, has_intervals = near_duplicates(frame), result.n_pairs >= MIN_PAIRS
    last = max(float(shown[["rank", "high"]].max().max()), 2.0)
    enough = _last_enough(result, shown)
    strengths = result.effects.iloc[result.order[shown.index]][["strength", "strength_low", "strength_high"]].to_numpy()
    items, kinds = [], set()
    for row, strength in zip(shown.to_dict("records"), strengths, strict=True):
        kind = _style(row, result.tests.any_related)
        kinds.add(kind)
        strips = _ranks(row, last, kind) if has_intervals else ""
        strips += charts.strip(*strength, f"{kind} second", bar=True)
        items.append(_feature(row, kind, len(duplicates.get(row["feature"], ())), strips, is_cut=row["rank"] == enough))
    return (
        f'<figure class="picture{"" if has_intervals else " plain"}">'
        f'<figcaption class="keys">{_legend(kinds, enough, term)}</figcaption>'
        f'<div class="heads">{_heads(last if has_intervals else None, term)}</div><ol>{"".join(items)}</ol></figure>'
    )


def _last_enough(result, shown):
    """Return the rank of the last shown feature that is needed for prediction; None if unknown."""
    curve = result.curve
    if not (result.tests.any_related and curve and curve.is_conclusive):
        return None
    return max((rank for rank in shown["rank"] if rank <= curve.enough), default=None)


def _ranks(row, last, kind):
    """Draw a rank and its interval on an axis from 1 to the last rank."""
    scale = np.log if last > MAX_LINEAR_RANK else (lambda rank: np.asarray(rank) - 1.0)
    return charts.strip(*(float(scale(row[key]) / scale(last)) for key in ("rank", "low", "high")), kind)


def _feature(row, kind, n_copies, strips, is_cut):
    """Draw one feature; a line follows the last feature that is needed."""
    name = escape(shortened(row["feature"], 40))
    name += f" <small>+ {counted(n_copies, 'near-duplicate')}</small>" if n_copies else ""
    between = "" if np.isnan(row["low"]) else f", {rank_interval(row)}"
    return (
        f'<li class="row{" last" if is_cut else ""}"><span class="place">{row["rank"]}</span><span class="name">{name}'
        f'<span class="off"> {FEATURE_STYLES[kind]}{between}</span></span>{strips}'
        f'<span class="value">{effect_size(row)}</span></li>'
    )


def _heads(last, term):
    """Write the column heads; `last` is the end of the axis of ranks, None if there is none."""
    heads = '<span class="place"></span><span>feature</span>'
    if last is not None:
        middle = [f"{np.sqrt(last):.0f}"] if last > MAX_LINEAR_RANK else [f"{(1 + last) / 2:.0f}"] if last > 9 else []
        ends = _end_labels("1", *middle, f"{last:.0f}")
        heads += f"<span>{term('rank', 'rank')} and its {RANK_COVERAGE:.0%} {term('interval', 'interval')}{ends}</span>"
    ends = _end_labels("none", "perfect")
    return f'{heads}<span class="second">strength alone{ends}</span><span>{term("effect size", "effect size")}</span>'


def _legend(kinds, enough, term):
    """Return the legend of the picture as HTML."""
    keys = ""
    terms = {"conditional": "adds information", "related": "related"}
    for kind in filter(kinds.__contains__, FEATURE_STYLES):
        words = term(FEATURE_STYLES[kind], terms[kind]) if kind in terms else FEATURE_STYLES[kind]
        keys += f"<span>{charts.strip(0.5, np.nan, np.nan, kind)}{words}</span>"
    return keys if enough is None else keys + f'<span><span class="cut"></span>{term("enough", "enough")}</span>'


def _end_labels(*texts):
    """Write the labels at both ends of an axis."""
    return f'<span class="ends" aria-hidden="true">{"".join(f"<span>{text}</span>" for text in texts)}</span>'


def effect_size(row, interval=False):
    """Format an effect size with its measure, without a leading zero for AUC, V and eta squared."""
    if pd.isna(row["effect"]):
        return ""
    name = {"Spearman": "r", "partial r": "r", "Cramér's V": "V", "eta²": "η²", "C index": "C"}.get(
        row["effect_measure"], row["effect_measure"]
    )
    text = f"{name} {two_digits(row['effect'])}"
    if interval and not pd.isna(row["effect_low"]):
        text += f"<small>{two_digits(row['effect_low'])} to {two_digits(row['effect_high'])}</small>"
    return text


def two_digits(value):
    """Format a number with two digits after the point, and a minus sign."""
    return f"{value:.2f}".replace("-", "\u2212")


def rank_interval(row):
    """Format the interval of a rank."""
    ends = [f"{row[end]:.0f}" for end in ("low", "high")]
    return " to ".join(dict.fromkeys(ends))
