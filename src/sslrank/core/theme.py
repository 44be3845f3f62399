"""Colours of all pages, as CSS."""

from importlib import resources


def theme_css(selector=":root"):
    """Return the CSS variables that pages take their colours from, for bright and dark screens.

    Parameters
    ----------
    selector : str, default=":root"
        Element that gets the variables; a class for a fragment inside of somebody else's page.

    Returns
    -------
    str

    Examples
    --------
    >>> ".sslrank {" in theme_css(".sslrank")
    True
    """
    text = resources.files("sslrank.core").joinpath("theme.css").read_text(encoding="utf-8")
    return text.replace(":root", selector)
