"""A ranking as text for the terminal."""

import textwrap
from math import ceil, isnan

import pandas as pd

from sslrank.core.messages import counted, listed, shortened
from sslrank.tabular.show.answer import command_of
from sslrank.tabular.trust.stability.intervals import FEWEST_PAIRS

#: Features in the table in the terminal, and characters of a line of text.
SHOWN, _WIDTH = 7, 110


def screen(result):
    """The terminal output of a ranking: the answer, the best features, findings of checks, and the next command.

    Parameters
    ----------
    result : sslrank.tabular.result.Ranking

    Returns
    -------
    list of str
    """
    answer, lines = result.answer, []
    for said in filter(None, [" ".join(answer.sentences()), answer.use]):
        lines += textwrap.wrap(said, _WIDTH, break_on_hyphens=False)
    lines += ["", *ranking_lines(result)]
    lines += ["", *block_lines(result), *check_lines(result)]
    lines += [f"warning: {name} could not rank these rows: {message}" for name, message in result.failures.items()]
    return [*lines, f"next: {answer.next_step} {answer.command}".rstrip()]


def findings(result):
    """One line for each result: tests, curve, unlabelled rows, stability, blocks."""
    lines = [result.tests.describe(result.redundancy), *filter(None, [result.tests.describe_smallest()])]
    lines += [] if result.conditional is None else [result.conditional.describe(result.tests.related)]
    of_target = result.table.of_target
    is_one_class = of_target is not None and of_target["positives_only"]  # then unlabelled rows are the second class
    parts = (result.curve, None if is_one_class else result.unlabeled)
    lines += [part.describe() for part in parts if part is not None]
    lines += filter(None, [stability_line(result)])
    return [*lines, *block_lines(result)]


def block_lines(result):
    """Describe the tests of named blocks, a line each."""
    blocks = [] if result.blocks is None else result.blocks.to_dict("records")
    return [
        f"block {row['block']}: rank {row['rank']} of {row['of']}, q {error_rate(row['q'])}, conditional q "
        f"{error_rate(row['conditional_q'])} ({listed(row['features'])})"
        for row in blocks
    ]


def check_lines(result):
    """Findings of the checks, with advice and a command for each, and the checks that were skipped."""
    lines = []
    for check in result.checks:
        if check.passed is False:
            said = f"{check.code} {check.title}: {check.finding}"
            whole = f"{said}. {check.advice}".rstrip(". ")
            lines.append(whole if len(whole) <= _WIDTH else _cut(said))
            command = command_of(result, check.options)
            if command and command != result.answer.command:
                lines.append(f"    {command}")
    skipped = listed(f"{check.code} {check.title}" for check in result.checks if check.passed is None)
    passed = counted(sum(check.passed is True for check in result.checks), "check")
    return [*lines, f"{passed} passed{f'; skipped: {skipped}' if skipped else ''}"]


def _cut(text):
    """A text in one line, cut between its parts if it has several, else between words."""
    if len(text) > _WIDTH and "; " in text[: _WIDTH - 4]:
        return f"{text[: _WIDTH - 4].rpartition('; ')[0]}; ..."
    return textwrap.shorten(text, _WIDTH, placeholder=" ...", break_on_hyphens=False)


def best_features(result, count):
    """The best features as a table of strings, with the number of near-duplicates of each."""
    frame = result.in_texts
    duplicates = near_duplicates(frame)
    frame = frame[frame["copy_of"] == ""].head(count)
    columns = {"rank": frame["rank"].map(str)}
    near = [f" (+ {len(duplicates[name])})" if name in duplicates else "" for name in frame["feature"]]
    columns["feature"] = [name + said for name, said in zip(frame["feature"], near, strict=True)]
    classes = frame["direction"].where(frame["direction"].str.len() > 1, "")  # of a number the effect has a sign
    sizes = zip(frame["effect_measure"], frame["effect"], classes, strict=True)
    columns["alone"] = ["" if isnan(size) else f"{name} {size:.2f} {of}".rstrip() for name, size, of in sizes]
    if result.n_pairs >= FEWEST_PAIRS:
        ends = zip(frame["low"], frame["high"], strict=True)
        columns["80% interval"] = ["" if isnan(low) else f"{low:.0f} to {high:.0f}" for low, high in ends]
    columns["q"] = frame["q"].map(error_rate)
    if result.conditional is not None:
        columns["conditional q"] = conditional_texts(result, frame)
    return pd.DataFrame(columns)


def ranking_lines(result):
    """The best features as lines of a table."""
    frame = best_features(result, SHOWN)
    names = [shortened(name, 36) for name in ["feature", *frame["feature"]]]
    head, *names = [f"{name:{max(map(len, names))}}" for name in names]
    texts = frame.assign(feature=names).rename(columns={"feature": head})
    below = [f"{len(result.order)} features in all"] if len(result.order) > len(frame) else []
    below += ["(+ n): with n near-duplicates"] if (result.in_texts["copy_of"] != "").any() else []
    lines = [line.rstrip() for line in texts.to_string(index=False).splitlines()]
    return lines + ([f"     {'; '.join(below)}"] if below else [])


def conditional_texts(result, frame):
    """Conditional q for rows of the ranking; a block's value stands at its best feature, and the others refer to it."""
    first, texts = {}, []
    for place, rank, q in zip(frame.index, frame["rank"], frame["conditional_q"], strict=True):
        best = first.setdefault(result.conditional.blocks[result.order[place]], rank)
        texts.append(error_rate(q) if best == rank else f"as {best}")
    return texts


def error_rate(q):
    """Format a q-value, rounded up so that a value above 0.10 does not look like 0.10."""
    return f"{ceil(q * 100 - 1e-9) / 100:.2f}" if q >= 0.01 else "<0.01"


def near_duplicates(frame):
    """Lists of near-duplicates, as a Series by feature."""
    return frame[frame["copy_of"] != ""].groupby("copy_of")["feature"].apply(list)


def stability_line(result):
    """The line about the stability of the selected features; empty without half-samples."""
    if (value := result.stability) is None:
        return ""
    halves = f"{2 * result.n_pairs} half-samples"
    return f"stability of the best {result.top} in {halves}: {value:z.2f} (1: always the same, 0: random)"
