"""The page of a ranking as one HTML file, for light and dark, wide and narrow screens, and print."""

import hashlib
from html import escape

from sslrank.core.messages import counted
from sslrank.plotting import charts, pages
from sslrank.tabular.output.feature_table import feature_table
from sslrank.tabular.output.first_screen import file_label, first_screen
from sslrank.tabular.output.glossary import GLOSSARY, Terms
from sslrank.tabular.output.report import findings


def document(result):
    """Make the page of a :class:`sslrank.tabular.result.Ranking` as HTML.

    Parameters
    ----------
    result : sslrank.tabular.result.Ranking

    Returns
    -------
    str
    """
    term = Terms("t")
    frame = result.features
    parts = [
        first_screen(result, frame, term, links=True),
        _next_step(result.answer),
        feature_table(result, frame, term),
        _checks(result.checks),
        _enough(result, term),
        _about(result, term),
    ]
    return pages.document(f"Ranking of {file_label(result)}", "".join(parts))


def fragment(result):
    """Make the first screen as one HTML element, for a notebook."""
    prefix = "t" + hashlib.sha256(str(result.answer).encode()).hexdigest()[:6] + "-"
    screen = first_screen(result, result.features, Terms(prefix))
    return f'<div class="sslrank"><style>{pages.styles(".sslrank")}</style>\n{screen}\n</div>'


def _next_step(answer):
    command = f" <code>{escape(answer.command)}</code>" if answer.command else ""
    return f'<p class="soft">Next: {escape(answer.next_step)}{command}</p>'


def _enough(result, term):
    curve = result.curve
    head = f'<section><h2 id="number">How many features are {term("enough", "enough")}</h2>'
    if curve is None:
        return f"{head}<p>Not estimated. Use --effort full, or see the notes for the reason.</p></section>"
    table = curve.table
    label = f"{curve.measure_name} over the number of features"
    sizes = table["size"].to_numpy()
    lines = [
        (name, kind, sizes, table[kind].to_numpy())
        for name, kind in (("best first", "best"), ("worst first", "worst"), ("random order", "random"))
    ]
    bands = [("best", sizes, *(table["best"] + sign * table["error"] for sign in (-1, 1)))]
    marked = (curve.enough, curve.upper) if curve.is_conclusive else None
    ylabel = f"{curve.measure_name} ({'higher' if curve.higher_is_better else 'lower'} is better)"
    labels = "number of features", ylabel
    picture = charts.line_chart(lines, label, *labels, bands=bands, marked=marked, reference=curve.chance)
    return (
        f"{head}<p>{escape(curve.describe())}. {curve.n_repeats} x {curve.n_folds} folds, {curve.predictor}; "
        f"the ranking of each fold was made without its test rows.</p>{picture}</section>"
    )


def _checks(checks):
    """Write the findings of the checks with advice; passed checks are folded."""

    def items(some):
        return "".join(
            f"<li><strong>{check.code} {escape(check.title)}</strong>: "
            f"{escape(check.finding or check.looked_at)}."
            f"{f' {escape(check.advice)}.' if check.passed is False and check.advice else ''}</li>"
            for check in some
        )

    failed = [check for check in checks if check.passed is False]
    body = f'<ul class="checks">{items(failed)}</ul>' if failed else '<p class="good">No findings.</p>'
    for outcome, words in ((True, "passed"), (None, "skipped")):
        if some := [check for check in checks if check.passed is outcome]:
            body += (
                f"<details><summary>{counted(len(some), f'check {words}', f'checks {words}')}</summary>"
                f'<ul class="checks">{items(some)}</ul></details>'
            )
    return f'<section><h2 id="checks">Checks of the table</h2>{body}</section>'


def _about(result, term):
    """Write how the table was read, further findings, the page's provenance, and the glossary."""
    table = result.table
    read = [line for line in table.describe() if not line.startswith("note: ")]
    notes = [*table.notes, *result.notes]
    notes += [f"{name} could not rank these rows: {message}" for name, message in result.failures.items()]
    sentences = findings(result)
    facts = [
        ("command", f"<code>{escape(result.command)}</code>" if result.command else ""),
        ("file", escape(str(table.path or ""))),
        ("sha256", f"<code>{table.sha256}</code>" if table.sha256 else ""),
        ("size", f"{table.n_rows + table.n_unread} rows; {counted(table.X.shape[1], 'feature')} ranked"),
        ("methods", escape(", ".join(result.ranks))),
        ("seed", str(result.seed)),
        ("version", f"sslrank {result.version}"),
        ("date", result.date),
    ]
    words = pages.definition_list((word, escape(text)) for word, text in GLOSSARY.items())
    private = "" if result.coded.task in ("classification", "multilabel", "hierarchical") else (
        f" Pictures of single features show values of up to {charts.POINTS} rows."
    )  # fmt: skip
    return (
        f'<section><h2 id="about">How this was made</h2><h3>How the table was read</h3>{_listing(read)}'
        f"<h3>Tests and stability</h3>{_listing(map(_capital, sentences))}"
        f"{f'<h3>Notes</h3>{_listing(notes)}' if notes else ''}"
        f"<h3>Provenance</h3>{pages.definition_list(facts)}"
        '<p class="soft">This page contains names of columns, classes and categories, and lowest and highest values.'
        f"{private} It needs no network and sends nothing.</p></section>"
        f'<section><h2 id="words">Glossary</h2>{words}</section>'
    )


def _capital(text):
    return text[:1].upper() + text[1:]


def _listing(lines):
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
