"""Fits of ranking methods on subsets of the rows of a coded table."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from sslrank.core.base import BaseRanker
from sslrank.core.random_state import derive_seed
from sslrank.rankers.registry import get_ranker, ranker_info
from sslrank.tabular.fits.screening import extended, is_wide, screen

#: A feature with more than this share of all importances dominates: the others are ranked without it, for at most this
#: number of features (tests/measurements/README.md, "Choices that were measured").
DOMINANT_SHARE, MAX_DOMINANT = 0.5, 3
#: The default forest is grown on at most this number of rows for each row of a tree, drawn at random: more would differ
#: only in which rows no tree has.
_ROWS_PER_ROW_OF_TREE = 50
#: Minimum share of the total importance left to the remaining features.
_MIN_REMAINING = 0.01


@dataclass(frozen=True)
class Fit:
    """A method fitted on some rows.

    Attributes
    ----------
    ranker : sslrank.core.base.BaseRanker
    importances : ndarray of shape (D,)
        Of all features of the table; higher is better.
    kept : ndarray of int, or None
        Features that the ranker was fitted on; None: all of them.
    """

    ranker: BaseRanker
    importances: np.ndarray
    kept: np.ndarray | None = None

    def score(self, name):
        """Return another importance score of the ranker, shape (D,)."""
        return extended(self.ranker.importances_[name], self.kept, len(self.importances))

    @property
    def by_target(self):
        """Importance of each feature for each target, shape (D, T); None if the ranker has none."""
        values = getattr(self.ranker, "target_importances_", None)
        return None if values is None else extended(values, self.kept, len(self.importances))


@dataclass(frozen=True)
class Fits:
    """Several methods fitted on the same rows.

    Attributes
    ----------
    importances : dict of str to ndarray of shape (D,)
        In the order of the methods.
    failures : dict of str to str
        Methods that failed, with the reason.
    by_target : ndarray of shape (D, T) or None
        Importances for each of several targets, by the first method that provides them.
    """

    importances: dict
    failures: dict
    by_target: np.ndarray | None = None

    @property
    def ranks(self):
        """Ranks by each method, as a dict; 1 is the best, ties get their mean rank."""
        return {name: rankdata(-importances) for name, importances in self.importances.items()}


def fit(method, coded, rows, seed=0, n_jobs=None, kept=None):
    """Fit a method on some rows of a table.

    `kept` are the features that screening keeps, None if no method needs it.
    Raises ValueError if the method cannot rank these rows, or gives importances that are not finite numbers.
    """
    features, n_features = coded.features, coded.X.shape[1]
    most = _ROWS_PER_ROW_OF_TREE * method.params.get("max_samples", len(rows))
    if method.refit and len(rows) > most and not method.uses_unlabeled:
        rows = np.sort(np.random.default_rng(derive_seed(seed, "rows of the forest")).permutation(rows)[:most])
    if not is_wide(method, n_features):
        kept = None
    features = features if kept is None else features.columns(kept)
    features = features.rows(rows).without_unused_categories()
    targets = coded.targets.rows(rows).without_unused_categories()
    weights = coded.weights[rows] if coded.weights is not None and method.takes_weights else None

    def fitted(part):
        ranker = get_ranker(method.name, **method.params)
        own_parameters = ranker.get_params(deep=False)
        common = {"random_state": seed, "n_jobs": n_jobs, "task": coded.task, "hierarchy": coded.targets.parents}
        ranker.set_params(**{key: value for key, value in common.items() if key in own_parameters})
        ranker.only_importance = True  # a forest computes permutation importance only if that is asked for
        return ranker.fit_coded(part, targets, weights)

    ranker = fitted(features)
    importances = ranker.feature_importances_
    if method.refit:
        importances = rank_below_dominating(
            importances, lambda left: fitted(features.columns(left)).feature_importances_
        )
    if not np.isfinite(importances).all():
        raise ValueError("some importances are not finite numbers")
    return Fit(ranker, extended(importances, kept, n_features), kept)


def rank_below_dominating(importances, refit):
    """Rank the features below a dominating one, such as a leak of the target, by fits without it.

    A model with a feature that nearly equals the target does not need other features, so their importances are noise.

    Parameters
    ----------
    importances : ndarray of shape (D,), not negative
    refit : callable
        Returns the importances of features, given as indices, in a fit without the others.

    Returns
    -------
    ndarray of shape (D,)
        The importance of the other features is divided among them in proportion to their importances in the refit.
    """
    importances, remaining = importances.copy(), np.arange(len(importances))
    for _ in range(MAX_DOMINANT):
        values = importances[remaining]
        top, total = values.argmax(), values.sum()
        if len(remaining) < 3 or values[top] <= DOMINANT_SHARE * total:
            break
        remaining = np.delete(remaining, top)
        without = refit(remaining)
        if (rest := without.sum()) > 0:
            importances[remaining] = without / rest * max(total - values[top], _MIN_REMAINING * total)
    return importances


def fit_methods(methods, coded, labeled, unlabeled, seed=0, n_jobs=None):
    """Fit several methods; scores of the same forest share one fit.

    Parameters
    ----------
    methods : list of sslrank.tabular.fits.methods.RankingMethod
    coded : sslrank.core.coded_table.CodedTable
    labeled, unlabeled : ndarray of int
        Rows to fit on; the unlabelled ones go only to methods that use them.
    seed : int
    n_jobs : int, optional

    Returns
    -------
    Fits
    """
    groups = {}
    for method in methods:
        info = ranker_info(method.name)
        is_score = set(info.params) == {"importance"}
        groups.setdefault((info.path, repr(method.params)) if is_score else method.name, []).append(method)
    importances, by_target, failures = {}, {}, {}
    is_screened = any(is_wide(method, coded.X.shape[1]) for method in methods)
    kept = screen(coded, labeled) if is_screened else None
    for sharing in groups.values():
        # permutation importance exists only if the forest was grown for it; the other scores always do
        first = next((method for method in sharing if method.name == "ssl_permutation"), sharing[0])
        try:
            rows = np.sort(np.concatenate([labeled, unlabeled])) if first.uses_unlabeled else labeled
            fitted = fit(first, coded, rows, seed, n_jobs, kept)
        except ValueError as error:
            failures |= {method.name: str(error).partition("\n")[0] for method in sharing}
            continue
        for method in sharing:
            by_target[method.name] = fitted.by_target
            score = ranker_info(method.name).params.get("importance")
            importances[method.name] = fitted.importances if method is first else fitted.score(score)
    names = [method.name for method in methods if method.name in importances]
    provided = (by_target[name] for name in names if by_target[name] is not None)
    return Fits({name: importances[name] for name in names}, failures, next(provided, None))
