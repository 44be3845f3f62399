"""A ranking as lines in the terminal."""

from math import isnan

import pandas as pd

from sslrank.core.messages import listed, shortened
from sslrank.tabular.show.advice import find_similar, unlabeled_sentence
from sslrank.tabular.trust.intervals import FEWEST_PAIRS

#: Features in the table in the terminal.
SHOWN = 20


def headlines(result):
    """Summarize a ranking in few lines: checks, tests, number of features, unlabelled rows."""
    return [checks_line(result.checks), *findings(result), *arena_lines(result)]


def findings(result):
    """What the tests, the curve and unlabelled rows show, in a line each."""
    lines = [result.tests.describe(result.redundancy)]
    parts = (result.own, result.calibration, result.curve, result.unlabeled)
    return lines + [part.describe() for part in parts if part is not None]


def arena_lines(result):
    """Say whether unlabelled rows helped on similar datasets of the arena, if the table has any."""
    table, n_labeled = result.table, int(result.table.labeled.sum())
    if n_labeled in (0, table.X.shape[0]) or result.own is None:  # the effort "order" looks at no more than the order
        return []
    return list(filter(None, [unlabeled_sentence(find_similar(table.task, n_labeled, *table.X.shape))]))


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
    if result.own is not None:
        columns.append(("own q", frame["own_q"].map(error_rate)))
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


def error_rate(q):
    """A q-value as text; a small one by its bound."""
    return f"{q:.2f}" if q >= 0.01 else "<0.01"


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
    said = f"; of the features selected in 90 % of {2 * result.n_pairs} half-samples, at most {bound:.1f} by chance"
    return f"stability of the best {result.top}: {value:z.2f} (1: always the same, 0: random){said if bound else ''}"
