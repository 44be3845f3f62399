"""Pictures: a function per kind gives a matplotlib figure, :func:`save_figure` writes it as SVG and PNG."""

from sslrank.extras import require

require("plots", "drawing figures")

from sslrank.plots.critical_distance import critical_distance_diagram
from sslrank.plots.error_curves import error_curves
from sslrank.plots.feature_curves import feature_curves
from sslrank.plots.performance import performance_curves
from sslrank.plots.published import published_vs_reproduced
from sslrank.plots.style import PALETTE, save_figure, styles_for
from sslrank.plots.times import time_bars

__all__ = [
    "PALETTE",
    "critical_distance_diagram",
    "error_curves",
    "feature_curves",
    "performance_curves",
    "published_vs_reproduced",
    "save_figure",
    "styles_for",
    "time_bars",
]
