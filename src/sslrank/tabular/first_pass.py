"""A univariate first pass among very many features: a forest would try each too seldom, a linear model takes long."""

import numpy as np

from sslrank.rankers.registry import get_ranker, ranker_info

#: Features that are kept. On the arena's datasets to choose by 1,000 are as good as all, and 2,000, 500 and 250 worse;
#: on those held out 1,000 are better than all (tests/benchmarks/first-pass.md).
KEPT = 1_000
#: Features from which there is a first pass.
WIDE = 5_000


def has_first_pass(n_features):
    """True if a first pass chooses among so many features which of them forests and linear models see."""
    return n_features > WIDE


def is_wide(method, n_features):
    """True if a method looks only at the features that a first pass keeps.

    Parameters
    ----------
    method : sslrank.tabular.methods.Method
    n_features : int

    Returns
    -------
    bool
    """
    ranker = ranker_info(method.name).load()
    return has_first_pass(n_features) and (hasattr(ranker, "n_estimators") or hasattr(ranker, "n_alphas"))


def best_alone(X, y, nominal, task, hierarchy=None):
    """The features with the largest F statistics over the labelled rows.

    Parameters
    ----------
    X : ndarray of shape (n, D)
    y : ndarray of shape (n,) or (n, T)
    nominal : ndarray of shape (D,), bool
    task : str
    hierarchy : list of list of int, optional

    Returns
    -------
    ndarray of int
        At most :data:`KEPT`, ascending.
    """
    scores = None if nominal.any() else _shares(X, y, task)
    if scores is None:
        ranker = get_ranker("f_score", task=task, categorical_features=nominal if nominal.any() else None)
        if hierarchy is not None:
            ranker.set_params(hierarchy=hierarchy)
        scores = ranker.fit(X, y).feature_importances_
    return np.sort(np.argsort(-scores, kind="stable")[:KEPT])


def _shares(X, y, task):
    """Share of variance in which F statistics order numeric features; None where rows or targets lack values.

    In a quarter of the time of the ranker, for one class or number: it looks at each value four times.
    """
    if y.ndim > 1 or np.isnan(y).any():
        return None
    mean = X.mean(axis=0)
    if not np.isfinite(mean).all():
        return None
    centered = X - mean
    whole = np.einsum("ij,ij->j", centered, centered)
    if task == "classification":
        indicators = (y[:, None] == np.unique(y)).astype(np.float64)
        between = ((indicators.T @ centered) ** 2 / indicators.sum(axis=0)[:, None]).sum(axis=0)
    else:
        of_target = y - y.mean()
        between = (of_target @ centered) ** 2 / max(of_target @ of_target, 1e-300)
    least = 1e-20 * len(X) * mean**2  # nothing but rounding
    return np.divide(between, whole, out=np.zeros_like(whole), where=whole > least)


def spread(ranker, kept, n_features):
    """Give the features that the first pass left out the importance 0.

    Parameters
    ----------
    ranker : sslrank.core.base.BaseRanker
        Fitted to the features `kept`; its importances are replaced by those of all features.
    kept : ndarray of int
    n_features : int
    """

    def of_all(values):
        found = np.zeros((n_features, *values.shape[1:]))
        found[kept] = values
        return found

    ranker.feature_importances_ = of_all(ranker.feature_importances_)
    if hasattr(ranker, "target_importances_"):
        ranker.target_importances_ = of_all(ranker.target_importances_)
    if hasattr(ranker, "importances_"):
        ranker.importances_ = {name: of_all(values) for name, values in ranker.importances_.items()}


def first_pass_note(methods, n_features):
    """A note, in a list, where methods look only at features that a first pass keeps; else an empty list."""
    names = [method.name for method in methods if is_wide(method, n_features)]
    if not names:
        return []
    return [
        f"{', '.join(names)}: only the {KEPT} of {n_features} features with the largest F statistics are tried in each "
        "fit, the others have importance 0"
    ]
