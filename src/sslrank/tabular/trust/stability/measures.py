"""Choose the measure of the curve, and compute its value without features."""

import numpy as np

from sslrank.core.errors import DataError
from sslrank.metrics.single import get_measure

#: Average precision is used if the rarer of two classes has a smaller share (T. Saito, M. Rehmsmeier: PLOS ONE 10(3),
#: 2015, on imbalanced classes; they name no share, this one is a convention).
RARE = 0.1
#: Classes are called unequal in a note if the largest is this many times an equal share; it decides nothing.
UNEQUAL = 1.1
MEASURE_NAMES = {
    "balanced_accuracy": "balanced accuracy",
    "auprc_rarer": "average precision of the rarer class",
    "f1_macro": "macro-averaged F1",
    "rrmse": "relative error",
    "auprc_micro": "area under the precision-recall curve",
    "c_index": "C index",
}


def choose_measure(problem, measure=None):
    """Choose the measure, with the reason if it is not the default of the kind of target.

    Raises DataError if the requested `measure` is unknown or not for the kind of target.
    """
    if measure is not None:
        try:
            return get_measure(measure, problem.targets.kind).name, "as asked for"
        except ValueError as error:
            raise DataError(str(error)) from None
    if problem.task != "classification":
        return get_measure(None, problem.targets.kind).name, ""
    counts = np.unique(problem.target()[0], return_counts=True)[1]
    if problem.targets.null is not None:  # positives against rows of which some are positive
        return "auprc_rarer", "only positive rows are labelled"
    if len(counts) == 2 and counts.min() < RARE * counts.sum():
        return "auprc_rarer", f"one class has {counts.min() / counts.sum():.0%} of the labelled rows"
    unequal = counts.max() > UNEQUAL * counts.sum() / max(len(counts), 1)
    return "balanced_accuracy", "the classes are unequal" if unequal else ""


def chance_level(problem, measure):
    """Compute a measure for predictions without features: the largest class, the mean, the labels' shares."""
    y = problem.y[problem.labeled]
    if problem.task == "classification":
        shares = np.unique(y, return_counts=True)[1] / len(y)
        largest = shares.max()
        levels = {
            "balanced_accuracy": 1 / len(shares),
            "accuracy": largest,
            "auprc_rarer": shares.min(),
            "f1_macro": 2 * largest / (1 + largest) / len(shares),
        }
        return levels.get(measure, np.nan)
    if measure in ("rrmse", "c_index"):
        return 1.0 if measure == "rrmse" else 0.5
    known = problem.columns[problem.labeled]
    scores = np.broadcast_to(np.nanmean(known, axis=0), known.shape)
    return float(get_measure(measure, problem.task).function(known, scores))
