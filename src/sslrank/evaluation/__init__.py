"""Judging feature rankings: feature-weighted kNN, error curves (FFA, RFA), their average (ECA), measures."""

from sslrank.evaluation.curves import error_curves, expected_curve
from sslrank.evaluation.eca import compare_rankings, eca
from sslrank.evaluation.knn import knn_predict, knn_score
from sslrank.evaluation.measures import area_under_curve, fold_average, measure_for, score
from sslrank.evaluation.noise import noise_experiment

__all__ = [
    "area_under_curve",
    "compare_rankings",
    "eca",
    "error_curves",
    "expected_curve",
    "fold_average",
    "knn_predict",
    "knn_score",
    "measure_for",
    "noise_experiment",
    "score",
]
