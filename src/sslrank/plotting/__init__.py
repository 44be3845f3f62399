"""Pages and their charts as HTML and SVG (`pages`, `charts`), and figures for files with matplotlib.

What pages show is made here once: a page's script only shows, sorts, searches and copies it. A function
per kind of figure returns a matplotlib figure, which :func:`save_figure` writes as SVG and PNG files.

=================================  =====================================================================================
:func:`intervals`                  points or bars with intervals: ranks
:func:`line_panels`                lines over a number, one small chart for each panel
:func:`critical_distance_diagram`  average ranks of methods
:func:`published_vs_reproduced`    two values of each item
=================================  =====================================================================================
"""

import importlib

from sslrank.core.extras import require

#: Modules of the public names; a module is imported when one of its names is asked for, as pages need no matplotlib.
_MODULE_OF = {
    "PALETTE": "sslrank.plotting.style",
    "critical_distance_diagram": "sslrank.plotting.critical_distance",
    "intervals": "sslrank.plotting.points",
    "line_panels": "sslrank.plotting.lines",
    "published_vs_reproduced": "sslrank.plotting.published",
    "save_figure": "sslrank.plotting.style",
    "styles_for": "sslrank.plotting.style",
}
__all__ = sorted(_MODULE_OF)


def __getattr__(name):
    if name in _MODULE_OF:
        require("plots", "drawing figures")
        return getattr(importlib.import_module(_MODULE_OF[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
