"""Evaluators with one plain signature, as the workflow calls them.

An evaluator is a function ::

    evaluate(features, targets, train, test, labeled, importances, params, seed)
        -> list of (measure, size, value)

`features` and `targets` are all rows of a dataset, coded; `train`, `test` and `labeled` (a subset of train)
are row indices. Only the labels of `labeled` are used for training. `importances` has one number per feature,
higher is better. `params` is a dict of the evaluator's settings, checked for misspelt keys, and `seed` an
integer. In the result, `measure` names what was measured, `size` says at which k or number of features, and
`value` is a float (NaN where it is undefined).

Each evaluator is a module of its own with the function `evaluate`, imported when it is used. What it computes
once per fold for all rankings, if anything, is in `share`, with the arguments of `evaluate` but the
importances; `is_shared(params)` says whether the settings ask for it, and `evaluate` gets the table as `shared`.
Where the settings decide what is imported, `modules(params)` gives the dotted names.
"""

import importlib

#: Modules of this package by the name that a configuration gives them.
EVALUATORS = ("eca", "knn", "multilabel", "top_features", "top_features_auc")


def evaluator_module(name):
    """Dotted name of an evaluator's module; the name is one of :data:`EVALUATORS`."""
    return f"{__name__}.{name}"


def evaluator_modules(name, params=None):
    """Dotted names of an evaluator's module and of those that it finds by its settings."""
    found = getattr(load_evaluator(name), "modules", None)
    return [evaluator_module(name), *(found(params) if found else [])]


def load_evaluator(name):
    """Import an evaluator's module.

    Raises
    ------
    ValueError
        If there is no such evaluator.
    """
    if name not in EVALUATORS:
        raise ValueError(f"unknown evaluator {name!r}; available: {', '.join(EVALUATORS)}")
    return importlib.import_module(evaluator_module(name))


def computed(name, params, task):
    """The measures and sizes that an evaluator with these settings gives for a kind of target.

    Returns
    -------
    measures : list of str
    sizes : list of int or None
        None where they depend on the dataset.

    Raises
    ------
    ValueError
        If a setting is unknown or does not suit the task.
    """
    return load_evaluator(name).computes(params, task)


def is_shared(name, params=None):
    """Tell whether an evaluator with these settings shares a computation between rankings."""
    module = load_evaluator(name)
    return hasattr(module, "share") and module.is_shared(params)
