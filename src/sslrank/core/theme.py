"""Colours of all pages, as CSS."""

from importlib import resources


def theme_css(selector=":root"):
    """Write the CSS variables for the colours of pages, light and dark.

    Parameters
    ----------
    selector : str, default=":root"
        Selector of the element with the variables; a class for a fragment within another page.

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
