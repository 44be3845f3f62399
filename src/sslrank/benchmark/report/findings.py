"""Findings and verdicts from templates: every number is computed from the tables in ``results/summaries``.

``results/findings/<publication>.md.j2`` is Jinja2 and becomes the Markdown page beside it, ``results/FINDINGS.md.j2``
the page that lists all findings. A study's ``verdict`` is rendered the same way for the results page. An expression
reads a table and computes with pandas and the functions of :data:`FUNCTIONS`::

    {{ cells("ssl-ranking/compared/readings.csv").query("variant == 'own rows'").difference.abs().mean() | d3 }}

The filters ``d0`` to ``d4`` write so many decimals, ``percent`` a share, ``p`` a p-value; ``when`` keeps words that the
tables must support: ``{{ "leads" | when(ranks.idxmin() == "symbolic") }}`` fails when they no longer do.
"""

import re
import textwrap
import traceback
from functools import cache
from pathlib import Path

import jinja2
import numpy as np
import pandas as pd
from scipy import stats

from sslrank.core.errors import DataError
from sslrank.stats.rank_tests import friedman_test, nemenyi_test

#: Words that open a finding.
OUTCOMES = ("reproduced", "explained", "not reproduced", "open")
#: A finding: number, outcome, title, question.
FINDING = re.compile(r"^## (\d+)\. ([A-Z][a-z ]+): (.+)\n\n\*(.+\?)\*$", re.MULTILINE)
_TEMPLATE = ".j2"


def where(rows, **values):
    """Rows that have these values in these columns."""
    for column, value in values.items():
        rows = rows[rows[column] == value]
    return rows


def mean_difference(rows):
    """Mean absolute difference of reproduced from published values."""
    return rows["difference"].abs().mean()


def spearman(first, second=None):
    """Rank correlation of two columns, or of the published and reproduced values of a table."""
    if second is None:
        first, second = first["published"], first["reproduced"]
    return first.corr(second, method="spearman")


def same_signs(rows):
    """Share of the cells whose reproduced value has the published sign."""
    return (np.sign(rows["published"]) == np.sign(rows["reproduced"])).mean()


def always(rows):
    """Share of the cells with the more frequent published sign: what predicting that sign everywhere agrees with."""
    return np.sign(rows["published"]).value_counts(normalize=True).max()


def wrong_signs(rows):
    """Number of cells whose reproduced value does not have the published sign."""
    return int((np.sign(rows["published"]) != np.sign(rows["reproduced"])).sum())


def by_dataset(rows):
    """Published and reproduced values averaged over each dataset."""
    return rows.groupby("dataset")[["published", "reproduced"]].mean().reset_index()


def interval(rows):
    """95 % bootstrap interval of :func:`same_signs` over the datasets, from 10,000 samples: "75 to 97 %"."""
    agree = np.sign(rows["published"]) == np.sign(rows["reproduced"])
    counts = agree.groupby(rows["dataset"]).agg(["sum", "size"]).to_numpy()
    samples = counts[np.random.default_rng(0).integers(len(counts), size=(10_000, len(counts)))].sum(axis=1)
    low, high = np.percentile(samples[:, 0] / samples[:, 1], [2.5, 97.5])
    return f"{100 * low:.0f} to {100 * high:.0f} %"


def above(values):
    """Share of values above 0."""
    return (values > 0).mean()


def by_ranking(rows, column):
    """Values by dataset and method, one column per ranking; higher is better."""
    values = rows[column].where(rows["higher_is_better"], -rows[column])
    return rows.assign(value=values).pivot(index=["dataset", "method"], columns="ranking", values="value")


def average_ranks(rows, column):
    """Average ranks of the rankings over the datasets, 1 for the largest value."""
    return rows.pivot(index="dataset", columns="ranking", values=column).rank(axis=1, ascending=False).mean()


def friedman_p(rows, column):
    """Friedman's test of the rankings over the datasets, with Iman and Davenport's correction."""
    return friedman_test(rows.pivot(index="dataset", columns="ranking", values=column)).iman_davenport_p_value


def significantly_better(rows, column, ranking):
    """Rankings that Nemenyi's test finds better than a given one."""
    test = nemenyi_test(rows.pivot(index="dataset", columns="ranking", values=column))
    ranks = test.average_ranks
    return [name for name in ranks.index if test.significant.loc[name, ranking] and ranks[name] < ranks[ranking]]


def with_published(rows, table, keys=("dataset", "ranking")):
    """Rows that have a published value in another table, with that value as the column `published`."""
    return rows.merge(table[[*keys, "published"]], on=list(keys))


def with_control(rows, control):
    """Rows with the column `control`: SSL minus SL of equal weights on the same dataset, from the control's table."""
    return rows.assign(control=rows["dataset"].map(control.groupby("dataset")["reproduced"].mean()))


