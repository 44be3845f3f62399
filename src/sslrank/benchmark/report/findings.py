"""Findings and verdicts from templates: every number is computed from the tables in ``results/summaries``.

``results/findings/<publication>.md.j2`` is Jinja2 and becomes the Markdown page next to it, ``results/FINDINGS.md.j2``
the page that lists all findings and ``results/REPORT.md.j2`` the report on all publications. A study's ``verdict`` is
rendered the same way for the results page. An expression reads a table and computes with pandas and the functions of
:mod:`sslrank.benchmark.report.expressions`::

    {{ cells("ssl-ranking/compared/readings.csv").query("variant == 'own rows'").difference.abs().mean() | d3 }}

The filters ``d0`` to ``d4`` write 0 to 4 decimals, ``percent`` a share, ``p`` a p-value; ``when`` keeps words that the
tables must support: ``{{ "leads" | when(ranks.idxmin() == "symbolic") }}`` fails when they no longer do. A template may
break the lines of its paragraphs anywhere, and its tables have no line of dashes: see :func:`wrapped`.
"""

import re
import textwrap
import traceback
from functools import cache
from inspect import isfunction
from pathlib import Path

import jinja2
import numpy as np
import pandas as pd
import yaml

from sslrank.benchmark.archive.ledger import datasets_of_former_ties, standing_words
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.paths import PUBLISHED
from sslrank.benchmark.report import expressions
from sslrank.benchmark.report.front_figures import front_figures
from sslrank.benchmark.report.protocol import render_protocols
from sslrank.core.errors import DataError
from sslrank.stats.rank_tests import critical_distance

#: A finding: number, outcome, title, question.
FINDING = re.compile(r"^## (\d+)\. ([A-Z][a-z ]+): (.+)\n\n\*(.+\?)\*$", re.MULTILINE)
_TEMPLATE = ".j2"
#: Pages in the folder of results that are rendered after the findings.
FRONT = ("REPORT.md", "FINDINGS.md")


#: Names in expressions: every function of the module, and some of Python's.
FUNCTIONS = {name: value for name, value in vars(expressions).items() if isfunction(value) and name[0] != "_"}
FUNCTIONS |= {"len": len, "round": round, "max": max, "min": min, "critical_distance": critical_distance}


def decimals(digits):
    """Return a filter that formats a number with this number of decimals, and a negative zero without its sign."""

    def write(value):
        text = f"{_number(value):.{digits}f}"
        return text.removeprefix("-") if float(text) == 0 else text

    return write


def percent(value):
    """Format a share in per cent, without decimals: "87 %"."""
    return f"{100 * _number(value):z.0f} %"


def p_value(value):
    """Format a p-value with two significant digits: "0.042", "1.4e-06"."""
    return f"{_number(value):.2g}"


def when(words, condition):
    """Return words; raise an error if the condition, which the tables must satisfy, is false."""
    if not bool(condition):
        raise ValueError(f"the tables no longer say {str(words)!r}")
    return words


def _number(value):
    value = float(value.item() if hasattr(value, "item") else value)
    if not np.isfinite(value):
        raise ValueError(f"the value is {value}; does the query select any rows?")
    return value


def jinja_environment(summaries):
    """Make the Jinja2 environment of findings and verdicts; `summaries` is the folder of their tables."""
    summaries = Path(summaries)

    @cache
    def table(path):
        return pd.read_csv(summaries / path)

    def cells(path):
        """Read a table of a summary; of a comparison, the cells with both values."""
        is_comparison = {"published", "reproduced"} <= set(table(path))
        return table(path).dropna(subset=["published", "reproduced"]) if is_comparison else table(path).copy()

    def printed(path):
        """Read a comparison with all published cells, reproduced or not."""
        return table(path).dropna(subset="published")

    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals |= FUNCTIONS | {"cells": cells, "printed": printed, "filled": _fill_claims}
    environment.filters |= {f"d{digits}": decimals(digits) for digits in range(6)}
    environment.filters |= {"percent": percent, "p": p_value, "when": when}
    environment.keep_trailing_newline = True
    return environment


@jinja2.pass_context
def _fill_claims(context, claims):
    """Render the texts of claims, which may use names of the calling template and those under the claim's "let"."""
    names = context.get_all()

    def filled(let=None, **texts):
        sets = "".join(f"{{% set {name} = {expression} %}}" for name, expression in (let or {}).items())
        return {key: context.environment.from_string(sets + text).render(names) for key, text in texts.items()}

    return {name: [filled(**row) for row in rows] for name, rows in claims.items()}


