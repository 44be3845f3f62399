"""The functions that an evaluator's module defines, with their arguments and results."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Evaluator(Protocol):
    """An evaluator: a module with these functions, imported when it is used.

    A configuration names the module and gives `params`, a dict of settings; :func:`.settings.settings_of` lays them
    over the module's defaults and refuses misspelt ones.

    Two more functions are optional. `share` computes a table once per fold for all rankings, with the arguments of
    `evaluate` but the importances; `evaluate` takes it as `shared`, and ``is_shared(params)`` says whether the settings
    ask for it. ``modules(params)`` lists the dotted names of the modules that the settings ask for.

    Examples
    --------
    >>> from sslrank.evaluation.evaluators import load_evaluator
    >>> isinstance(load_evaluator("knn"), Evaluator)
    True
    """

    def evaluate(self, features, targets, train, test, labeled, importances, params=None, seed=0):
        """Evaluate a ranking on the test rows.

        Parameters
        ----------
        features : sslrank.core.features.Features
            All rows of a dataset, coded.
        targets : sslrank.core.targets.Targets
            Of all rows.
        train, test, labeled : ndarray of int
            Rows; `labeled` is a subset of `train`, and only its labels are used for training.
        importances : array-like of shape (D,)
            One number per feature, higher is better.
        params : dict, optional
            Settings.
        seed : int, default=0
            Everything random derives from it. It does not depend on the method, so that all methods get the same random
            numbers.

        Returns
        -------
        list of (measure, size, value)
            `measure` names what was measured, `size` says at which k or number of features, and `value` is a float, NaN
            where it is undefined.

        Raises
        ------
        ValueError
            If a setting is unknown or does not suit the target, or there is nothing to train with.
        """

    def computes(self, params, task):
        """List what :meth:`evaluate` computes for a kind of target.

        Parameters
        ----------
        params : dict
            Settings.
        task : str
            Kind of target.

        Returns
        -------
        measures : list of str
        sizes : list of int or None
            None where they depend on the dataset.
        """
