"""Pictures: a function per kind gives a matplotlib figure, :func:`save_figure` writes it as SVG and PNG."""

from sslrank.core.extras import require

require("plots", "drawing figures")

from sslrank.plotting.critical_distance import critical_distance_diagram
from sslrank.plotting.error_curves import error_curves
from sslrank.plotting.feature_curves import feature_curves
from sslrank.plotting.performance import performance_curves
from sslrank.plotting.published import published_vs_reproduced
from sslrank.plotting.style import PALETTE, save_figure, styles_for
from sslrank.plotting.times import time_bars

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
