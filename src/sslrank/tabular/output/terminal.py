"""A ranking as text for the terminal."""

import textwrap
from math import ceil, isnan, nan

import pandas as pd

from sslrank.core.messages import counted, listed, shortened
from sslrank.hypothesis_tests.half_samples import MIN_PAIRS
from sslrank.hypothesis_tests.permutations import EXCHANGE_ROWS
from sslrank.hypothesis_tests.related import ALPHA, FDR
from sslrank.tabular.output.answer import command_of
from sslrank.tabular.trust.dependence import DUPLICATES

#: Features in the table in the terminal, and characters of a line of text.
MAX_FEATURES, _WIDTH = 7, 110


def screen(result):
    """Write the terminal output of a ranking: answer, best features, findings of checks, and the next command.

    Parameters
    ----------
    result : sslrank.tabular.result.Ranking

    Returns
    -------
    list of str
    """
    answer, lines = result.answer, []
    for paragraph in filter(None, [" ".join(answer.sentences()), answer.use]):
        lines += textwrap.wrap(paragraph, _WIDTH, break_on_hyphens=False)
    lines += ["", *ranking_lines(result)]
    is_given = result.tests.exchanged not in ("", EXCHANGE_ROWS) and result.tests.within != DUPLICATES  # C06 names them
    exchanged = [result.tests.exchanged] * is_given
    lines += ["", *block_lines(result), *exchanged, *check_lines(result)]
    lines += [f"warning: {name} could not rank these rows: {message}" for name, message in result.failures.items()]
    return [*lines, f"next: {answer.next_step} {answer.command}".rstrip()]


def findings(result):
    """Describe the results that the answer and the curve leave out, a line each: tests, unlabelled rows, blocks ..."""
    is_one_class = result.table.target.positives_only  # then unlabelled rows are the second class
    lines = [result.tests.describe(), result.tests.exchanged.rstrip("."), result.tests.describe_smallest()]
    lines += [] if result.conditional is None else [result.conditional.describe(result.tests.related)]
    lines += [] if result.unlabeled is None or is_one_class else [result.unlabeled.describe()]
    return [*filter(None, [*lines, stability_line(result)]), *block_lines(result)]


def block_lines(result):
    """Describe the tests of named blocks, a line each."""
    blocks = [] if result.blocks is None else result.blocks.to_dict("records")
    return [
        f"block {row['block']}: rank {row['rank']} of {row['of']}, q {error_rate(row['q'])}, conditional q "
        f"{error_rate(row['conditional_q'])} ({listed(row['features'])})"
        for row in blocks
    ]


def check_lines(result):
    """List the findings of the checks, with advice and a command for each, and the checks that were skipped."""
    lines = []
    for check in result.checks:
        if check.passed is False:
            text = f"{check.code} {check.title}: {check.finding}"
            whole = f"{text}. {check.advice}".rstrip(". ")
            lines.append(whole if len(whole) <= _WIDTH else _cut(text))
            command = command_of(result, check.options)
            if command and command != result.answer.command:
                lines.append(f"    {command}")
    skipped = "; ".join(
        f"{check.code} {check.title} ({check.looked_at})" for check in result.checks if check.passed is None
    )
    passed = counted(sum(check.passed is True for check in result.checks), "check")
    return [*lines, f"{passed} passed{f'; skipped: {skipped}' if skipped else ''}"]


def _cut(text):
    """Shorten a text to one line, between its parts if it has several, else between words."""
    if len(text) > _WIDTH and "; " in text[: _WIDTH - 4]:
        return f"{text[: _WIDTH - 4].rpartition('; ')[0]}; ..."
    return textwrap.shorten(text, _WIDTH, placeholder=" ...", break_on_hyphens=False)


def ranking_lines(result):
    """Format the best features as lines of a table, with the number of near-duplicates of each."""
    full = result.features
    frame, duplicates = full[full["copy_of"] == ""].head(MAX_FEATURES), near_duplicates(full)
    near = [f" (+ {len(duplicates[name])})" if name in duplicates else "" for name in frame["feature"]]
    names = [shortened(name + suffix, 36) for name, suffix in zip(frame["feature"], near, strict=True)]
    head, *names = [f"{name:{max(map(len, ['feature', *names]))}}" for name in ["feature", *names]]
    classes = frame["direction"].where(frame["direction"].str.len() > 1, "")  # of a number the effect has a sign
    sizes = zip(frame["effect_measure"], frame["effect"], classes, strict=True)
    alone = ["" if isnan(size) else f"{name} {size:.2f} {of}".rstrip() for name, size, of in sizes]
    alone = [ends or text for ends, text in zip(frame["ends"], alone, strict=True)]
    columns = {"rank": frame["rank"].map(str), head: names, "alone": alone}
    if "hazard_ratio" in frame:
        columns["hazard ratio"] = frame.apply(hazard_ratio, axis=1)
    if result.n_pairs >= MIN_PAIRS:
        ends = zip(frame["low"], frame["high"], strict=True)
        columns["80% interval"] = ["" if isnan(low) else f"{low:.0f} to {high:.0f}" for low, high in ends]
    columns["q"] = frame["q"].map(error_rate)
    for name, title in (("together_with", "together with"), ("given", "given")):
        if full[name].any():
            columns[title] = frame[name].map(_some_names)
    if result.conditional is not None:
        columns["conditional q"] = conditional_texts(result, frame)
    lines = [line.rstrip() for line in pd.DataFrame(columns).to_string(index=False).splitlines()]
    below = [f"{len(full)} features in all"] if len(full) > len(frame) else []
    if not result.tests.any_related and full["q"].min() <= FDR:
        below += [f"q counts only if one feature at least is shown to be related (p of at most {ALPHA:g})"]
    below += ["(+ n): with n near-duplicates"] if len(duplicates) else []
    return lines + ([f"     {'; '.join(below)}"] if below else [])


def _some_names(text):
    """Shorten a list of names to 24 characters, between the names if one fits."""
    some = textwrap.shorten(text, 24, placeholder=" ...", break_on_hyphens=False)
    return shortened(text, 24) if some == "..." else some


def conditional_texts(result, frame):
    """Format conditional q by row; a block's value stands at its best feature, and its other features refer to it."""
    first, texts = {}, []
    for position, rank, q in zip(frame.index, frame["rank"], frame["conditional_q"], strict=True):
        best = first.setdefault(result.conditional.blocks[result.order[position]], rank)
        texts.append(error_rate(q) if best == rank else f"as {best}")
    return texts


def hazard_ratio(row):
    """Format the hazard ratio of a feature with its interval; empty if there is none."""
    if isnan(row.get("hazard_ratio", nan)):
        return ""
    ratio, *ends = [f"{row[key]:.2f}" for key in ("hazard_ratio", "hazard_low", "hazard_high")]
    return ratio if "nan" in ends else f"{ratio} ({ends[0]} to {ends[1]})"


def error_rate(q):
    """Format a q-value, rounded up so that a value above 0.10 does not look like 0.10."""
    return f"{ceil(q * 100 - 1e-9) / 100:.2f}" if q >= 0.01 else "<0.01"


def near_duplicates(frame):
    """List the near-duplicates of each feature that has some, as a Series."""
    return frame[frame["copy_of"] != ""].groupby("copy_of")["feature"].apply(list)


def stability_line(result):
    """Describe the stability of the selected features in a line; empty without half-samples."""
    if (value := result.stability) is None:
        return ""
    halves = f"{2 * result.n_pairs} half-samples"
    return f"stability of the best {result.top} in {halves}: {value:z.2f} (1: always the same, 0: random)"
