"""Helpers of the jobs that draw figures."""

import re
from pathlib import Path
from zlib import crc32

from sslrank.plotting.style import look, new_axes, save_figure


def message_figure(text):
    """A placeholder figure with the reason why there is no figure."""
    with look():
        figure, ax = new_axes(None, 6.4, 1.2)
        ax.axis("off")
        ax.text(0.5, 0.5, text, ha="center", va="center", wrap=True)
    return figure


def picture_name(text):
    """A name of files for any text: letters, digits, dots, hyphens and underscores, at most 100 of them.

    A text that is none has the others replaced, and a number at the end, so that two texts have two names.
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", text)[:90].strip("-.")
    return text if text and plain == text else f"{plain}-{crc32(text.encode()):08x}".lstrip("-")


def save(figure, path):
    """Write a picture as SVG, its folder included, under the :func:`picture_name` of its name."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_figure(figure, path.with_name(picture_name(path.name)), formats=("svg",))
