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
    """Give the dotted name of an evaluator's module.

    Parameters
    ----------
    name : str
        One of :data:`EVALUATORS`.

    Returns
    -------
    str

    Examples
    --------
    >>> evaluator_module("knn")
    'sslrank.evaluation.evaluators.knn'
    """
    return f"{__name__}.{name}"


def evaluator_modules(name, params=None):
    """List the dotted names of an evaluator's module and of those that it imports by its settings.

    Parameters
    ----------
    name : str
    params : dict, optional
        Settings of the evaluator.

    Returns
    -------
    list of str

    Examples
    --------
    >>> evaluator_modules("multilabel", {"classifier": "homer"})
    ['sslrank.evaluation.evaluators.multilabel', 'sslrank.models.multilabel.homer']
    """
    found = getattr(load_evaluator(name), "modules", None)
    return [evaluator_module(name), *(found(params) if found else [])]


def load_evaluator(name):
    """Import an evaluator's module.

    Parameters
    ----------
    name : str
        One of :data:`EVALUATORS`.

    Returns
    -------
    module

    Raises
    ------
    ValueError
        If there is no such evaluator.

    Examples
    --------
    >>> load_evaluator("knn").__name__
    'sslrank.evaluation.evaluators.knn'
    """
    if name not in EVALUATORS:
        raise ValueError(f"unknown evaluator {name!r}; available: {', '.join(EVALUATORS)}")
    return importlib.import_module(evaluator_module(name))


def computed(name, params, task):
    """List the measures and sizes that an evaluator with these settings computes for a kind of target.

    Parameters
    ----------
    name : str
    params : dict
    task : str

    Returns
    -------
    measures : list of str
    sizes : list of int or None
        None where they depend on the dataset.

    Raises
    ------
    ValueError
        If a setting is unknown or does not suit the task.

    Examples
    --------
    >>> computed("knn", {"n_neighbors": [5, 10]}, "classification")
    (['f1_macro'], [5, 10])
    """
    return load_evaluator(name).computes(params, task)


def is_shared(name, params=None):
    """Tell whether an evaluator with these settings shares a computation between rankings.

    Parameters
    ----------
    name : str
    params : dict, optional

    Returns
    -------
    bool

    Examples
    --------
    >>> is_shared("eca", {"expected": True}), is_shared("knn")
    (True, False)
    """
    module = load_evaluator(name)
    return hasattr(module, "share") and module.is_shared(params)
