"""Error curves of feature rankings: forward and reverse feature addition (paper eca, section 3.1)."""

import numpy as np
import pandas as pd
from scipy import sparse

from sslrank.core.features import encode_features
from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.stratified import stratified_folds
from sslrank.core.targets import encode_targets
from sslrank.evaluation.curve_problem import CurveProblem
from sslrank.metrics.averages import fold_average

CURVES = ("FFA", "RFA")


def feature_order(importances):
    """Sort features from best to worst; equal importances in column order.

    Parameters
    ----------
    importances : array-like of shape (D,)

    Returns
    -------
    ndarray of int

    Raises
    ------
    ValueError
        If an importance is NaN.

    Examples
    --------
    >>> feature_order([0.2, 0.9, 0.2])
    array([1, 0, 2])
    """
    importances = np.asarray(importances, dtype=np.float64)
    if np.isnan(importances).any():
        raise ValueError("importances contain NaN, so they do not give an order")
    return np.argsort(-importances, kind="stable").astype(np.intp)


def curve_problem(
    estimator,
    X,
    y,
    *,
    cv=5,
    measure=None,
    sizes="auto",
    task="auto",
    hierarchy=None,
    hierarchy_alpha=0.75,
    categorical_features=None,
    random_state=0,
):
    """Prepare a table, its folds and a predictor for curves.

    Parameters
    ----------
    estimator : str or scikit-learn estimator
        "svm" (quadratic kernel, C = 0.1: the paper's), "knn", "tree", or any estimator. For multi-label tasks
        a multi-output regressor, whose predictions are the scores of the labels.
    X : array-like or DataFrame of shape (n, D)
        NaN is missing. Predictors see the matrix of :func:`sslrank.core.columns.design_matrix`.
    y : array-like of shape (n,) or (n, T)
        See :func:`sslrank.core.targets.encode_targets`. Unlabelled rows are ignored.
    cv : int or iterable of (train, test), default=5
        Number of stratified folds, or row indices; a single pair is a plain test set.
    measure : str, optional
        By default accuracy for classification, RRMSE for regression, micro-averaged AUPRC for labels.
    sizes : optional
        "auto", "all", (n0, factor) or a list: :func:`sslrank.evaluation.curve_problem.nested_sizes`.
    task, hierarchy, hierarchy_alpha, categorical_features
        See :func:`sslrank.core.targets.encode_targets` and :func:`sslrank.core.features.encode_features`.
    random_state : int, default=0
        Seed of the folds and of the estimator.

    Returns
    -------
    CurveProblem

    Raises
    ------
    ValueError
        If shapes do not match, or the estimator or the measure does not fit the task.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> curve_problem("knn", *load_iris(return_X_y=True), sizes=[1, 2]).sizes
    array([1, 2, 4])
    """
    seed = resolve_seed(random_state)
    features = encode_features(X, categorical_features, accept_sparse=sparse.issparse(X))
    targets = encode_targets(y, features.shape[0], task=task, hierarchy=hierarchy, alpha=hierarchy_alpha)
    if targets.task == "none":
        raise ValueError("curves need a target, y is None")
    if isinstance(cv, int | np.integer):
        labeled = np.flatnonzero(targets.labeled)
        folds = stratified_folds(targets.rows(labeled), int(cv), derive_seed(seed, "folds"))
        splits = [(labeled[train], labeled[test]) for train, test in folds]
    else:
        splits = list(cv)
    return CurveProblem(features, targets, splits, estimator, measure=measure, sizes=sizes, seed=seed)


def error_curves(estimator, X, y, importances, *, n_jobs=None, **options):
    """Compute FFA and RFA curves of one or several rankings (paper eca, section 3.1).

    A point of the forward (reverse) curve is the performance of a predictor on the best (worst) `size` features.

    Parameters
    ----------
    estimator, X, y
        As in :func:`curve_problem`.
    importances : array-like of shape (D,) or (n_folds, D), or dict of name to such
        Higher is better; ties rank in column order. With one row per fold, each fold has its own ranking.
    n_jobs : int, optional
        Threads.
    **options
        Of :func:`curve_problem`: cv, measure, sizes, task, random_state and others.

    Returns
    -------
    DataFrame
        Columns ranking, curve ("FFA" or "RFA"), fold, n_test, size, measure, value.

    Raises
    ------
    ValueError
        If shapes do not match, or the estimator or the measure does not fit the task.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank.evaluation import error_curves
    >>> X, y = load_iris(return_X_y=True)
    >>> curves = error_curves("knn", X, y, [0.1, 0.0, 0.9, 1.0], cv=3)
    >>> for name, of_curve in curves.groupby("curve"):
    ...     print(name, of_curve.groupby("size")["value"].mean().round(2).to_list())
    FFA [0.96, 0.96, 0.96, 0.95]
    RFA [0.52, 0.78, 0.89, 0.95]
    """
    return ranking_curves(curve_problem(estimator, X, y, **options), importances, n_jobs=n_jobs)


