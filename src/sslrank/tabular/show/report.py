"""A ranking as lines on the terminal."""

from math import isnan

import pandas as pd

from sslrank.core.messages import listed, shortened
from sslrank.tabular.show.advice import find_alike, unlabeled_sentence
from sslrank.tabular.trust.intervals import FEWEST_PAIRS

#: Features in the table on the terminal.
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
    """Say what the arena knows about unlabelled rows in tables like this one, if there are any."""
    table, n_labeled = result.table, int(result.table.labeled.sum())
    if n_labeled in (0, table.X.shape[0]):
        return []
    return list(filter(None, [unlabeled_sentence(find_alike(table.task, n_labeled, *table.X.shape))]))


def checks_line(checks):
    """Number of checks passed, and findings of the others, in one line."""
    found = [f"{check.code} {check.finding}" for check in checks if check.passed is False]
    open_ = [check.code for check in checks if check.passed is None]
    line = f"checks: {sum(check.passed is True for check in checks)} passed"
    line += f"; not looked at: {', '.join(open_)}" if open_ else ""
    return "; ".join([line, *found])


def advice_lines(checks):
    """Advice on the findings, a line each."""
    return [f"{check.code}: {check.advice}" for check in checks if check.passed is False and check.advice]


def ranking_lines(result, shown=SHOWN):
    """The best features as lines of a table; copies stand under their best member."""
    frame = result.to_frame()
    others = beside_ranks(frame)
    copies = frame[frame["copy_of"] != ""].groupby("copy_of")["feature"].apply(list)
    frame = frame[frame["copy_of"] == ""].head(shown)
    columns = [("mean rank", frame["mean_rank"].map("{:.1f}".format))]
    if result.n_pairs >= FEWEST_PAIRS:
        ends = zip(frame["low"], frame["high"], strict=True)
        columns.append(("80 % interval", [f"{low:>5.1f} to {high:>5.1f}" for low, high in ends]))
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
    for place, name in reversed([*enumerate(frame["feature"], 2)]):  # from below, so that places stay
        if name in copies:
            lines.insert(place, f"{'':>5}  {'':{width}}  {said_of_copies(copies[name])}")
    return [line.rstrip() for line in lines]


def error_rate(q):
    """A q-value as text: small ones by their bound."""
    return f"{q:.2f}" if q >= 0.005 else "0.00"


def beside_ranks(frame):
    """Rank features by the importances from elsewhere that :meth:`~sslrank.tabular.result.Ranking.to_frame` has.

    By their size without sign, or as they are where the name has "rank" in it; NaN where a feature has none.
    """
    others = {name: name.removeprefix("beside:") for name in frame if name.startswith("beside:")}
    ranks = {short: frame[name].abs().rank(ascending="rank" in short.lower()) for name, short in others.items()}
    return pd.DataFrame(ranks, index=frame.index)


def said_of_copies(names):
    """Name the copies of a feature."""
    return f"and its {'copy' if len(names) == 1 else 'copies'} {listed(names)}"


def stability_line(result):
    """Stability of the selected features, and how many of them may be selected by chance; empty if not known."""
    value = result.stability()
    if value is None:
        return ""
    bound = result.false_selections
    said = f"; of those selected in 90 % of {2 * result.n_pairs} half-samples at most {bound:.1f} by chance"
    return f"stability of the best {result.top}: {value:z.2f} (1: always the same, 0: as random){said if bound else ''}"
