"""Score nested feature subsets along an order of the features, by fold (paper eca, section 3.1)."""

from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from scipy import sparse
from sklearn.base import clone
from sklearn.svm import SVC

from sslrank.core.columns import design_matrix
from sslrank.core.features import Features
from sslrank.core.targets import Targets
from sslrank.evaluation._knn_path import votes_curve
from sslrank.evaluation._svm_path import svm_curve
from sslrank.evaluation.forest_path import Forest
from sslrank.metrics.single import measure_on_features
from sslrank.models.estimators import LinearModel, NearestNeighbors, fit_predict, make_predictor, training_targets
from sslrank.models.votes import candidate_order, kernel_arrays

#: Number of cells of a design matrix computed at a time.
_CELLS = 100_000
#: Votes of a curve counted in one pass over the sizes of the feature sets; more take several.
_VOTES = 2**24


def nested_sizes(n_features, sizes="auto"):
    """List the ascending sizes of the nested feature sets of a curve; the last one is all features.

    Parameters
    ----------
    n_features : int
    sizes : "auto", "all", (int, float) or list of int, default="auto"
        "all": 1, 2, ..., D. A pair (n0, factor): every size up to n0, then each `factor` times the previous one,
        rounded up. "auto": "all" up to 100 features, otherwise (50, 1.1). To a list, D is added.

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
        numbers = list(range(1, min(int(n_single), n_features) + 1))
        while numbers[-1] < n_features:
            numbers.append(min(n_features, int(np.ceil(numbers[-1] * factor))))
    else:
        numbers = [int(size) for size in sizes]
        if not numbers or min(numbers) < 1 or max(numbers) > n_features:
            raise ValueError(f"sizes must be in 1..{n_features}, got {numbers}")
    return np.unique(np.append(numbers, n_features)).astype(np.intp)


class _Fold(NamedTuple):
    rows: np.ndarray  # of training, then of the test
    n_train: int
    complete: np.ndarray  # positions of the training rows with all of their targets, in the order of `y`
    y: np.ndarray
    true: Targets  # of the test rows


class CurveProblem:
    """A dataset, its splits and a predictor, to score orders of the features.

    Folds are processed one after the other, to save memory. The quadratic SVM and nearest neighbours reuse the
    computation of the previous size; other predictors are fitted for each one. (A row whose decision value is 0 within
    the tolerance of the SVM may fall on either side.)

    Parameters
    ----------
    features, targets : Features, Targets
        Encoded features and targets of all rows.
    splits : list of (train, test)
        Row indices. Rows of `train` with a missing target are left out of training.
    predictor : str or estimator
        "forest" (:class:`sslrank.evaluation.forest_path.Forest`), "linear"
        (:class:`sslrank.models.estimators.LinearModel`), or see
        :func:`sslrank.models.estimators.make_predictor`.
    predictor_params : dict, optional
    measure : str, optional
        A name of :data:`sslrank.metrics.single.MEASURES`; by default accuracy for classification (as in
        the eca paper), otherwise the measure of the task.
    sizes : optional
        See :func:`nested_sizes`.
    seed : int, default=0

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> X, y = load_iris(return_X_y=True)
    >>> rows = np.arange(150)
    >>> problem = CurveProblem(
    ...     encode_features(X), encode_targets(y, 150), [(rows[::2], rows[1::2])], "knn", sizes=[1, 2]
    ... )
    >>> problem.scores(np.array([[3, 2, 0, 1], [1, 0, 2, 3]])).round(2)
    array([[[0.96, 0.95, 0.96]],
    <BLANKLINE>
           [[0.55, 0.81, 0.96]]])
    """

    def __init__(
        self, features, targets, splits, predictor="svm", *, predictor_params=None, measure=None, sizes="auto", seed=0
    ):
        self.measure = measure_on_features(measure, targets.kind)
        self.targets = targets
        self.n_features = features.shape[1]
        self.sizes = nested_sizes(self.n_features, sizes)
        params = predictor_params or {}
        if predictor == "forest":
            self.predictor = Forest(seed=seed, **params)
        elif predictor == "linear":
            self.predictor = LinearModel(**params)
        else:
            self.predictor = make_predictor(predictor, targets.task, seed, **params)
        self.features = features
        self.folds = []
        for train, test in splits:
            train, test = np.asarray(train), np.asarray(test)
            complete, y = training_targets(targets.rows(train))
            if complete.size == 0:
                raise ValueError(
                    "a training part has no row with all of its targets known, so no predictor can be trained"
                )
            if self._is_quadratic():  # sorted by class, so that a pair of classes is two contiguous blocks of rows
                order = np.argsort(y, kind="stable")
                complete, y = complete[order], y[order]
            if isinstance(self.predictor, NearestNeighbors):
                p, are_numbers = self.predictor, targets.task in ("regression", "multitarget")
                order = candidate_order(y.reshape(len(y), -1), are_numbers, p.ties, p.random_state or 0)
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
        curves = Parallel(n_jobs=n_jobs, require="sharedmem")(
            delayed(self._curves)(f, np.ascontiguousarray(orders[part, f])) for f, part in tasks
        )
        values = np.empty((len(orders), n_folds, len(self.sizes)))
        for (f, part), of_task in zip(tasks, curves, strict=True):
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
        """Build the transposed design matrix of a fold, and the first column of each feature."""
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
        if isinstance(self.predictor, Forest):
            return [self._forest_curve(self.folds[f], order) for order in orders]
        columns, starts = self._columns(f)
        return [self._curve(columns, starts, self.folds[f].y, self.folds[f].true, order) for order in orders]

    def _curve(self, columns, starts, y, true, order):
        if self._is_quadratic():
            present, edges = np.unique(y, return_index=True)
            edges = np.append(edges, len(y)).astype(np.intp)
            p = self.predictor
            codes, _, _ = svm_curve(columns, starts, order, self.sizes, edges, p.C, p.gamma, p.coef0, p.tol)
            shares = np.eye(self.targets.n_classes)
            return [self.measure(true, shares[present[of_size]]) for of_size in codes]
        if isinstance(self.predictor, NearestNeighbors):
            k = min(self.predictor.n_neighbors, len(y))
            classes = self.targets.task == "classification"
            ballots = sparse.csr_array(np.eye(self.targets.n_classes)[y] if classes else y.reshape(len(y), -1))
            n_test, n_targets = columns.shape[1] - len(y), ballots.shape[1]
            arrays, shared = kernel_arrays(ballots), self.predictor.ties == "shared"
            values = []
            n_passes = -(-len(self.sizes) * n_test * n_targets // _VOTES)
            for sizes in np.array_split(self.sizes, min(max(n_passes, 1), len(self.sizes))):
                votes, parts = votes_curve(columns, starts, order, sizes, k, shared, *arrays, n_targets)
                votes /= (k * parts)[:, :, None]
                values += [self.measure(true, of_size) for of_size in votes]
            return values
        if isinstance(self.predictor, LinearModel):
            return self._linear_curve(columns, starts, y, true, order)
        return self._fitted_curve(columns, starts, y, true, order)

    def _linear_curve(self, columns, starts, y, true, order):
        best = order[: self.sizes[-1]]
        X = np.concatenate([columns[starts[j] : starts[j + 1]] for j in best]).T
        widths, weights = np.cumsum(np.diff(starts)[best])[self.sizes - 1], np.ones(len(y))
        if self.targets.task == "classification":
            counts = np.bincount(y, minlength=self.targets.n_classes)
            weights = len(y) / counts[y] / (counts > 0).sum()
            Y = np.eye(self.targets.n_classes)[y]
        else:
            Y = y.reshape(len(y), -1).astype(np.float64)
        predictions = self.predictor.predictions(X[: len(y)], Y, X[len(y) :], widths, weights)
        return [self.measure(true, predicted) for predicted in predictions]

    def _fitted_curve(self, columns, starts, y, true, order):
        values = []
        for size in self.sizes:
            chosen = np.concatenate([np.arange(starts[j], starts[j + 1]) for j in order[:size]])
            X = np.ascontiguousarray(columns[chosen].T)
            predicted = fit_predict(clone(self.predictor), X[: len(y)], y, X[len(y) :], self.targets)
            values.append(self.measure(true, predicted))
        return values

    def _forest_curve(self, fold, order):
        test = fold.rows[fold.n_train :]
        rows = np.concatenate([fold.rows[fold.complete], test])
        features, targets = self.features.rows(rows), self.targets.rows(rows)
        predictions = self.predictor.predictions(features, targets, len(fold.complete), order, self.sizes)
        return [self.measure(fold.true, predicted) for predicted in predictions]
