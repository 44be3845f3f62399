"""The functions that an evaluator's module defines, with their arguments and results."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Evaluator(Protocol):
    """Interface of evaluators: modules with these functions, imported when used.

    A configuration names the module and its settings `params`; :func:`.settings.settings_of` merges them with the
    module's defaults and refuses unknown ones.

    Further functions are optional. `share` computes a table once per fold for all rankings, with the arguments of
    `evaluate` except the importances; `evaluate` gets it as `shared`, and ``is_shared(params)`` returns whether the
    settings need it.

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
            Encoded features of all rows of a dataset.
        targets : sslrank.core.targets.Targets
            Encoded targets of all rows.
        train, test, labeled : ndarray of int
            Row indices; `labeled` is a subset of `train`, and only its labels are used for training.
        importances : array-like of shape (D,)
            One number per feature, higher is better.
        params : dict, optional
            Settings.
        seed : int, default=0
            Seed of everything random. It does not depend on the method, so all methods get the same random numbers.

        Returns
        -------
        list of (measure, size, value)
            `measure` is the name of a measure, `size` the k or number of features, and `value` a float, NaN if
            undefined.

        Raises
        ------
        ValueError
            If a setting is unknown or does not support the target, or there are no training rows.
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
            None if they depend on the dataset.
        """
