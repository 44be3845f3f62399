"""The smallest effect of one feature that the labels there are show, by formula."""

import numpy as np
from scipy.special import ndtr, ndtri

#: Level of the headline, and the share of tables in which the effect is shown.
LEVEL, POWER = 0.05, 0.8
#: Tests of each feature: linear, of ranks, and of the distance from the middle.
_VIEWS = 3


def smallest_effect(targets, n_features):
    """Find the smallest effect of a single feature that is shown in four of five tables.

    A feature that is normal given the target is tested among `n_features` others, by a two-sided test of its
    correlation at the level of the headline over the number of tests, by Fisher's transform. For classes the
    correlation is turned into the area under the ROC curve of one class of average size against the others.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
        Of labelled rows.
    n_features : int

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
    n = int((~np.isnan(values)).sum(axis=0).max())
    level = LEVEL / (n_features * _VIEWS * values.shape[1])
    r = np.tanh((ndtri(1 - level / 2) + ndtri(POWER)) / np.sqrt(max(n - 3, 1)))
    if targets.task in ("regression", "multitarget"):
        return "r", float(r)
    share = 1 / targets.n_classes if targets.task == "classification" else np.nanmean(values)
    if targets.task == "classification" and targets.n_classes == 2:
        share = np.mean(values[:, 0] == 0)
    difference = r / np.sqrt(max(1 - r**2, 1e-12) * max(share * (1 - share), 1e-12))
    return "AUC", float(ndtr(difference / np.sqrt(2)))
