"""Choice of the level of supervision w by internal cross-validation (section 6.3 of paper ssl-ranking)."""

import numpy as np

from sslrank.core.random_state import derive_seed
from sslrank.core.stratified import deal
from sslrank.core.targets import topological_order
from sslrank.metrics.single import measure_for
from sslrank.rankers.trees.growing import grow_forest

#: The levels of section 6.3.
LEVELS = tuple(round(0.1 * i, 1) for i in range(11))
#: Levels of :func:`choose_by_standard_error`; w = 0 would ignore the target.
FEW_LEVELS = (0.25, 0.5, 0.75, 1.0)


def choose_supervision(problem, settings, n_estimators, seed, *, levels=LEVELS, n_folds=4, n_jobs=None):
    """Choose w by the task's measure in cross-validation over the labelled rows.

    Each training set has all unlabelled rows, or none if w = 1 (supervised learning). Ties go to the larger w. With
    fewer than two labelled rows w is the smallest.

    Parameters
    ----------
    problem : sslrank.rankers.trees.growing.Problem
    settings : sslrank.rankers.trees.growing.GrowthSettings
    n_estimators : int
        Trees per forest.
    seed : int
    levels : sequence of float
        Levels to compare.
    n_folds : int
        At most the number of labelled rows.
    n_jobs : int or None

    Returns
    -------
    chosen : float
    cv_results : dict
        ``supervision`` (levels), ``measure``, ``fold_scores`` (level, fold), ``mean_score`` (level,).
    """
    levels = sorted(levels)
    measure = measure_for(problem.targets.task)
    labeled = np.flatnonzero(problem.labeled)
    cv_results = {"supervision": np.array(levels), "measure": measure.name}
    n_folds = min(n_folds, len(labeled))
    if n_folds < 2:
        cv_results["fold_scores"] = np.full((len(levels), 0), np.nan)
        cv_results["mean_score"] = np.full(len(levels), np.nan)
        return float(levels[0]), cv_results
    shuffled = np.random.Generator(np.random.PCG64(derive_seed(seed, "folds"))).permutation(labeled)
    folds = [np.sort(shuffled[fold::n_folds]) for fold in range(n_folds)]
    seeds = [derive_seed(seed, "fold", fold) for fold in range(n_folds)]
    scores = _fold_scores(problem, settings, n_estimators, levels, folds, seeds, measure, n_jobs)
    mean = scores.mean(axis=1) if not np.isnan(scores).any() else _mean_of_defined(scores)
    cv_results["fold_scores"], cv_results["mean_score"] = scores, mean
    return best_level(levels, mean * measure.sign), cv_results


def _fold_scores(problem, settings, n_estimators, levels, folds, seeds, measure, n_jobs):
    """Compute scores (level, fold): each fold's labelled rows are predicted by forests of the other rows."""
    labeled, unlabeled = np.flatnonzero(problem.labeled), np.flatnonzero(~problem.labeled)
    partial = [w for w in levels if w < 1]
    scores = np.empty((len(levels), len(folds)))
    for fold, (test, fold_seed) in enumerate(zip(folds, seeds, strict=True)):
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
                fold_seed,
                n_jobs=n_jobs,
                predict=test,
                only_predict=True,
            )
            for predictions in grown.predictions:
                predictions = respect_hierarchy(predictions / n_estimators, problem.targets.parents)
                scores[k, fold] = measure(problem.targets.rows(test), predictions)
                k += 1
    return scores


