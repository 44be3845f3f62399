"""A ranking as lines in the terminal."""

import re
import textwrap
from math import ceil, isnan

import numpy as np
import pandas as pd

from sslrank.core.messages import counted, listed, shortened
from sslrank.tabular.trust.stability.intervals import FEWEST_PAIRS
from sslrank.tabular.trust.tests.related import FDR

#: Features in the table in the terminal.
SHOWN = 20
#: Words of the answer, and names that it lists.
MOST_WORDS, _NAMED = 60, 3
#: Checks whose findings may make the answer wrong.
LEAKS = ("C03", "C07", "C08")


def answer(result, term=lambda words, key: words, name=str):
    """The result in at most sixty words: what was ranked, which features are related, which say more, how many suffice.

    Parameters
    ----------
    result : sslrank.tabular.result.Ranking
    term : callable, optional
        Marks words that the glossary explains: gets them and the glossary's word.
    name : callable, optional
        Marks a name.

    Returns
    -------
    str
    """
    for count in range(_NAMED, -1, -1):
        plain = _answer(result, count, lambda words, key: words, str)
        if len(plain.split()) <= MOST_WORDS:
            break
    return _answer(result, count, term, name)


def _answer(result, count, term, name):
    """The answer with so many names in each list; without any also the targets are only counted."""
    table, tests, frame = result.table, result.tests, result.in_texts
    n_rows = table.n_rows + table.left_out
    n_labeled = int(table.labeled.sum())
    rows = (
        f"all {n_rows} rows" if n_labeled == n_rows else f"{n_labeled} {term('labelled', 'labelled')} of {n_rows} rows"
    )
    target = _named(table.target_columns, count, "targets", name)
    related = term("related", "related")
    information = term("information beyond the others", "adds information")
    if not tests.any_related:
        return (
            f"From {rows}, none of {counted(len(frame), 'feature')} is shown to be {related} to {target} (p = "
            f"{tests.p_value:.2g}). The order below is no better than chance. That does not prove that there is "
            f"nothing: more labelled rows may show it.{_reservation(result)}"
        )
    first = frame[frame["copy_of"] == ""]
    best = list(first["feature"][first["q"] <= FDR])
    n = len(tests.related)
    counts = counted(n, f"of {len(frame)} features is", f"of {len(frame)} features are")
    shown = _named(best[:count], count, "", name)
    shown = f"{':' if len(best[:count]) == n else ', first'} {shown}" if shown else ""
    words = [
        f"From {rows}, {counts} {related} to {target} at a {term('false discovery rate', 'false discovery rate')} of "
        f"{FDR:.0%}{shown}."
    ]
    if result.conditional is not None:
        adding = _adding_names(result)
        who = _named(adding, count, "of them", name, 48) if adding else "None"
        if adding == best:
            who = {1: "It", 2: "Both"}.get(len(adding), f"All {len(adding)}")
        words.append(f"{who} {'adds' if len(adding) < 2 else 'add'} {information}.")
    if result.curve is not None:
        words.append(_enough(result.curve, term))
    return " ".join(words) + _reservation(result)


def _adding_names(result):
    """Best feature of each block that adds information, and how many others of its block are no copies of it."""
    found, frame = {}, result.in_texts
    adding = frame[np.isin(result.order, result.adding) & (frame["copy_of"] == "")]
    for place, name in zip(adding.index, adding["feature"], strict=True):
        found.setdefault(result.conditional.blocks[result.order[place]], []).append(name)
    return [f"{first} (with {_named(others, 1, '', str)})" if others else first for first, *others in found.values()]


def _enough(curve, term):
    chance = "" if isnan(curve.chance) else f", {curve.chance:.2f} by chance"
    if curve.is_flat or not curve.is_above_chance:
        return f"No number of features predicts better than {'another' if curve.is_flat else 'chance'}."
    of_all = f"{curve.value(int(curve.table['size'].iloc[-1])):.2f} with all"
    n = counted(curve.enough, "feature is", "features are")
    return f"{n} {term('enough', 'enough')} ({curve.measure_name} {curve.value(curve.enough):.2f}; {of_all}{chance})."