def wilcoxon_p(values):
    """Wilcoxon's signed-rank test of values against zero, two-sided."""
    return stats.wilcoxon(values).pvalue


def claimed_again(rows, best, others, bound):
    """Share of repetitions with other splits in which one ranking beats each of the others with p below a bound.

    Normal draws: twice the squared standard error (`spread`), of the means that were found and of those to be found.
    """
    means, errors = (rows.pivot(index="dataset", columns="ranking", values=name) for name in ("reproduced", "spread"))
    rng = np.random.default_rng(0)
    draws = {
        name: means[name].to_numpy() + np.sqrt(2) * errors[name].to_numpy() * rng.standard_normal((2000, len(errors)))
        for name in (best, *others)
    }
    holds = np.ones(2000, dtype=bool)
    for name in others:
        lead = draws[best] - draws[name]
        holds &= (np.median(lead, axis=1) > 0) & (stats.wilcoxon(lead, axis=1).pvalue < bound)
    return holds.mean()


def leads_beyond_two_errors(rows, best, other):
    """Datasets on which the published lead of a ranking differs from ours by more than two standard errors of both."""
    published, reproduced, spread = (
        rows.pivot(index="dataset", columns="ranking", values=name) for name in ("published", "reproduced", "spread")
    )
    leads = [table[best] - table[other] for table in (published, reproduced)]
    errors = np.sqrt(2 * (spread[[best, other]] ** 2).sum(axis=1))
    return int(((leads[0] - leads[1]).abs() > 2 * errors).sum())


def exchanged(rows, first, second):
    """Mean absolute difference of two measures when their published values are exchanged."""
    ours, published = (
        rows.pivot(index="dataset", columns="measure", values=name)[[first, second]]
        for name in ("reproduced", "published")
    )
    return (ours - published[[second, first]].to_numpy()).abs().to_numpy().mean()


def best_beyond(rows, name):
    """By dataset, the largest lead over the random ranking of the methods whose names begin so."""
    return rows[rows["method"].str.startswith(name)].groupby("dataset")["beyond"].max()


def wins(rows, first, second, column, *, index="dataset", names="method", lower=()):
    """Count how often one name has a better value than another; `lower` are measures that are better when lower."""
    table = _better_higher(rows, column, index, names, lower)
    return int((table[first] > table[second]).sum())


def bests(rows, name, column, *, index="dataset", names="method", lower=()):
    """Count how often a name alone has the best value; see :func:`wins`."""
    table = _better_higher(rows, column, index, names, lower).dropna()
    return int((table[name] > table.drop(columns=name).max(axis=1)).sum())


def _better_higher(rows, column, index, names, lower):
    values = rows[column].where(~rows["measure"].isin(list(lower)), -rows[column]) if lower else rows[column]
    keys = [index] if isinstance(index, str) else list(index)
    return rows.assign(value=values).pivot(index=keys, columns=names, values="value")


def improvements(rows, column):
    """Tell for each classifier if it is better with selected features than with all."""
    table = rows.pivot(index=["dataset", "classifier"], columns="selection", values=column)
    return table["after"] > table["before"]


def fastest(rows, column, by=("dataset",), name="method"):
    """The name with the least value in each group."""
    return rows.pivot(index=list(by), columns=name, values=column).idxmin(axis=1)


def nearest(rows, name):
    """The name that is nearest to the published value on each dataset."""
    return rows.assign(off=rows["difference"].abs()).pivot(index="dataset", columns=name, values="off").idxmin(axis=1)


def same_order(rows, by, name):
    """Tell for each group if names are in the published order."""
    ours, theirs = (rows.pivot(index=by, columns=name, values=key).rank(axis=1) for key in ("reproduced", "published"))
    return (ours == theirs).all(axis=1)


def time_ranks(seconds, tasks, fits=None):
    """Average ranks in time, 1 for the fastest: a row for each kind of target, a column for each method.

    `tasks` maps datasets to kinds of target; `fits` says how many fits a method's ranking_seconds are of, where not
    one.
    """
    alone = seconds["ranking_seconds"] / seconds["method"].map(fits or {}).fillna(1)
    table = seconds.assign(alone=alone).pivot(index="dataset", columns="method", values="alone").dropna()
    return table.rank(axis=1).groupby(tasks).mean()


def correlated_with_distance(rows, weighting, column):
    """Correlation of ECA under a weighting with the distance of the rankings, over strengths of noise."""
    table = rows.pivot(index="theta", columns="weighting", values=column)
    return table["dist"].corr(table[weighting])


