"""A table coded once, so that hundreds of fits on parts of its rows or with shuffled targets cost no reading anew."""

from dataclasses import dataclass, replace

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.rankers.registry import get_ranker, ranker_info
from sslrank.tabular.first_pass import best_alone, best_alone_each, can_share, is_wide, spread


@dataclass(frozen=True)
class Problem:
    """Features and targets of a table as numbers.

    Attributes
    ----------
    X : ndarray of shape (n, D)
        Numbers, and codes in nominal columns; NaN is missing.
    nominal : ndarray of shape (D,), bool
    y : ndarray of shape (n,) or (n, T)
        Class codes, numbers or 0/1; NaN is unknown.
    task : str
    hierarchy : list of list of int or None
    weights : ndarray of shape (n,) or None
    """

    X: np.ndarray
    nominal: np.ndarray
    y: np.ndarray
    task: str
    hierarchy: list | None = None
    weights: np.ndarray | None = None

    @classmethod
    def of(cls, table):
        """Code a :class:`sslrank.tabular.table.OwnTable`."""
        features = encode_features(table.X)
        targets = encode_targets(table.y, len(table.y), task=table.task, hierarchy=table.hierarchy)
        y = targets.values[:, 0] if targets.values.shape[1] == 1 else targets.values
        return cls(features.values, features.nominal, y, table.task, table.hierarchy, table.weights)

    @property
    def labeled(self):
        """Rows with at least one known target, as indices."""
        known = ~np.isnan(self.y)
        return np.flatnonzero(known if known.ndim == 1 else known.any(axis=1))

    @property
    def unlabeled(self):
        """Rows without any known target, as indices."""
        return np.setdiff1d(np.arange(len(self.X)), self.labeled)

    @property
    def columns(self):
        """Targets as columns, shape (n, T)."""
        return self.y[:, None] if self.y.ndim == 1 else self.y

    @property
    def strata(self):
        """One number per row by which samples and folds are balanced: the class, the value, or the row's mean label."""
        return self.y if self.y.ndim == 1 else np.nan_to_num(self.y).mean(axis=1)

    def rows(self, index):
        """The problem of some rows, given as an index array."""
        weights = None if self.weights is None else self.weights[index]
        return replace(self, X=self.X[index], y=self.y[index], weights=weights)

    def target(self, column=0):
        """One target of the labelled rows, and those of them that have it."""
        labeled = self.labeled
        values = self.columns[labeled, column]
        known = ~np.isnan(values)
        return values[known], labeled[known]


def uses_unlabeled(method):
    """True if a method, as it is set, looks at unlabelled rows."""
    if method.params.get("supervised"):
        return False
    ranker = ranker_info(method.name).load()
    return not ranker.labeled_only and method.params.get("supervision") != 1.0


def can_do_without(method):
    """True if a method has a counterpart that leaves unlabelled rows out."""
    return hasattr(ranker_info(method.name).load(), "supervised")


def takes_weights(method):
    """True if a method can use the weights of rows."""
    return has_fit_parameter(ranker_info(method.name).load(), "sample_weight")


def fit(method, problem, rows, seed=0, n_jobs=None, y=None, kept=None):
    """Fit a method on some rows, with other targets of all rows where `y` says so, such as shuffled ones.

    `kept` are the features that the first pass keeps, if they are known.
    Raises ValueError if the method cannot rank these rows, or gives importances that are not finite numbers.
    """
    y, n_features = problem.y if y is None else y, problem.X.shape[1]
    if is_wide(method, n_features):
        kept = _first_pass(problem, rows, y) if kept is None else kept
        X, nominal = problem.X[np.ix_(rows, kept)], problem.nominal[kept]
    else:
        X, nominal = problem.X[rows], problem.nominal
    ranker = get_ranker(method.name, **method.params)
    known = ranker.get_params(deep=False)
    common = {
        "random_state": seed,
        "n_jobs": n_jobs,
        "task": problem.task,
        "hierarchy": problem.hierarchy,
        "categorical_features": nominal if nominal.any() else None,
    }
    ranker.set_params(**{key: value for key, value in common.items() if key in known})
    ranker.only_importance = True  # a forest has a score by permutation only where that is asked for
    weights = {}
    if problem.weights is not None and takes_weights(method):
        weights["sample_weight"] = problem.weights[rows]
    ranker.fit(X, y[rows], **weights)
    if len(ranker.feature_importances_) < n_features:
        spread(ranker, kept, n_features)
    if not np.isfinite(ranker.feature_importances_).all():
        raise ValueError("some importances are not finite numbers")
    return ranker