def expected_curve(estimator, X, y, *, n_rankings=100, n_jobs=None, random_state=0, **options):
    """Estimate the expected curve of random rankings (Eq. 5) by sampling, with its standard error.

    FFA and RFA have the same expectation. It does not depend on a ranking: compute it once per dataset, with the splits
    of :func:`error_curves`, and compare all rankings with it.

    Parameters
    ----------
    estimator, X, y
        As in :func:`curve_problem`.
    n_rankings : int, default=100
        Number of random rankings, each with one random subset of every size.
    n_jobs : int, optional
        Threads.
    random_state : int, default=0
        Seed of the folds, of the estimator and of the rankings.
    **options
        Further options of :func:`curve_problem`.

    Returns
    -------
    DataFrame
        Columns size, value (averaged over folds and rankings), standard_error (over the rankings),
        n_rankings, measure.

    Raises
    ------
    ValueError
        If shapes do not match, or the estimator or the measure does not fit the task.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank.evaluation import expected_curve
    >>> expected_curve("knn", *load_iris(return_X_y=True), n_rankings=5, cv=3)[["size", "value"]].round(2)
       size  value
    0     1   0.73
    1     2   0.92
    2     3   0.93
    3     4   0.95
    """
    problem = curve_problem(estimator, X, y, random_state=random_state, **options)
    return random_curve(problem, n_rankings, seed=resolve_seed(random_state), n_jobs=n_jobs)


def ranking_curves(problem, importances, n_jobs=None):
    """Compute the table of :func:`error_curves` for a :class:`~sslrank.evaluation.curve_problem.CurveProblem`.

    Parameters
    ----------
    problem : CurveProblem
    importances : array-like of shape (D,) or (n_folds, D), or dict of name to such
    n_jobs : int, optional
        Threads.

    Returns
    -------
    DataFrame
        Columns ranking, curve ("FFA" or "RFA"), fold, n_test, size, measure, value.

    Raises
    ------
    ValueError
        If importances have another shape.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> rows = np.arange(150)
    >>> problem = CurveProblem(encode_features(X), encode_targets(y, 150), [(rows[::2], rows[1::2])], "knn", sizes=[1])
    >>> ranking_curves(problem, [0.1, 0.0, 0.9, 1.0])[["curve", "size", "value"]].round(2)
      curve  size  value
    0   FFA     1   0.96
    1   FFA     4   0.96
    2   RFA     1   0.55
    3   RFA     4   0.96
    """
    rankings = importances if isinstance(importances, dict) else {"ranking": importances}
    n_folds, orders, names = len(problem.folds), [], []
    for name, of_ranking in rankings.items():
        of_ranking = np.asarray(of_ranking, dtype=np.float64)
        if of_ranking.shape not in ((problem.n_features,), (n_folds, problem.n_features)):
            raise ValueError(
                f"the importances of {name!r} have shape {of_ranking.shape}; expected "
                f"({problem.n_features},) or ({n_folds}, {problem.n_features})"
            )
        per_fold = np.broadcast_to(of_ranking, (n_folds, problem.n_features))
        forward = np.array([feature_order(row) for row in per_fold])
        orders += [forward, forward[:, ::-1]]
        names.append(name)
    values = problem.scores(np.array(orders), n_jobs)
    shape = (len(names), 2, n_folds, len(problem.sizes))
    grid = np.indices(shape).reshape(4, -1)
    return pd.DataFrame(
        {
            "ranking": np.array(names, dtype=object)[grid[0]],
            "curve": np.array(CURVES, dtype=object)[grid[1]],
            "fold": grid[2],
            "n_test": problem.test_sizes[grid[2]],
            "size": problem.sizes[grid[3]],
            "measure": problem.measure.name,
            "value": values.ravel(),
        }
    )


def random_curve(problem, n_rankings=100, *, seed=0, n_jobs=None):
    """Compute the table of :func:`expected_curve` for a :class:`~sslrank.evaluation.curve_problem.CurveProblem`.

    Parameters
    ----------
    problem : CurveProblem
    n_rankings : int, default=100
    seed : int, default=0
    n_jobs : int, optional
        Threads.

    Returns
    -------
    DataFrame
        Columns size, value, standard_error, n_rankings, measure.

    Raises
    ------
    ValueError
        If `n_rankings` is below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> rows = np.arange(150)
    >>> problem = CurveProblem(encode_features(X), encode_targets(y, 150), [(rows[::2], rows[1::2])], "knn", sizes=[1])
    >>> random_curve(problem, 10)[["size", "value", "n_rankings"]].round(2)
       size  value  n_rankings
    0     1   0.74          10
    1     4   0.96          10
    """
    if n_rankings < 1:
        raise ValueError(f"n_rankings must be at least 1, got {n_rankings}")
    orders = [
        np.random.default_rng(derive_seed(seed, "random ranking", i)).permutation(problem.n_features)
        for i in range(n_rankings)
    ]
    values = problem.scores(np.array(orders), n_jobs)
    averaged = np.apply_along_axis(fold_average, 1, values, problem.test_sizes)
    error = averaged.std(axis=0, ddof=1) / np.sqrt(n_rankings) if n_rankings > 1 else np.full(averaged.shape[1], np.nan)
    return pd.DataFrame(
        {
            "size": problem.sizes,
            "value": averaged.mean(axis=0),
            "standard_error": error,
            "n_rankings": n_rankings,
            "measure": problem.measure.name,
        }
    )
