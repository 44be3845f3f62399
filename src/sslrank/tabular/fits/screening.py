"""Univariate screening of very wide tables, in which a forest tries each feature rarely and a linear model is slow."""

import numpy as np

from sslrank.rankers.registry import get_ranker

#: Number of features to keep. On the arena's datasets for choosing defaults, 1,000 are as good as all, and 2,000, 500
#: and 250 are worse; on the held-out datasets, 1,000 are better than all (tests/measurements/README.md).
N_SCREENED = 1_000
#: Tables with more features than this are screened.
WIDE = 5_000


def has_screening(n_features):
    """Check if a table with this many features is screened before forests and linear models."""
    return n_features > WIDE


def is_wide(method, n_features):
    """Check if a method uses only the features that screening keeps.

    Parameters
    ----------
    method : sslrank.tabular.fits.methods.RankingMethod
    n_features : int

    Returns
    -------
    bool
    """
    return has_screening(n_features) and (hasattr(method.ranker, "n_estimators") or hasattr(method.ranker, "n_alphas"))


def screen(coded, labeled):
    """Find the features with the largest F statistics over labelled rows.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable
    labeled : ndarray of int

    Returns
    -------
    ndarray of int
        At most :data:`N_SCREENED`, ascending.
    """
    features, targets = coded.features.rows(labeled), coded.targets.rows(labeled)
    ranker = get_ranker("f_score").fit_coded(features.without_unused_categories(), targets.without_unused_categories())
    return np.sort(np.argsort(-ranker.feature_importances_, kind="stable")[:N_SCREENED])  # ties: the first ones


def extended(values, kept, n_features):
    """Give importance 0 to the features that screening left out.

    Parameters
    ----------
    values : ndarray of shape (n_kept, ...)
        Importances of the features `kept`.
    kept : ndarray of int, or None
        None if no feature was left out.
    n_features : int

    Returns
    -------
    ndarray of shape (n_features, ...)
    """
    if kept is None:
        return values
    filled = np.zeros((n_features, *values.shape[1:]))
    filled[kept] = values
    return filled


def screening_note(methods, n_features):
    """Return a list with a note if methods use only screened features; otherwise an empty list."""
    names = ", ".join(method.name for method in methods if is_wide(method, n_features))
    kept = f"the {N_SCREENED} of {n_features} features with the largest F statistics (screening)"
    return [f"{names}: each fit uses only {kept}; the others have importance 0"] if names else []