def render(text, summaries, name="the template", **values):
    """Fill in a template's numbers from the tables in the folder `summaries`; `values` are further names.

    Raises a DataError with the template's `name` and line if an expression fails, words are no longer true, or a table
    is missing.
    """
    try:
        # numexpr, which pandas uses if it is installed, does not support methods of columns in a query.
        with pd.option_context("compute.use_numexpr", False):
            return jinja_environment(summaries).from_string(text).render(**values)
    except Exception as error:  # expressions of a template can raise anything
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<template>"]
        line = lines[-1] if lines else getattr(error, "lineno", None)
        raise DataError(f"{type(error).__name__}: {error}", file=name, line=line) from error


def wrapped(page):
    """Wrap a page's paragraphs and list items at 120 characters, and add the line of dashes below a table's head."""
    blocks = re.split(r"\n(?:[ \t]*\n)+", page.strip())
    lines = []
    for block in blocks:
        if block.startswith(("|", "#")):
            rows = [line.rstrip() for line in block.splitlines()]
            if block.startswith("|"):
                rows.insert(1, "|" + "---|" * (len(re.findall(r"(?<!\\)\|", rows[0])) - 1))
            lines.append("\n".join(rows))
            continue
        numbered = block.startswith("1. ")
        items = re.split(r"\n(?=\d+\. )" if numbered else r"\n(?=- )", block)
        indent = "   " if numbered else "  " if block.startswith("- ") else ""
        options = {"width": 120, "subsequent_indent": indent, "break_long_words": False, "break_on_hyphens": False}
        lines.append("\n".join(textwrap.fill(" ".join(item.split()), **options) for item in items))
    return "\n\n".join(lines) + "\n"


def find_findings(page):
    """List the findings of a rendered page: number, outcome, title, question and anchor of each."""
    findings = []
    for number, outcome, title, question in FINDING.findall(page):
        slug = re.sub(r"[^\w\- ]", "", f"{number}. {outcome}: {title}".lower()).replace(" ", "-")
        head = {"number": int(number), "outcome": outcome, "title": title, "question": question}
        findings.append(head | {"anchor": slug})
    return findings


def outcome_table(page):
    """Return the table of outcomes of a rendered page of claims, as Markdown; None if there is none."""
    match = re.search(r"^\| publication \| claims \|.*?(?=\n\n|\Z)", page, re.DOTALL | re.MULTILINE)
    return match and match[0]


def render_findings(folder="results"):
    """Render all pages of findings and their figures; return their texts by file.

    The `folder` has ``FINDINGS.md.j2``, ``findings/*.md.j2`` and ``summaries/``, and may have ``REPORT.md.j2``
    and ``findings/claims.yaml``, whose rows the page of claims fills in. For errors see :func:`render`.
    """
    folder = Path(folder)
    pages, by_page = {}, {}
    templates = sorted((folder / "findings").glob(f"*.md{_TEMPLATE}"))
    claims = folder / "findings/claims.yaml"
    values = {"findings": by_page, "outcomes": None}
    archive = Archive(folder / "archive")
    values |= {"standing": standing_words(archive), "root": archive.root_hash() if archive.sums else ""}
    values["former_ties"] = datasets_of_former_ties(archive.folder) if values["standing"] else {}
    values["claims"] = yaml.safe_load(claims.read_text(encoding="utf-8")) if claims.is_file() else {}
    for path in sorted(templates, key=lambda path: path.name == f"claims.md{_TEMPLATE}"):
        name = path.name.removesuffix(f".md{_TEMPLATE}")
        page = render(path.read_text(encoding="utf-8"), folder / "summaries", path, **values)
        pages[path.with_name(f"{name}.md")] = page
        by_page[name] = find_findings(page)
        values["outcomes"] = outcome_table(page) or values["outcomes"]
    for path in (folder / f"{name}{_TEMPLATE}" for name in FRONT):
        if path.is_file():
            page = render(path.read_text(encoding="utf-8"), folder / "summaries", path, **values)
            pages[path.with_suffix("")] = page
    pages = {path: wrapped(text) for path, text in pages.items()}
    return pages | {folder / name: text for name, text in front_figures(folder / "summaries").items()}


def write_findings():
    """Render all pages of findings and the tables of protocols, write those that changed, and return their files."""
    changed = []
    for path, text in (render_findings() | render_protocols(PUBLISHED)).items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed
