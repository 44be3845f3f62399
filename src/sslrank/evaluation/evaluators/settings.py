"""Settings of evaluators, and the targets that they may use."""

from dataclasses import replace

import numpy as np


def settings_of(params, **defaults):
    """An evaluator's settings: the defaults, changed by `params`.

    Raises
    ------
    ValueError
        If a setting is unknown.
    """
    params = dict(params or {})
    unknown = sorted(set(params) - set(defaults))
    if unknown:
        raise ValueError(f"unknown evaluator settings: {', '.join(unknown)}; available: {', '.join(sorted(defaults))}")
    return {**defaults, **params}


def labelled_only(targets, labeled):
    """The targets with every row outside of `labeled` unknown."""
    values = np.full_like(targets.values, np.nan)
    values[labeled] = targets.values[labeled]
    return replace(targets, values=values)
