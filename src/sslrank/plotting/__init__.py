"""Charts from tables: a function per kind returns a matplotlib figure.

:func:`save_figure` writes a figure as SVG and PNG files.

=================================  =====================================================================================
:func:`intervals`                  points or bars with intervals: mean ranks, importances against what chance gives
:func:`feature_curves`             score over the number of features, with a range that is enough and a reference line
:func:`performance_curves`         score over the number of labels
:func:`line_panels`                lines over a number, one small chart for each panel
:func:`error_curve_panels`         forward and reverse curves of a ranking
:func:`critical_distance_diagram`  average ranks of methods
:func:`published_vs_reproduced`    two values of each item
=================================  =====================================================================================
"""

from sslrank.core.extras import require

require("plots", "drawing figures")

from sslrank.plotting.critical_distance import critical_distance_diagram
from sslrank.plotting.error_curves import error_curve_panels
from sslrank.plotting.feature_curves import feature_curves
from sslrank.plotting.intervals import intervals
from sslrank.plotting.line_panels import line_panels
from sslrank.plotting.performance import performance_curves
from sslrank.plotting.published import published_vs_reproduced
from sslrank.plotting.style import PALETTE, save_figure, styles_for

__all__ = [
    "PALETTE",
    "critical_distance_diagram",
    "error_curve_panels",
    "feature_curves",
    "intervals",
    "line_panels",
    "performance_curves",
    "published_vs_reproduced",
    "save_figure",
    "styles_for",
]
