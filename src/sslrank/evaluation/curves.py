"""Error curves of feature rankings: forward and reverse feature addition (paper eca, section 3.1)."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed, effective_n_jobs
from scipy import sparse
from sklearn.base import clone
from sklearn.svm import SVC

from sslrank.core.columns import design_matrix
from sslrank.core.features import Features, encode_features
from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.targets import Targets, encode_targets
from sslrank.evaluation._knn_path import neighbors_curve
from sslrank.evaluation._svm_path import svm_curve
from sslrank.metrics.single import auprc_micro, fold_average, get_measure
from sslrank.model_selection.stratified import stratified_folds
from sslrank.models.estimators import (
    NearestNeighbors,
    count_votes,
    fit_predict,
    make_predictor,
    training_targets,
    vote_rows,
)

CURVES = ("FFA", "RFA")
#: Cells of a design matrix that are made at a time.
_CELLS = 100_000


def nested_sizes(n_features, sizes="auto"):
    """List the sizes of the nested feature sets of a curve, ascending, the last one all features.

    Parameters
    ----------
    n_features : int
    sizes : "auto", "all", (int, float) or list of int, default="auto"
        "all": 1, 2, ..., D. A pair (n0, factor): every size up to n0, then each `factor` times the one
        before, rounded up. "auto": all up to 100 features, otherwise (50, 1.1). A list is used as it is, plus
        D.

    Returns
    -------
    ndarray of int

    Raises
    ------
    ValueError
        If a size is out of range or the factor is not above 1.

    Examples
    --------
    >>> nested_sizes(8), nested_sizes(1000, (5, 4.0)), nested_sizes(8, [2, 4])
    (array([1, 2, 3, 4, 5, 6, 7, 8]), array([   1,    2,    3,    4,    5,   20,   80,  320, 1000]), array([2, 4, 8]))
    """
    if isinstance(sizes, str):
        if sizes not in ("auto", "all"):
            raise ValueError(f"sizes must be 'auto', 'all', (n0, factor) or a list, got {sizes!r}")
        sizes = list(range(1, n_features + 1)) if sizes == "all" or n_features <= 100 else (50, 1.1)
    if isinstance(sizes, tuple) and len(sizes) == 2:
        n_single, factor = sizes
        if n_single < 1 or not factor > 1:
            raise ValueError(f"the step rule (n0, factor) needs n0 >= 1 and factor > 1, got {sizes}")
        chosen = list(range(1, min(int(n_single), n_features) + 1))
        while chosen[-1] < n_features:
            chosen.append(min(n_features, int(np.ceil(chosen[-1] * factor))))
    else:
        chosen = [int(size) for size in sizes]
        if not chosen or min(chosen) < 1 or max(chosen) > n_features:
            raise ValueError(f"sizes must be in 1..{n_features}, got {chosen}")
    return np.unique(np.append(chosen, n_features)).astype(np.intp)


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


class _Fold(NamedTuple):
    rows: np.ndarray  # of training, then of the test
    n_train: int
    complete: np.ndarray  # positions of the training rows with all of their targets, in the order of `y`
    y: np.ndarray
    true: Targets  # of the test rows


class CurveProblem:
    """A data set, its splits and a predictor, ready to score any ordering of the features.

    The matrix of a fold is there while its orderings are scored: those of all folds would take much memory.

    Parameters
    ----------
    features, targets : Features, Targets
        All rows, coded.
    splits : list of (train, test)
        Row indices. Rows of `train` without all of their targets known are left out of training.
    predictor : str or estimator
        See :func:`sslrank.models.estimators.make_predictor`.
    predictor_params : dict, optional
    measure : str, optional
        A name of :data:`sslrank.metrics.single.MEASURES`; by default accuracy for classification (as in
        the eca paper), otherwise the measure of the task.
    sizes : optional
        See :func:`nested_sizes`.
    incremental : bool, default=True
        Reuse what the step before has computed, for the quadratic SVM and nearest neighbours. False fits
        every predictor anew, which gives the same numbers. (A row whose decision value is 0 within the
        tolerance of the SVM may fall on either side.)
    seed : int, default=0

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> rows = np.arange(150)
    >>> problem = CurveProblem(
    ...     encode_features(X), encode_targets(y, 150), [(rows[::2], rows[1::2])], "knn", sizes=[1, 2]
    ... )
    >>> problem.scores(np.array([[3, 2, 0, 1], [1, 0, 2, 3]])).round(2)
    array([[[0.87, 0.93, 0.96]],
    <BLANKLINE>
           [[0.53, 0.83, 0.96]]])
    """

    def __init__(
        self,
        features,
        targets,
        splits,
        predictor="svm",
        *,
        predictor_params=None,
        measure=None,
        sizes="auto",
        incremental=True,
        seed=0,
    ):
        if measure is None and targets.task == "classification":
            measure = "accuracy"
        self.measure = get_measure(measure, targets.task)
        self.targets = targets
        self.n_features = features.shape[1]
        self.sizes = nested_sizes(self.n_features, sizes)
        self.predictor = make_predictor(predictor, targets.task, seed, **(predictor_params or {}))
        self.incremental = incremental
        self.features = features
        self.folds = []
        for train, test in splits:
            train, test = np.asarray(train), np.asarray(test)
            complete, y = training_targets(targets.rows(train))
            if complete.size == 0:
                raise ValueError(
                    "a training part has no row with all of its targets known, so no predictor can be trained"
                )
            if self._is_quadratic():  # sorted by class, a pair of classes is two stretches of rows
                order = np.argsort(y, kind="stable")
                complete, y = complete[order], y[order]
            self.folds.append(_Fold(np.concatenate([train, test]), len(train), complete, y, targets.rows(test)))

    @property
    def test_sizes(self):
        """Number of test rows of each fold."""
        return np.array([len(fold.true.values) for fold in self.folds])

    def scores(self, orders, n_jobs=None):
        """Score nested sets along orderings of the features.

        Parameters
        ----------
        orders : ndarray of shape (n_orders, D) or (n_orders, n_folds, D)
            The first features come first.
        n_jobs : int, optional
            Threads; the result does not depend on it.

        Returns
        -------
        ndarray of shape (n_orders, n_folds, n_sizes)
        """
        orders = np.asarray(orders, dtype=np.intp)
        if not len(orders):
            return np.empty((0, len(self.folds), len(self.sizes)))
        if orders.ndim == 2:
            orders = np.repeat(orders[:, None, :], len(self.folds), axis=1)
        n_folds = len(self.folds)
        parts = np.array_split(np.arange(len(orders)), min(len(orders), -(-effective_n_jobs(n_jobs) // n_folds)))
        tasks = [(f, part) for f in range(n_folds) for part in parts]
        found = Parallel(n_jobs=n_jobs, require="sharedmem")(
            delayed(self._curves)(f, np.ascontiguousarray(orders[part, f])) for f, part in tasks
        )
        values = np.empty((len(orders), n_folds, len(self.sizes)))
        for (f, part), of_task in zip(tasks, found, strict=True):
            values[part, f] = of_task
        return values

    def _is_quadratic(self):
        p = self.predictor
        return (
            isinstance(p, SVC)
            and (p.kernel, p.degree) == ("poly", 2)
            and not isinstance(p.gamma, str)
            and p.class_weight is None
            and not p.break_ties
            and p.max_iter == -1
        )

    def _columns(self, f):
        """Design matrix of a fold, a column in each row, and where the columns of each feature start."""
        fold = self.folds[f]
        one_hot = np.sqrt(0.5) if isinstance(self.predictor, NearestNeighbors) else 1.0
        rows_of = np.concatenate([fold.complete, np.arange(fold.n_train, len(fold.rows))])
        features = self.features
        step = features.shape[1] if sparse.issparse(features.values) else max(1, _CELLS // len(fold.rows))
        columns, widths = [], []
        for start in range(0, features.shape[1], step):  # a few columns stay in the cache while they are turned
            block = slice(start, start + step)
            part = Features(features.values[:, block][fold.rows], features.n_categories[block])
            design = design_matrix(part, slice(fold.n_train), one_hot=one_hot)
            columns.append(np.ascontiguousarray(design.values[rows_of].T))
            widths.append(np.diff(design.starts))
        return np.concatenate(columns), np.concatenate([[0], np.cumsum(np.concatenate(widths))]).astype(np.intp)

    def _curves(self, f, orders):
        columns, starts = self._columns(f)
        return [self._curve(columns, starts, self.folds[f].y, self.folds[f].true, order) for order in orders]

    def _curve(self, columns, starts, y, true, order):
        if self.incremental and self._is_quadratic():
            present, edges = np.unique(y, return_index=True)
            edges = np.append(edges, len(y)).astype(np.intp)
            p = self.predictor
            codes, _, _ = svm_curve(columns, starts, order, self.sizes, edges, p.C, p.gamma, p.coef0, p.tol)
            return [self._score(true, self._class_shares(present[of_size])) for of_size in codes]
        if self.incremental and isinstance(self.predictor, NearestNeighbors):
            k = min(self.predictor.n_neighbors, len(y))
            found = neighbors_curve(columns, starts, order, self.sizes, len(y), k)
            if self.measure.function is auprc_micro:  # only the order of the scores matters
                labels = sparse.csr_array(y, dtype=np.intp)
                return [self._score(true, count_votes(of_size, labels)) for of_size in found]
            return [self._score(true, self._votes(of_size, y)) for of_size in found]
        values = []
        for size in self.sizes:
            chosen = np.concatenate([np.arange(starts[j], starts[j + 1]) for j in order[:size]])
            X = np.ascontiguousarray(columns[chosen].T)
            predicted = fit_predict(clone(self.predictor), X[: len(y)], y, X[len(y) :], self.targets)
            values.append(self.measure(true, predicted))
        return values

    def _class_shares(self, codes):
        """Codes as they are, or shares of 0 and 1 where the measure takes these."""
        return codes if self.measure.needs == "codes" else np.eye(self.targets.n_classes)[codes]

    def _votes(self, found, y):
        if self.targets.task == "classification" and self.measure.needs == "values":
            return count_votes(found, sparse.csr_array(np.eye(self.targets.n_classes, dtype=np.intp)[y]))
        predicted = vote_rows(found, y, self.targets.task == "classification")
        return predicted if predicted.ndim == 2 or self.measure.needs == "codes" else predicted[:, None]

    def _score(self, true, predicted):
        if self.measure.needs == "codes":
            known = ~np.isnan(true.values[:, 0])
            return self.measure.function(true.values[known, 0].astype(np.intp), predicted[known])
        return self.measure.function(true.values, predicted)


def error_curves(
    estimator,
    X,
    y,
    importances,
    *,
    cv=5,
    measure=None,
    sizes="auto",
    task="auto",
    hierarchy=None,
    hierarchy_alpha=0.75,
    categorical_features=None,
    incremental=True,
    n_jobs=None,
    random_state=0,
):
    """Compute FFA and RFA curves of one or several rankings (paper eca, section 3.1).

    A point of the forward (reverse) curve is the performance of a predictor that sees the best (worst) `size`
    features only.

    Parameters
    ----------
    estimator : str or scikit-learn estimator
        "svm" (quadratic kernel, C = 0.1: the paper's), "knn", "tree", or any estimator. For multi-label tasks
        a multi-output regressor, whose predictions are the scores of the labels.
    X : array-like or DataFrame of shape (n, D)
        NaN is missing. Predictors see the matrix of :func:`sslrank.core.columns.design_matrix`.
    y : array-like of shape (n,) or (n, T)
        See :func:`sslrank.core.targets.encode_targets`. Rows without a label do not take part.
    importances : array-like of shape (D,) or (n_folds, D), or dict of name to such
        Higher is better; equal ones rank in column order. With one row per fold, each fold has its ranking.
    cv : int or iterable of (train, test), default=5
        Number of stratified folds, or row indices; a single pair is a plain test set.
    measure : str, optional
        By default accuracy for classification, RRMSE for regression, micro-averaged AUPRC for labels.
    sizes : optional
        "auto", "all", (n0, factor) or a list: :func:`nested_sizes`.
    task, hierarchy, hierarchy_alpha, categorical_features
        See :func:`sslrank.core.targets.encode_targets` and :func:`sslrank.core.features.encode_features`.
    incremental : bool, default=True
        Use the fast ways of :class:`CurveProblem`.
    n_jobs : int, optional
        Threads.
    random_state : int, default=0
        Seed of the folds and of the estimator.

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
    FFA [0.96, 0.97, 0.96, 0.95]
    RFA [0.5, 0.81, 0.87, 0.95]
    """
    problem = _problem(
        estimator, X, y, cv, measure, sizes, task, hierarchy, hierarchy_alpha, categorical_features,
        incremental, random_state,
    )  # fmt: skip
    return ranking_curves(problem, importances, n_jobs=n_jobs)


def expected_curve(
    estimator,
    X,
    y,
    *,
    n_rankings=100,
    cv=5,
    measure=None,
    sizes="auto",
    task="auto",
    hierarchy=None,
    hierarchy_alpha=0.75,
    categorical_features=None,
    incremental=True,
    n_jobs=None,
    random_state=0,
):
    """Estimate the expected curve of random rankings (Eq. 5) by sampling, with its standard error.

    FFA and RFA have the same expectation. It does not depend on a ranking: compute it once per data set, with
    the splits of :func:`error_curves`, and compare all rankings with it.

    Parameters
    ----------
    estimator, X, y, cv, measure, sizes, task, hierarchy, hierarchy_alpha, categorical_features, incremental, n_jobs
        As in :func:`error_curves`.
    n_rankings : int, default=100
        Random rankings, each giving one random subset of every size.
    random_state : int, default=0
        Seed of the folds, of the estimator and of the rankings.

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
    2     3   0.92
    3     4   0.95
    """
    problem = _problem(
        estimator, X, y, cv, measure, sizes, task, hierarchy, hierarchy_alpha, categorical_features,
        incremental, random_state,
    )  # fmt: skip
    return random_curve(problem, n_rankings, seed=resolve_seed(random_state), n_jobs=n_jobs)


def _problem(
    estimator,
    X,
    y,
    cv,
    measure,
    sizes,
    task,
    hierarchy,
    hierarchy_alpha,
    categorical,
    incremental,
    random_state,
):
    seed = resolve_seed(random_state)
    names = [str(name) for name in X.columns] if isinstance(X, pd.DataFrame) else None
    features = encode_features(X, categorical, accept_sparse=sparse.issparse(X), feature_names=names)
    targets = encode_targets(y, features.shape[0], task=task, hierarchy=hierarchy, alpha=hierarchy_alpha)
    if targets.task == "none":
        raise ValueError("curves need a target, y is None")
    if isinstance(cv, int | np.integer):
        labeled = np.flatnonzero(targets.labeled)
        folds = stratified_folds(targets.rows(labeled), int(cv), derive_seed(seed, "folds"))
        splits = [(labeled[train], labeled[test]) for train, test in folds]
    else:
        splits = list(cv)
    return CurveProblem(
        features, targets, splits, estimator, measure=measure, sizes=sizes, incremental=incremental, seed=seed
    )


def ranking_curves(problem, importances, n_jobs=None):
    """Compute the table of :func:`error_curves` for a :class:`CurveProblem`.

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
    0   FFA     1   0.87
    1   FFA     4   0.96
    2   RFA     1   0.53
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
    """Compute the table of :func:`expected_curve` for a :class:`CurveProblem`.

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
    0     1   0.72          10
    1     4   0.96          10
    """
    if n_rankings < 1:
        raise ValueError(f"n_rankings must be at least 1, got {n_rankings}")
    orders = [
        np.random.default_rng(derive_seed(seed, "random ranking", i)).permutation(problem.n_features)
        for i in range(n_rankings)
    ]
    values = problem.scores(np.array(orders), n_jobs)
    averaged = np.array(
        [[fold_average(curve[:, s], problem.test_sizes) for s in range(curve.shape[1])] for curve in values]
    )
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
