"""Choose the measure of the curve, and compute its value without features."""

import numpy as np

from sslrank.core.errors import DataError
from sslrank.metrics.single import get_measure

#: Average precision is used if the rarer of two classes has a smaller share (T. Saito, M. Rehmsmeier: PLOS ONE 10(3),
#: 2015, on imbalanced classes; they name no share, this one is a convention).
RARE = 0.1
MEASURE_NAMES = {
    "balanced_accuracy": "balanced accuracy",
    "auprc_rarer": "average precision of the rarer class",
    "f1_macro": "macro-averaged F1",
    "rrmse": "relative error",
    "auprc_micro": "area under the precision-recall curve",
    "c_index": "C index",
}


def choose_measure(coded, measure=None):
    """Choose the measure, with the reason if it is not the default of the kind of target.

    Raises DataError if the requested `measure` is unknown or not for the kind of target.
    """
    if measure is not None:
        try:
            return get_measure(measure, coded.targets.kind).name, "as asked for"
        except ValueError as error:
            raise DataError(str(error)) from None
    if coded.task != "classification":
        return get_measure(None, coded.targets.kind).name, ""
    counts = np.unique(coded.target()[0], return_counts=True)[1]
    if coded.targets.null is not None:  # positives against rows of which some are positive
        return "auprc_rarer", "only positive rows are labelled"
    if len(counts) == 2 and counts.min() < RARE * counts.sum():
        return "auprc_rarer", f"one class has {counts.min() / counts.sum():.0%} of the labelled rows"
    return "balanced_accuracy", ""


def chance_level(coded, measure):
    """Compute a measure for predictions without features: the shares of the classes or labels, or the mean."""
    targets = coded.targets.rows(coded.labeled)
    values = targets.values
    if targets.task == "classification":
        values = np.eye(targets.n_classes)[values[:, 0].astype(np.intp)]
    return get_measure(measure, targets.kind)(targets, np.broadcast_to(np.nanmean(values, axis=0), values.shape))
