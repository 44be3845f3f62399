"""Settings of evaluators, and removal of labels that they must not use."""

from dataclasses import replace

import numpy as np


def settings_of(params, **defaults):
    """Merge an evaluator's settings with its defaults.

    Parameters
    ----------
    params : dict or None
    **defaults

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        If a setting is unknown.

    Examples
    --------
    >>> settings_of({"n_top": 5}, n_top=10, predictor="tree")
    {'n_top': 5, 'predictor': 'tree'}
    """
    params = dict(params or {})
    unknown = sorted(set(params) - set(defaults))
    if unknown:
        raise ValueError(f"unknown evaluator settings: {', '.join(unknown)}; available: {', '.join(sorted(defaults))}")
    return {**defaults, **params}


def labelled_only(targets, labeled):
    """Remove the labels of all rows that are not in `labeled`.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
    labeled : ndarray of int

    Returns
    -------
    Targets

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> labelled_only(encode_targets([0, 1, 1], 3), np.array([1])).labeled
    array([False,  True, False])
    """
    values = np.full_like(targets.values, np.nan)
    values[labeled] = targets.values[labeled]
    return replace(targets, values=values)
