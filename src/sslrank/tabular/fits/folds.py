"""Split the labelled rows into folds and half-samples, with groups kept whole and in the order of time."""

import numpy as np

from sslrank.core.random_state import derive_seed
from sslrank.core.stratified import labeled_folds

#: As L. Breiman and P. Spector advise for choosing submodels (International Statistical Review 60, 1992).
FOLDS = 5
#: Repetitions of the folds by the number of labelled rows: with more rows, scores have less variance.
REPEATS = ((500, 3), (2000, 2), (np.inf, 1))


def make_folds(coded, n_folds, seed, design):
    """Split the labelled rows into folds; unlabelled rows are in every training part.

    Groups of `design` stay whole; with times, training rows are earlier than test rows.
    """
    labeled, groups = coded.labeled, design.whole_groups
    if design.order is not None:
        stretch = design.rows(labeled).stretches(n_folds + 1)
        parts = [labeled[stretch == part] for part in range(n_folds + 1) if (stretch == part).any()]
        n_folds = len(parts) - 1
        others = coded.unlabeled
        return [(np.sort(np.concatenate([*parts[: i + 1], others])), np.sort(parts[i + 1])) for i in range(n_folds)]
    n_parts = len(labeled) if groups is None else len(np.unique(groups[labeled]))
    return labeled_folds(coded.targets, min(n_folds, n_parts), seed, groups)


def repeated_folds(coded, seed, design):
    """Split the labelled rows into folds, repeated as :data:`REPEATS` says; once in the order of time."""
    repeats = 1 if design.order is not None else n_repeats(len(coded.labeled))
    return [fold for i in range(repeats) for fold in make_folds(coded, FOLDS, derive_seed(seed, "folds", i), design)]


def n_repeats(n_labeled):
    """Return how often cross-validation is repeated for this number of labelled rows."""
    return next(repeats for most, repeats in REPEATS if n_labeled <= most)
