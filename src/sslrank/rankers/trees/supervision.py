"""Choice of the level of supervision w by internal cross-validation (section 6.3 of paper ssl-ranking)."""

import numpy as np

from sslrank.core.random_state import derive_seed
from sslrank.core.targets import topological_order
from sslrank.metrics.single import measure_for
from sslrank.rankers.trees.growing import grow_forest

#: The levels of section 6.3.
LEVELS = tuple(round(0.1 * i, 1) for i in range(11))


def choose_supervision(problem, settings, n_estimators, seed, *, levels=LEVELS, n_folds=4, n_jobs=None):
    """Choose w by the task's measure, averaged over folds of the labelled rows.

    Every training part has all unlabelled rows, except for w = 1, which is supervised learning: it has none.
    Ties go to the larger w. With fewer than two labelled rows nothing can be compared and w is 0.

    Parameters
    ----------
    problem : sslrank.rankers.trees.growing.Problem
    settings : sslrank.rankers.trees.growing.GrowthSettings
    n_estimators : int
        Trees per forest.
    seed : int
    levels : sequence of float
        The levels to compare.
    n_folds : int
        At most the number of labelled rows.
    n_jobs : int or None

    Returns
    -------
    chosen : float
    results : dict
        ``supervision`` (levels), ``measure``, ``fold_scores`` (level, fold), ``mean_score`` (level,).
    """
    levels = sorted(levels)
    measure = measure_for(problem.targets.task)
    labeled = np.flatnonzero(problem.labeled)
    results = {"supervision": np.array(levels), "measure": measure.name}
    n_folds = min(n_folds, len(labeled))
    if n_folds < 2:
        results["fold_scores"] = np.full((len(levels), 0), np.nan)
        results["mean_score"] = np.full(len(levels), np.nan)
        return (0.0 if 0.0 in levels else levels[0]), results
    shuffled = np.random.Generator(np.random.PCG64(derive_seed(seed, "folds"))).permutation(labeled)
    unlabeled = np.flatnonzero(~problem.labeled)
    partial = [w for w in levels if w < 1]
    scores = np.empty((len(levels), n_folds))
    for fold in range(n_folds):
        test = np.sort(shuffled[fold::n_folds])
        known = np.setdiff1d(labeled, test)
        parts = [(partial, np.sort(np.concatenate([known, unlabeled])))] if partial else []
        if levels[-1] == 1:
            parts.append(([1.0], known))
        k = 0
        for group, train in parts:
            grown = grow_forest(
                problem,
                train,
                group,
                settings,
                n_estimators,
                derive_seed(seed, "fold", fold),
                n_jobs=n_jobs,
                predict=test,
                only_predict=True,
            )
            for predictions in grown.predictions:
                predictions = respect_hierarchy(predictions / n_estimators, problem.targets.parents)
                scores[k, fold] = measure(problem.targets.rows(test), predictions)
                k += 1
    mean = scores.mean(axis=1) if not np.isnan(scores).any() else _mean_of_defined(scores)
    results["fold_scores"], results["mean_score"] = scores, mean
    return best_level(levels, mean * measure.sign), results


def choose_out_of_bag(problem, settings, n_estimators, seed, *, levels=LEVELS, n_jobs=None):
    """Choose w by the task's measure on the labelled rows, each predicted by the trees that it is out of the bag of.

    The forests are those that `seed` grows for the ranking: one for every level, on the same bags. The level 1 has no
    unlabelled rows. Ties go to the larger w; with fewer than two labelled rows w is 0.

    Parameters
    ----------
    problem, settings, n_estimators, seed, levels, n_jobs
        See :func:`choose_supervision`; trees must have bags.

    Returns
    -------
    chosen : float
    results : dict
        As of :func:`choose_supervision`; the one "fold" is all labelled rows that are out of some bag.
    """
    levels = sorted(levels)
    measure = measure_for(problem.targets.task)
    labeled = np.flatnonzero(problem.labeled)
    scores = np.full((len(levels), 1), np.nan)
    results = {"supervision": np.array(levels), "measure": measure.name, "fold_scores": scores}
    results["mean_score"] = scores[:, 0]
    if len(labeled) < 2:
        return (0.0 if 0.0 in levels else levels[0]), results
    k = 0
    for group, train in (([w for w in levels if w < 1], np.arange(len(problem.labeled))), ([1.0], labeled)):
        if not set(group) & set(levels):
            continue
        grown = grow_forest(
            problem, train, group, settings, n_estimators, seed, n_jobs=n_jobs, predict="out-of-bag", only_predict=True
        )
        seen = np.flatnonzero(grown.n_predictions)
        for predictions in grown.predictions:
            if len(seen):
                mean = predictions[seen] / grown.n_predictions[seen, None]
                mean = respect_hierarchy(mean, problem.targets.parents)
                scores[k, 0] = measure(problem.targets.rows(seen), mean)
            k += 1
    return best_level(levels, scores[:, 0] * measure.sign), results


def best_level(levels, scores):
    """The level with the highest score, the largest of equals; the lowest if no score is defined."""
    scores = np.where(np.isnan(scores), -np.inf, scores)
    if np.isneginf(scores).all():
        return min(levels)
    return float(np.asarray(levels)[np.flatnonzero(scores == scores.max())[-1]])


def _mean_of_defined(scores):
    # A fold whose measure is undefined (no positive label in it) is so for every level: leave it out.
    defined = ~np.isnan(scores)
    return np.where(
        defined.any(axis=1),
        np.where(defined, scores, 0).sum(axis=1) / np.maximum(defined.sum(axis=1), 1),
        np.nan,
    )


def respect_hierarchy(probabilities, parents):
    """No label more probable than any of its parents; without a hierarchy nothing changes.

    Labels are closed upward, so this holds by itself unless single labels of a row are missing.
    """
    if parents is None:
        return probabilities
    for label in topological_order(parents, len(parents)):
        for parent in parents[label]:
            np.minimum(probabilities[:, label], probabilities[:, parent], out=probabilities[:, label])
    return probabilities
