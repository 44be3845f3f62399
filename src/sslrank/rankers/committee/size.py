"""Size of a committee of random subspaces."""

import math


def committee_size(n_features):
    """Compute the number of members: each feature is drawn about ten times (confidence 0.01).

    Eq. (1) of paper ssfi and Eq. (5.1) of the thesis (study scls).

    Parameters
    ----------
    n_features : int

    Returns
    -------
    int

    Examples
    --------
    >>> committee_size(100)
    440
    """
    if n_features == 1:  # the logarithm of 0: every bag has the one feature
        return 10
    return 10 * math.ceil(math.log(0.01) / math.log(1 - 1 / math.sqrt(n_features)))
