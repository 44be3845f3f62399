"""HTML pages that work from disk, without network: document, tables, and choices among parts.

All content is generated here; a page's script (``page.js``) only shows, sorts, searches and copies it. Without scripts
and on paper, all parts are shown one below the other.
"""

from html import escape
from importlib import resources

import numpy as np
import pandas as pd

#: Minimum number of rows of a searchable table.
SEARCHED = 8


def asset(name):
    """Return the text of a file of this package."""
    return resources.files("sslrank.plotting").joinpath(name).read_text(encoding="utf-8")


def styles(selector=":root"):
    """Return the colours and the look of all pages as CSS.

    The colours are variables of the element `selector`: a class for a fragment within another page.
    """
    return asset("theme.css").replace(":root", selector) + asset("page.css")


def document(title, body):
    """Assemble a page: one file with its styles and script.

    Parameters
    ----------
    title : str
    body : str
        HTML.

    Returns
    -------
    str
    """
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<style>{styles()}\nhtml{{background:var(--back)}}body{{margin:0}}</style>\n"
        f"<script>{asset('page.js')}</script></head>"
        f'<body><main class="sslrank">\n{body}\n</main></body></html>\n'
    )


def text_of(value):
    """Format a value of a table: numbers with about three digits, a missing value as nothing.

    Parameters
    ----------
    value : object

    Returns
    -------
    str

    Examples
    --------
    >>> text_of(0.12345), text_of(-1234.5), text_of(True), text_of(np.nan)
    ('0.123', '\u22121234', 'yes', '')
    """
    if value is None or value is pd.NA or (isinstance(value, float | np.floating) and np.isnan(value)):
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if not isinstance(value, float | np.floating):
        return str(value)
    size = abs(value)
    if value == int(value) and size < 1e9 if np.isfinite(value) else False:
        text = f"{value:.0f}"
    elif size < 0.0005 or size >= 1e6:
        text = f"{value:.2g}"
    else:
        text = f"{value:.{3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0}f}"
    return text.replace("-", "\u2212").replace("e+0", "e")


def table(frame, caption, *, heads=None, html=None, rows=None, marks=None, file=None):
    """Format a table that can be sorted, searched if it is long, copied as CSV, and scrolled.

    Parameters
    ----------
    frame : DataFrame
        The first column names the rows. Columns are sorted by its values.
    caption : str
    heads : dict of str to str, optional
        Heads of columns; by default their names without underscores.
    html : dict of str to list of str, optional
        HTML of the cells of a column, if it is not the plain text of the value.
    rows : list of str, optional
        Class of each row, such as "control".
    marks : DataFrame of str, optional
        Attributes of single cells, such as ``class="best"``, in the shape of `frame`.
    file : str, optional
        A link to the same table.

    Returns
    -------
    str
    """
    heads, html = heads or {}, html or {}
    columns = []
    for j, (name, values) in enumerate(frame.items()):
        is_number = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
        texts = html.get(name) or [escape(text_of(value)) for value in values]
        keys = [""] * len(frame)
        if is_number and name in html:
            keys = [f' data-key="{value:.6g}"' if value == value else "" for value in values.astype(float)]
        extra = marks.iloc[:, j] if marks is not None else [""] * len(frame)
        tag, attribute = ("th", ' scope="row"') if j == 0 else ("td", " class=number" if is_number else "")
        head = escape(heads.get(name, str(name).replace("_", " ")))
        kind = ' class="number"' if is_number else ""
        cells = [f'<th scope="col"{kind}><button type="button">{head}</button></th>']
        for text, key, mark in zip(texts, keys, extra, strict=True):
            cells.append(f"<{tag}{' ' + mark if mark else attribute}{key}>{text}</{tag}>")
        columns.append(cells)
    lines = ["".join(cells) for cells in zip(*columns, strict=True)]
    kinds = [f' class="{kind}"' if kind else "" for kind in rows or [""] * len(frame)]
    body = "".join(f"<tr{kind}>{line}</tr>" for kind, line in zip(kinds, lines[1:], strict=True))
    link = f'<p class="soft"><a href="{escape(file)}">{escape(file)}</a></p>' if file else ""
    long = " searched" if len(frame) >= SEARCHED else ""
    return (
        f'<div class="table{long}"><div class="scroll" role="region" tabindex="0" aria-label="{escape(caption)}">'
        f'<table><caption class="off">{escape(caption)}</caption><thead><tr>{lines[0]}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{link}</div>"
    )


def tabs(key, label, parts):
    """Show one of several parts, chosen by name; without scripts all of them.

    Parameters
    ----------
    key : str
        Key of the link that opens a part: ``#key=value``.
    label : str
        Label of the list of names; empty for a menu of views.
    parts : list of (str, str, str) or (str, str, str, str)
        Value, name, HTML and, to group the names, the group of each part.

    Returns
    -------
    str
        A single part is returned unchanged.
    """
    if len(parts) == 1:
        return parts[0][2]
    buttons = "".join(
        f'<section class="part" data-value="{escape(value)}" data-name="{escape(name)}"'
        f"{f' data-group={chr(34)}{escape(group[0])}{chr(34)}' if group else ''}>{html}</section>"
        for value, name, html, *group in parts
    )
    return f'<div class="choice" data-key="{escape(key)}" data-label="{escape(label)}">{buttons}</div>'


def definition_list(pairs):
    """Format names and values as a list; pairs without a value are left out."""
    items = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>" for name, value in pairs if value)
    return f"<dl>{items}</dl>" if items else ""
