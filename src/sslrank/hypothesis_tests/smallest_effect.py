"""The smallest effect of one feature that the labels can detect, by a formula."""

import math

import numpy as np
from scipy.special import ndtr, ndtri

#: Level of the test that no feature is related, and power.
ALPHA, POWER = 0.05, 0.8
#: Tests of each feature: linear, of ranks, and of the distance from the middle.
_VIEWS = 3


def effective_labels(targets, features, sample_weight=None):
    """Compute the number of independent, equally weighted labels without gaps that have the same power.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
        Targets of the labelled rows.
    features : sslrank.core.features.Features
    sample_weight : ndarray of shape (n,), optional

    Returns
    -------
    int
        Kish's effective size of the rows in which the target and a numeric feature are known, the median over numeric
        features; 0 if there is none.
    """
    is_known = ~np.isnan(targets.values)
    weights = is_known[:, is_known.sum(axis=0).argmax()] * (1.0 if sample_weight is None else sample_weight)
    of_feature = ~np.isnan(features.values[:, ~features.nominal])
    if not of_feature.shape[1]:
        return 0
    sums, squares = weights @ of_feature, weights**2 @ of_feature
    return int(np.median(sums**2 / np.maximum(squares, 1e-300)).round())


def smallest_effect(targets, n_features, n=None):
    """Compute the smallest effect of a single feature that is detected with a power of 80 %.

    The formula is for a feature that is normal given the target, and a two-sided test of its correlation (Fisher's
    transform) at the level of the overall test divided by the number of tests of `n_features` features. For classes the
    correlation is converted to the AUC of one class of average size against the others.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
        Targets of the labelled rows.
    n_features : int
    n : int, optional
        Number of labels, or :func:`effective_labels`.

    Returns
    -------
    measure : {"AUC", "r"}
    value : float

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> measure, value = smallest_effect(encode_targets([0, 1] * 50, 100, task="classification"), 20)
    >>> measure, round(value, 2)
    ('AUC', 0.73)
    """
    values = targets.values
    n = int((~np.isnan(values)).sum(axis=0).max()) if n is None else n
    level = ALPHA / (n_features * _VIEWS * values.shape[1])
    r = math.tanh((ndtri(1 - level / 2) + ndtri(POWER)) / np.sqrt(max(n - 3, 1)))
    if targets.task in ("regression", "multitarget"):
        return "r", float(r)
    share = 1 / targets.n_classes if targets.task == "classification" else np.nanmean(values)
    if targets.task == "classification" and targets.n_classes == 2:
        share = np.mean(values[:, 0] == 0)
    difference = r / np.sqrt(max(1 - r**2, 1e-12) * max(share * (1 - share), 1e-12))
    return "AUC", float(ndtr(difference / np.sqrt(2)))
