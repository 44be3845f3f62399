"""Evaluators, which the workflow calls with the same signature.

An evaluator is a module with the functions of :class:`~sslrank.evaluation.evaluators.protocol.Evaluator`, which
documents their arguments and results; each module's ``evaluate`` documents its measures and settings.
"""

import importlib

#: Modules of this package by their names in a configuration.
EVALUATORS = ("eca", "knn", "multilabel", "top_features", "top_features_auc")


def load_evaluator(name):
    """Import an evaluator's module, or a user's own evaluator.

    Parameters
    ----------
    name : str
        One of :data:`EVALUATORS`, or ``"module:Class"`` with the methods of
        :class:`~sslrank.evaluation.evaluators.protocol.Evaluator`.

    Returns
    -------
    module or object

    Raises
    ------
    ValueError
        If there is no such evaluator, or it lacks a function.

    Examples
    --------
    >>> load_evaluator("knn").__name__
    'sslrank.evaluation.evaluators.knn'
    """
    module, is_own, attribute = name.partition(":")
    if not is_own:
        if name not in EVALUATORS:
            raise ValueError(f"unknown evaluator {name!r}; available: {', '.join(EVALUATORS)}")
        return importlib.import_module(f"{__name__}.{name}")
    evaluator = getattr(importlib.import_module(module), attribute, None)
    if lacking := [function for function in ("evaluate", "computes") if not hasattr(evaluator, function)]:
        raise ValueError(f"{name} has no function {lacking[0]!r}; see sslrank.evaluation.evaluators.protocol")
    return evaluator() if isinstance(evaluator, type) else evaluator


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
        None if they depend on the dataset.

    Raises
    ------
    ValueError
        If a setting is unknown or does not support the task.

    Examples
    --------
    >>> computed("knn", {"n_neighbors": [5, 10]}, "classification")
    (['f1_macro'], [5, 10])
    """
    return load_evaluator(name).computes(params, task)


def is_shared(name, params=None):
    """Check if an evaluator with these settings shares a computation between rankings.

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
    return hasattr(module, "is_shared") and module.is_shared(params)