def _reservation(result):
    """What to look at before the answer is believed; empty if nothing."""
    found = [check.title for check in result.checks if check.code in LEAKS and check.passed is False]
    return f" First look at: {', '.join(found)}." if found else ""


def _named(names, count, of, name, length=24):
    """Some of the names, and how many more there are; only their number if none is to be named."""
    names = [str(text) for text in names]
    if not count:
        return f"{len(names)} {of}".strip() if of else ""
    shown = [name(shortened(text, length)) for text in names[:count]]
    more = len(names) - len(shown)
    if more:
        return f"{', '.join(shown)} and {counted(more, 'other')}"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def summary(result, count):
    """The answer, and the best features as lines of a table."""
    lines = textwrap.wrap(answer(result), 120)
    return "\n".join([*lines, "", *ranking_lines(result, count)] if count else lines)


def markdown(result, count):
    """The answer, the best features and the findings of the checks as Markdown."""
    frame = result.in_texts
    frame = frame[frame["copy_of"] == ""].head(count)
    columns = {"rank": frame["rank"].map(str), "feature": frame["feature"]}
    if result.n_pairs >= FEWEST_PAIRS:
        ends = zip(frame["low"], frame["high"], strict=True)
        columns["80% interval"] = ["" if isnan(low) else f"{low:.0f} to {high:.0f}" for low, high in ends]
    sizes = zip(frame["effect_measure"], frame["effect"], frame["effect_of"], strict=True)
    columns["effect size"] = ["" if isnan(size) else f"{name} {size:.2f} {of}".strip() for name, size, of in sizes]
    columns["q"] = frame["q"].map(error_rate)
    if result.conditional is not None:
        columns["conditional q"] = conditional_texts(result, frame)
    lines = [list(columns), ["---"] * len(columns), *zip(*columns.values(), strict=True)]
    table = [f"| {' | '.join(_in_markdown(cell) for cell in line)} |" for line in lines]
    found = [f"- {check.code}: {check.finding}. {check.advice}." for check in result.checks if check.passed is False]
    name = _in_markdown(str(result.table.path or "a table"))
    words = answer(result, name=_in_markdown)
    return "\n".join([f"# Ranking of {name}", "", words, "", *table, "", *found]).rstrip() + "\n"


def _in_markdown(text):
    """A text whose characters mean nothing in Markdown."""
    text = re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)
    return " ".join(text.split()) if text != "---" else text


def headlines(result):
    """Summarize a ranking in few lines: checks, tests, number of features, unlabelled rows."""
    return [checks_line(result.checks), *findings(result)]


def findings(result):
    """What the tests, the curve and unlabelled rows show, in a line each."""
    lines = [result.tests.describe(result.redundancy), *filter(None, [result.tests.describe_smallest()])]
    lines += [] if result.conditional is None else [result.conditional.describe(result.tests.related)]
    parts = (result.curve, result.unlabeled)
    lines += [part.describe() for part in parts if part is not None]
    blocks = [] if result.blocks is None else result.blocks.to_dict("records")
    return lines + [
        f"block {row['block']}: rank {row['rank']} of {row['of']}, q {error_rate(row['q'])}, conditional q "
        f"{error_rate(row['conditional_q'])} ({listed(row['features'])})"
        for row in blocks
    ]


def checks_line(checks):
    """Number of passed checks, and findings of the others, in one line."""
    found = [f"{check.code} {check.finding}" for check in checks if check.passed is False]
    skipped = [check.code for check in checks if check.passed is None]
    line = f"checks: {sum(check.passed is True for check in checks)} passed"
    line += f"; skipped: {', '.join(skipped)}" if skipped else ""
    return "; ".join([line, *found])


def advice_lines(checks):
    """Advice on each finding, one line each."""
    return [f"{check.code}: {check.advice}" for check in checks if check.passed is False and check.advice]