def choose_by_standard_error(
    problem, settings, n_estimators, seed, *, levels=FEW_LEVELS, n_folds=4, n_repeats=3, n_jobs=None
):
    """Choose w < 1 only if it is better than w = 1 by more than one standard error.

    The best level below 1 is chosen if its mean gain over w = 1, in repeated stratified folds of the labelled rows,
    exceeds one standard error; otherwise w is 1, which uses only the labelled rows. The one-standard-error rule is that
    of Breiman et al. (1984), Classification and Regression Trees, section 3.4.3. The standard error is corrected for
    overlapping training sets (Nadeau and Bengio 2003, Inference for the generalization error, section 5): the variance
    of the J gains is multiplied by 1/J + 1/(n_folds - 1).

    Parameters
    ----------
    problem, settings, n_estimators, seed, n_jobs
        See :func:`choose_supervision`.
    levels : sequence of float
        0 is ignored; 1 is always included.
    n_folds : int
        At most the number of labelled rows; with fewer than two labelled rows w is 1.
    n_repeats : int

    Returns
    -------
    chosen : float
    cv_results : dict
        As of :func:`choose_supervision`; `fold_scores` has n_repeats * n_folds columns.
    """
    levels = sorted({float(w) for w in levels if w > 0} | {1.0})
    measure = measure_for(problem.targets.task)
    labeled = np.flatnonzero(problem.labeled)
    n_folds = min(n_folds, len(labeled))
    cv_results = {"supervision": np.array(levels), "measure": measure.name}
    if n_folds < 2 or len(levels) == 1 or problem.labeled.all():
        cv_results["fold_scores"] = np.full((len(levels), 0), np.nan)
        cv_results["mean_score"] = np.full(len(levels), np.nan)
        return 1.0, cv_results
    targets = problem.targets
    strata = targets.values[labeled, 0] if targets.task in ("classification", "regression") else None
    folds, seeds = [], []
    for repeat in range(n_repeats):
        rng = np.random.Generator(np.random.PCG64(derive_seed(seed, "folds", repeat)))
        folds += [np.sort(labeled[fold]) for fold in deal(len(labeled), n_folds, rng, strata)]
        seeds += [derive_seed(seed, "fold", repeat, fold) for fold in range(n_folds)]
    scores = _fold_scores(problem, settings, n_estimators, levels, folds, seeds, measure, n_jobs)
    cv_results["fold_scores"], cv_results["mean_score"] = scores, _mean_of_defined(scores)
    gains = measure.sign * (scores[:-1] - scores[-1])
    gains = gains[:, ~np.isnan(gains).any(axis=0)]
    if gains.shape[1] < 2:
        return 1.0, cv_results
    best = int(np.argmax(gains.mean(axis=1)))
    error = np.sqrt(gains[best].var(ddof=1) * (1 / gains.shape[1] + 1 / (n_folds - 1)))
    return (levels[best] if gains[best].mean() > error else 1.0), cv_results


def choose_out_of_bag(problem, settings, n_estimators, seed, *, levels=LEVELS, n_jobs=None):
    """Choose w by the task's measure on out-of-bag predictions of the labelled rows.

    There is one forest for each level, with the seed and the bags of the ranking's forest. Level 1 has no unlabelled
    rows. Ties go to the larger w; with fewer than two labelled rows w is the smallest.

    Parameters
    ----------
    problem, settings, n_estimators, seed, levels, n_jobs
        See :func:`choose_supervision`; trees must have bags.

    Returns
    -------
    chosen : float
    cv_results : dict
        As of :func:`choose_supervision`; the only "fold" is all labelled rows that are out of at least one bag.
    """
    levels = sorted(levels)
    measure = measure_for(problem.targets.task)
    labeled = np.flatnonzero(problem.labeled)
    scores = np.full((len(levels), 1), np.nan)
    cv_results = {"supervision": np.array(levels), "measure": measure.name, "fold_scores": scores}
    cv_results["mean_score"] = scores[:, 0]
    if len(labeled) < 2:
        return float(levels[0]), cv_results
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
    return best_level(levels, scores[:, 0] * measure.sign), cv_results


def best_level(levels, scores):
    """Choose the level with the highest score (ties: the largest level); the lowest level if no score is defined.

    Parameters
    ----------
    levels : sequence of float
    scores : ndarray of shape (n_levels,)
        NaN for undefined.

    Returns
    -------
    float

    Examples
    --------
    >>> best_level([0.0, 0.5, 1.0], np.array([0.7, 0.8, 0.8]))
    1.0
    """
    scores = np.where(np.isnan(scores), -np.inf, scores)
    if np.isneginf(scores).all():
        return min(levels)
    return float(np.asarray(levels)[np.flatnonzero(scores == scores.max())[-1]])


def _mean_of_defined(scores):
    # A fold with an undefined measure (no positive label) is undefined for all levels; leave it out.
    defined = ~np.isnan(scores)
    return np.where(
        defined.any(axis=1),
        np.where(defined, scores, 0).sum(axis=1) / np.maximum(defined.sum(axis=1), 1),
        np.nan,
    )


def respect_hierarchy(probabilities, parents):
    """Lower probabilities until no label is more probable than its parents; no change without a hierarchy.

    This holds already unless single labels of a row are missing, because rows have all ancestors of their labels.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_labels)
        Changed in place.
    parents : sequence of sequences of int, or None

    Returns
    -------
    ndarray of shape (n, n_labels)

    Examples
    --------
    >>> respect_hierarchy(np.array([[0.25, 0.5]]), [[], [0]])
    array([[0.25, 0.25]])
    """
    if parents is None:
        return probabilities
    for label in topological_order(parents, len(parents)):
        for parent in parents[label]:
            np.minimum(probabilities[:, label], probabilities[:, parent], out=probabilities[:, label])
    return probabilities
