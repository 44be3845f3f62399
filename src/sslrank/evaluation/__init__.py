"""Evaluating feature rankings: feature-weighted kNN, error curves (FFA, RFA) and their average (ECA)."""

import importlib

#: Modules of the public names; a module is imported when one of its names is asked for.
_MODULE_OF = {
    "area_under_curve": "sslrank.metrics.averages",
    "curve_problem": "sslrank.evaluation.curves",
    "compare_rankings": "sslrank.evaluation.error_curve_average",
    "eca": "sslrank.evaluation.error_curve_average",
    "error_curves": "sslrank.evaluation.curves",
    "expected_curve": "sslrank.evaluation.curves",
    "fold_average": "sslrank.metrics.averages",
    "knn_predict": "sslrank.models.knn",
    "measure_for": "sslrank.metrics.single",
    "score": "sslrank.metrics.single",
}
__all__ = sorted(_MODULE_OF)


def __getattr__(name):
    if name in _MODULE_OF:
        return getattr(importlib.import_module(_MODULE_OF[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