def ranking_lines(result, shown=SHOWN):
    """The best features as lines of a table; near-duplicates are listed under the best of them."""
    frame = result.in_texts
    others, duplicates = other_ranks(frame), near_duplicates(frame)
    frame = frame[frame["copy_of"] == ""].head(shown)
    columns = [("mean rank", frame["mean_rank"].map("{:.1f}".format))]
    if result.n_pairs >= FEWEST_PAIRS:
        ends = zip(frame["low"], frame["high"], strict=True)
        columns.append(("80% interval", ["" if isnan(low) else f"{low:>5.1f} to {high:>5.1f}" for low, high in ends]))
    if result.n_pairs:
        columns.append(("selected", frame["selected"].map("{:.0%}".format)))
    columns.append(("q", frame["q"].map(error_rate)))
    if result.conditional is not None:
        columns.append(("conditional q", conditional_texts(result, frame)))
    columns += [(method, frame[f"rank:{method}"].map("{:g}".format)) for method in result.ranks]
    ranked = others.loc[frame.index].map(lambda rank: "" if isnan(rank) else f"{rank:g}")
    columns += [(f"beside: {name}", ranked[name]) for name in others]
    names = [shortened(name, 30) for name in frame["feature"]]
    width = max(len("feature"), *map(len, names))
    lines = [f"{'rank':>5}  {'feature':{width}}"]
    lines += [f"{rank:>5}  {name:{width}}" for rank, name in zip(frame["rank"], names, strict=True)]
    for title, texts in columns:
        of_title = max(6, len(title), *map(len, texts))
        lines = [f"{line}  {text:>{of_title}}" for line, text in zip(lines, [title, *texts], strict=True)]
    for line, name in reversed([*enumerate(frame["feature"], 2)]):  # from below, so that earlier lines stay
        if name in duplicates:
            lines.insert(line, f"{'':>5}  {'':{width}}  {near_duplicates_line(duplicates[name])}")
    return [line.rstrip() for line in lines]


def conditional_texts(result, frame):
    """Conditional q of rows of the ranking; a block's is given at its best feature, whose rank the others name."""
    first, texts = {}, []
    for place, rank, q in zip(frame.index, frame["rank"], frame["conditional_q"], strict=True):
        best = first.setdefault(result.conditional.blocks[result.order[place]], rank)
        texts.append(error_rate(q) if best == rank else f"as {best}")
    return texts


def error_rate(q):
    """A q-value as text, rounded up, so that one above 0.10 does not look like 0.10; a small one by its bound."""
    return f"{ceil(q * 100 - 1e-9) / 100:.2f}" if q >= 0.01 else "<0.01"


def other_ranks(frame):
    """Rank features by the importances from elsewhere that :meth:`~sslrank.tabular.result.Ranking.to_frame` has.

    By absolute value, or as they are if their name contains "rank"; NaN for features without importance.
    """
    others = {name: name.removeprefix("beside:") for name in frame if name.startswith("beside:")}
    ranks = {short: frame[name].abs().rank(ascending="rank" in short.lower()) for name, short in others.items()}
    return pd.DataFrame(ranks, index=frame.index)


def near_duplicates(frame):
    """Near-duplicates of each feature that has any, as a Series of lists by feature."""
    return frame[frame["copy_of"] != ""].groupby("copy_of")["feature"].apply(list)


def near_duplicates_line(names):
    """Name the near-duplicates of a feature."""
    return f"near-duplicate{'s' * (len(names) != 1)}: {listed(names)}"


def stability_line(result):
    """Stability of the selected features, and how many of them may be false selections; empty if not known."""
    value = result.stability()
    if value is None:
        return ""
    bound = result.false_selections
    said = f"; of the features selected in 90% of {2 * result.n_pairs} half-samples, at most {bound:.1f} by chance"
    return f"stability of the best {result.top}: {value:z.2f} (1: always the same, 0: random){said if bound else ''}"