def _first_pass(problem, rows, y):
    """Features with the largest F statistics over those of some rows that have a target."""
    known = ~np.isnan(y[rows])
    rows = rows[known if known.ndim == 1 else known.any(axis=1)]
    return best_alone(problem.X[rows], y[rows], problem.nominal, problem.task, problem.hierarchy)


def first_passes(methods, problem, parts):
    """Features that a first pass keeps for each of many fits, found at once.

    Parameters
    ----------
    methods : list of sslrank.tabular.methods.Method
    problem : Problem
    parts : list of (labeled, source)
        Labelled rows of each fit, and the rows whose targets they have.

    Returns
    -------
    list
        Of each fit the features, as an array; or None, where there is no first pass or each fit makes its own.
    """
    is_shared = any(is_wide(method, problem.X.shape[1]) for method in methods)
    if not is_shared or not can_share(problem.X[problem.labeled], problem.y[problem.labeled], problem.nominal):
        return [None] * len(parts)
    return best_alone_each(problem.X, [(labeled, problem.y[source]) for labeled, source in parts], problem.task)


def fit_all(methods, problem, labeled, unlabeled, seed=0, n_jobs=None, y=None, kept=None):
    """Fit several methods; those that are scores of the same forest share it.

    Parameters
    ----------
    methods : list of sslrank.tabular.methods.Method
    problem : Problem
    labeled, unlabeled : ndarray of int
        Rows that are ranked; unlabelled ones only by methods that look at them.
    seed : int
    n_jobs : int, optional
    y, kept : ndarray, optional
        As for :func:`fit`.

    Returns
    -------
    importances : dict of str to ndarray of shape (D,)
        In the order of the methods.
    rankers : dict of str to sslrank.core.base.BaseRanker
    failures : dict of str to str
        Methods that could not rank, and why.
    """
    groups = {}
    for method in methods:
        info = ranker_info(method.name)
        is_score = set(info.params) == {"importance"}
        groups.setdefault((info.path, repr(method.params)) if is_score else method.name, []).append(method)
    importances, rankers, failures = {}, {}, {}
    if kept is None and any(is_wide(method, problem.X.shape[1]) for method in methods):
        kept = _first_pass(problem, labeled, problem.y if y is None else y)
    for alike in groups.values():
        # the score by permutation is there if the forest was grown for it; the others always are
        first = next((method for method in alike if method.name == "ssl_permutation"), alike[0])
        try:
            ranker = fit(first, problem, rows_for(first, labeled, unlabeled), seed, n_jobs, y, kept)
        except ValueError as error:
            failures |= {method.name: str(error).partition("\n")[0] for method in alike}
            continue
        for method in alike:
            rankers[method.name] = ranker
            of_method = ranker.feature_importances_
            if method is not first:
                of_method = ranker.importances_[ranker_info(method.name).params["importance"]]
            importances[method.name] = of_method
    names = [method.name for method in methods if method.name in rankers]
    return {name: importances[name] for name in names}, {name: rankers[name] for name in names}, failures


def rows_for(method, labeled, unlabeled):
    """The rows that a method is fitted on: unlabelled ones only where it looks at them."""
    return np.sort(np.concatenate([labeled, unlabeled])) if uses_unlabeled(method) else labeled
