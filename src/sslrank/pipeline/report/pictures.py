"""What the figure jobs share."""

from pathlib import Path

from sslrank.plots.style import look, new_axes, save_figure


def message_figure(text):
    """A picture that only says why there is none."""
    with look():
        figure, ax = new_axes(None, 6.4, 1.2)
        ax.axis("off")
        ax.text(0.5, 0.5, text, ha="center", va="center", wrap=True)
    return figure


def save(figure, path):
    """Write a picture as SVG and PNG, its folder included."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    save_figure(figure, path, formats=("svg", "png"))
