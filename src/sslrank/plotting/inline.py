"""Figures as SVG inside of an HTML page: colours follow the page's theme, text stays text, marks have tooltips."""

import io
import re
from hashlib import sha256
from importlib import resources
from xml.etree import ElementTree

from sslrank.plotting.style import CONTROLS, GREY, GRID, PALETTE, look

_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}href"
#: Colour of a figure -> variable of theme.css. Black is left out: what has no colour of its own inherits the text's.
_VARIABLES = {color.lower(): f"--s{i}" for i, color in enumerate(PALETTE) if color != "#000000"}
_VARIABLES |= {color: f"--c{i}" for i, (color, _) in enumerate(CONTROLS.values())}
_VARIABLES |= {GREY: "--soft", GRID: "--line", "#ffffff": "--card"}
_TIP = "tip:"


def theme_css(selector=":root"):
    """Return the CSS variables that charts and pages take their colours from, for bright and dark screens.

    Parameters
    ----------
    selector : str, default=":root"
        Element that gets the variables; a class for a fragment inside of somebody else's page.

    Returns
    -------
    str

    Examples
    --------
    >>> from sslrank.plotting import theme_css
    >>> ".sslrank {" in theme_css(".sslrank")
    True
    """
    text = resources.files("sslrank.plotting").joinpath("theme.css").read_text(encoding="utf-8")
    return text.replace(":root", selector)


def tip(artist, text):
    """Give a mark of a figure a tooltip, which :func:`inline_svg` writes.

    Parameters
    ----------
    artist : matplotlib Artist
        A line or a patch.
    text : str

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> (line,) = figure.subplots().plot([1, 2])
    >>> tip(line, "accuracy over the number of features")
    >>> "<title>accuracy over" in inline_svg(figure, "accuracy")
    True
    """
    artist.set_gid(_TIP + text)


def inline_svg(figure, label):
    """Return a figure as an ``<svg>`` element for a page.

    The colours of :mod:`sslrank.plotting.style` become the variables of :func:`theme_css`, so that the chart follows a
    dark screen; without these variables it has the figure's colours. The element is as wide as the figure at 96 pixels
    per inch and shrinks with ``svg { max-width: 100%; height: auto }``. The same figure gives the same text.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    label : str
        Description of the chart, for screen readers.

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.plotting import inline_svg, intervals
    >>> table = pd.DataFrame({"feature": ["age", "income"], "value": [0.6, 0.4], "low": [0.5, 0.2], "high": [0.7, 0.6]})
    >>> inline_svg(intervals(table), "importance of each feature")[:24]
    '<svg viewBox="0 0 460.8 '
    """
    text = io.StringIO()
    with look(**{"svg.fonttype": "none"}):
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    root = ElementTree.fromstring(text.getvalue())
    # Marks and clips are named by their content; two charts of one page may have the same ones at other places.
    prefix = "s" + sha256(text.getvalue().encode()).hexdigest()[:8]
    _clean(root, prefix)
    width, height = (float(value) for value in root.get("viewBox").split()[2:])
    attributes = {
        "viewBox": f"0 0 {width:g} {height:g}",
        "width": f"{width * 96 / 72:.0f}",
        "height": f"{height * 96 / 72:.0f}",
        "role": "img",
        "aria-label": label,
        # Black is SVG's own colour: what has none inherits this one.
        "style": "fill:var(--text,#000);stroke-linejoin:round",
    }
    root.attrib.clear()
    root.attrib.update(attributes)
    ElementTree.register_namespace("", _SVG[1:-1])
    drawn = ElementTree.tostring(root, encoding="unicode")
    return drawn.replace(f' xmlns="{_SVG[1:-1]}"', "", 1)


def _clean(node, prefix):
    """Remove parts that a page does not need, and give colours, names and tooltips their final form."""
    node.tail = None
    if not (node.text or "").strip():
        node.text = None
    name = node.attrib.pop("id", "")
    if name.startswith(_TIP):
        ElementTree.SubElement(node, f"{_SVG}title").text = name.removeprefix(_TIP)
        node.insert(0, node[-1])
        del node[-1]
    elif re.fullmatch(r"[a-z][0-9a-f]{10}", name):
        node.set("id", prefix + name)
    if (target := node.attrib.pop(_XLINK, None)) is not None:
        node.set("href", f"#{prefix}{target[1:]}")
    for key, value in node.attrib.items():
        if key == "style":
            value = _style(value)
        if key == "clip-path":
            value = value.replace("url(#", f"url(#{prefix}")
        if key in ("d", "x", "y", "transform", "points"):
            value = " ".join(re.sub(r"-?\d+\.\d+", lambda found: f"{float(found[0]):.2f}".rstrip("0"), value).split())
            value = value.replace(". ", " ").removesuffix(".")
        node.set(key, value)
    if node.get("transform", "").startswith("rotate(-0 "):
        del node.attrib["transform"]
    for child in list(node):
        is_style = child.tag in (f"{_SVG}metadata", f"{_SVG}style")
        if is_style or _is_invisible(child):
            node.remove(child)
            continue
        _clean(child, prefix)
        if child.tag in (f"{_SVG}g", f"{_SVG}defs") and not len(child):
            node.remove(child)
    styles = {child.get("style") for child in node if child.tag == f"{_SVG}use"}
    if len(styles) == 1 and len(node) > 1 and "style" not in node.attrib:  # said once for all points of a scatter
        node.set("style", styles.pop())
        for child in node:
            child.attrib.pop("style", None)


def _is_invisible(node):
    return node.tag == f"{_SVG}path" and node.get("style") == "fill: none"


def _style(text):
    """A style with variables for colours, and without the figure's font."""
    found = dict(part.split(": ", 1) for part in text.split("; ") if ": " in part)
    if "font-family" in found:
        found["font-family"] = "system-ui,sans-serif"
    if "font" in found:
        found["font"] = re.sub(r"(\d(?:px)?) '.*", r"\1 system-ui,sans-serif", found["font"])
    if found.get("stroke") == "#000000":
        found["stroke"] = "var(--text,#000)"
    for key in ("fill", "stroke"):
        if found.get(key) in _VARIABLES:
            found[key] = f"var({_VARIABLES[found[key]]},{found[key]})"
    return ";".join(f"{key}:{value}" for key, value in found.items())