FUNCTIONS = {
    function.__name__: function
    for function in (
        *(above, always, average_ranks, best_beyond, bests, by_dataset, by_ranking, claimed_again),
        *(correlated_with_distance, exchanged, fastest, friedman_p, improvements, interval, leads_beyond_two_errors),
        *(mean_difference, nearest, same_order, same_signs, significantly_better, spearman, time_ranks, wilcoxon_p),
        *(where, wins, with_control, with_published, wrong_signs),
    )
} | {"len": len, "round": round, "max": max, "min": min}


def decimals(digits):
    """A filter that writes a number with so many decimals, a negative zero without its sign."""

    def write(value):
        text = f"{_number(value):.{digits}f}"
        return text.removeprefix("-") if float(text) == 0 else text

    return write


def percent(value):
    """A share in per cent, without decimals: "87 %"."""
    return f"{100 * _number(value):.0f} %"


def p_value(value):
    """A p-value with two significant digits: "0.042", "1.4e-06"."""
    return f"{_number(value):.2g}"


def when(words, condition):
    """Return words that a condition on the tables must support."""
    if not bool(condition):
        raise ValueError(f"the tables no longer say {str(words)!r}")
    return words


def _number(value):
    value = float(value.item() if hasattr(value, "item") else value)
    if not np.isfinite(value):
        raise ValueError(f"the value is {value}; does the query select any rows?")
    return value


def environment(summaries):
    """The Jinja2 environment of findings and verdicts, whose tables are in the folder `summaries`."""
    summaries = Path(summaries)

    @cache
    def table(path):
        found = pd.read_csv(summaries / path)
        both = {"published", "reproduced"} <= set(found)
        return found.dropna(subset=["published", "reproduced"]) if both else found

    def cells(path):
        """A table of a summary; of a comparison, the cells that have both values."""
        return table(path).copy()

    made = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.globals |= FUNCTIONS | {"cells": cells}
    made.filters |= {f"d{digits}": decimals(digits) for digits in range(6)}
    made.filters |= {"percent": percent, "p": p_value, "when": when}
    made.keep_trailing_newline = True
    return made


def render(text, summaries, name="the template", **values):
    """Fill in a template's numbers from the tables in the folder `summaries`; `values` are further names.

    If an expression fails, words are no longer true, or a table is missing, a DataError has the template's `name` and
    line.
    """
    try:
        return environment(summaries).from_string(text).render(**values)
    except (
        jinja2.TemplateError,
        ArithmeticError,
        AttributeError,
        LookupError,
        OSError,
        TypeError,
        ValueError,
    ) as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<template>"]
        line = lines[-1] if lines else getattr(error, "lineno", None)
        raise DataError(f"{type(error).__name__}: {error}", file=name, line=line) from error


def wrapped(page):
    """A page whose paragraphs and items of lists have lines of at most 120 characters, as numbers differ in length."""
    blocks = re.split(r"\n(?:[ \t]*\n)+", page.strip())
    lines = []
    for block in blocks:
        if block.startswith(("|", "#")):
            lines.append("\n".join(line.rstrip() for line in block.splitlines()))
            continue
        items = re.split(r"\n(?=- )", block)
        indent = "  " if block.startswith("- ") else ""
        options = {"width": 120, "subsequent_indent": indent, "break_long_words": False, "break_on_hyphens": False}
        lines.append("\n".join(textwrap.fill(" ".join(item.split()), **options) for item in items))
    return "\n\n".join(lines) + "\n"


def find_findings(page):
    """List the findings of a rendered page: number, outcome, title, question and anchor of each."""
    found = []
    for number, outcome, title, question in FINDING.findall(page):
        slug = re.sub(r"[^\w\- ]", "", f"{number}. {outcome}: {title}".lower()).replace(" ", "-")
        found.append({"number": int(number), "outcome": outcome, "title": title, "question": question, "anchor": slug})
    return found


def render_findings(results="results"):
    """Render all pages of findings: their texts by file.

    The folder `results` has ``FINDINGS.md.j2``, ``findings/*.md.j2`` and ``summaries/``. For errors see :func:`render`.
    """
    results = Path(results)
    pages, found = {}, {}
    templates = sorted((results / "findings").glob(f"*.md{_TEMPLATE}"))
    for path in sorted(templates, key=lambda path: path.name == f"claims.md{_TEMPLATE}"):
        name = path.name.removesuffix(f".md{_TEMPLATE}")
        text = path.read_text(encoding="utf-8")
        page = render(text, results / "summaries", path, findings=found)
        pages[path.with_name(f"{name}.md")] = page
        found[name] = find_findings(page)
    path = results / f"FINDINGS.md{_TEMPLATE}"
    page = render(path.read_text(encoding="utf-8"), results / "summaries", path, findings=found)
    pages[results / "FINDINGS.md"] = page
    return {path: wrapped(text) for path, text in pages.items()}


def write_findings(results="results"):
    """Render all pages of findings, write those that changed, and return their files."""
    changed = []
    for path, text in render_findings(results).items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed
