"""Evaluate a ranking by three models on the best features, over a geometric range of sizes."""

import numpy as np
from scipy import sparse

from sslrank.core.columns import Columns, design_matrix
from sslrank.core.features import Features
from sslrank.core.random_state import derive_seed
from sslrank.core.threads import one_blas_thread
from sslrank.evaluation._knn_path import votes_curve
from sslrank.evaluation.evaluators.settings import settings_of
from sslrank.evaluation.forest_path import Forest
from sslrank.metrics.averages import area_under_curve
from sslrank.metrics.single import MEASURES
from sslrank.models.estimators import training_targets
from sslrank.models.votes import candidate_order, kernel_arrays

DEFAULTS = {
    "max_size": 300,
    "n_sizes": 8,
    "n_estimators": 20,
    "n_neighbors": 5,
    "max_train": 1000,
    "max_test": 1000,
    "max_labels": 30,
}
#: Training labels of the models: all of them (quality of the features), or those of the ranking (quality that few
#: labels allow).
LABELS = ("all", "labeled")
MODELS = ("extra_trees", "neighbors", "ridge")
_MEASURE = {
    "classification": "balanced_accuracy",
    "multilabel": "label_average_precision",
    "hierarchical": "label_average_precision",
    "regression": "r2",
    "multitarget": "r2",
    "survival": "c_index",
}


def computes(params, task):
    """List the measures that :func:`evaluate` computes for a kind of target; their sizes depend on the dataset.

    Examples
    --------
    >>> computes({}, "classification")[0][:2]
    ['area', 'area all']
    """
    settings_of(params, **DEFAULTS)
    areas = ["area", *(f"area {labels}" for labels in LABELS)]
    return [*areas, *(f"{model} {labels} {_MEASURE[task]}" for labels in LABELS for model in MODELS)], None


def evaluate(features, targets, train, test, labeled, importances, params=None, seed=0):
    """Evaluate a ranking by Extra-Trees, nearest neighbours and ridge regression on the best features.

    Numbers of features form a geometric sequence. The measure is balanced accuracy (classes), mean average precision
    (labels), R² clipped at 0 (numbers), or Harrell's C of predicted log-rank scores (times with events). Each model is
    trained once with all labels of the training rows and once with those of `labeled`. The area is the mean over the
    logarithm of the number of features and over the models. If there are more than `max_train` training rows,
    `max_test` test rows or `max_labels` labels (targets), a random subset is drawn by `seed`, the same for all
    rankings. `seed` also breaks ties in importance.

    Settings: `max_size` (default 300; at most the number of features minus one, because all rankings agree on all
    features), `n_sizes` (8), `n_estimators` (trees, 20), `n_neighbors` (5), `max_train`, `max_test` (1000),
    `max_labels` (30).

    The result has "area all" and "area labeled", their mean "area", with the number of all features as size, and the
    points ``"<model> <labels> <measure>"``.

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 3))
    >>> features, targets = encode_features(X), encode_targets((X[:, 0] > 0).astype(int), 60)
    >>> train, test = np.arange(40), np.arange(40, 60)
    >>> found = evaluate(features, targets, train, test, train[:20], [3.0, 2.0, 1.0], {"n_estimators": 5})
    >>> [(measure, size) for measure, size, value in found][:3]
    [('area', 3), ('area all', 3), ('area labeled', 3)]
    """
    settings = settings_of(params, **DEFAULTS)
    rng = np.random.default_rng(derive_seed(seed, "judge"))
    targets = _some_targets(targets, train, settings["max_labels"], rng)
    importances = np.asarray(importances, dtype=np.float64)
    shuffled = rng.permutation(len(importances))
    order = shuffled[np.argsort(-importances[shuffled], kind="stable")]
    largest = max(min(settings["max_size"], len(order) - 1), 1)
    sizes = np.unique(np.geomspace(1, largest, settings["n_sizes"]).round().astype(int))
    test = _some(np.asarray(test), settings["max_test"], rng)
    rows_by_labels = {"all": np.asarray(train)[targets.labeled[train]], "labeled": np.asarray(labeled)}
    rows_by_labels = {name: _some(rows, settings["max_train"], rng) for name, rows in rows_by_labels.items()}
    top = order[: sizes[-1]]
    best = Features(features.values[:, top], features.n_categories[top])
    design = _standardized(best, train)
    measure = MEASURES[_MEASURE[targets.kind]]
    true = targets.rows(test)
    scores, areas = [], {}
    for name, rows in rows_by_labels.items():
        complete, y = training_targets(targets.rows(rows))
        if complete.size == 0:
            raise ValueError("no labelled row has all of its targets, so there is nothing to train a model on")
        rows = rows[complete]
        Y = np.eye(targets.n_classes)[y] if targets.task == "classification" else y.reshape(len(y), -1)
        curves = []
        with one_blas_thread():
            for model in MODELS:
                make, random = _PREDICT[model], derive_seed(seed, model, name)
                predict = make(best, design, sizes, rows, test, y, Y, targets, settings, random)
                values = [max(measure(true, predict(int(size))), 0.0) for size in sizes]
                scores += [(f"{model} {name} {measure.name}", int(k), v) for k, v in zip(sizes, values, strict=True)]
                curves.append(area_under_curve(sizes, values, spacing="log"))
        areas[name] = float(np.mean(curves))
    areas_by_name = [("area", np.mean(list(areas.values()))), *((f"area {name}", area) for name, area in areas.items())]
    return [(name, len(order), float(area)) for name, area in areas_by_name] + scores


def _some(rows, at_most, rng):
    return rows if len(rows) <= at_most else np.sort(rng.choice(rows, at_most, replace=False))


def _some_targets(targets, train, at_most, rng):
    """Draw labels or numbers that vary in the training rows."""
    if targets.values.shape[1] <= at_most:
        return targets
    values = targets.values[train]
    varies = np.flatnonzero(np.nanmin(values, axis=0) < np.nanmax(values, axis=0))
    kept = _some(varies, at_most, rng)
    return type(targets)(targets.task, targets.values[:, kept], targets.weights[kept])


def _standardized(features, train):
    """Build columns of the features, numbers divided by their standard deviation in the training rows."""
    design = design_matrix(features, train, one_hot=np.sqrt(0.5))
    values = design.values - design.values[train].mean(axis=0)
    spread = values[train].std(axis=0)
    plain = features.nominal[design.owner] | (spread == 0)
    return Columns(values / np.where(plain, 1.0, spread), design.starts)


# Each returns a function that predicts the test rows from a number of features, in the form of sslrank.metrics.single.


def _extra_trees(best, design, sizes, rows, test, y, Y, targets, settings, seed):
    both, n_train = np.concatenate([rows, test]), len(rows)
    features, of_both = best.rows(both), targets.rows(both)
    forest = Forest(settings["n_estimators"], min_samples_leaf=1.0, seed=seed)

    def predict(size):
        return next(forest.predictions(features, of_both, n_train, np.arange(size), [size]))

    return predict


def _neighbors(best, design, sizes, rows, test, y, Y, targets, settings, seed):
    k, ballots = min(settings["n_neighbors"], len(rows)), sparse.csr_array(Y)
    if targets.task in ("regression", "multitarget"):
        order = candidate_order(Y, are_numbers=True)
        rows, ballots = rows[order], ballots[order]
    columns = np.ascontiguousarray(design.values[np.concatenate([rows, test])].T)
    starts, features = design.starts.astype(np.intp), np.arange(design.n_features)
    votes, parts = votes_curve(columns, starts, features, sizes, k, True, *kernel_arrays(ballots), Y.shape[1])
    by_size = dict(zip(sizes, votes / (k * parts)[:, :, None], strict=True))
    return by_size.get


def _ridge(best, design, sizes, rows, test, y, Y, targets, settings, seed):
    # All classes have equal total weight, as in balanced accuracy.
    weights = np.ones(len(rows)) if targets.task != "classification" else len(rows) / np.bincount(y)[y]
    weights = weights / weights.mean()
    X = design.values[rows]
    means, Y_means = weights @ X / len(rows), weights @ Y / len(rows)
    X, Z, centred = X - means, design.values[test] - means, Y - Y_means
    weighted = X * weights[:, None]
    products, right = X.T @ weighted, weighted.T @ centred

    def predict(size):
        width = design.starts[size]
        block = products[:width, :width] + np.eye(width)
        return Z[:, :width] @ np.linalg.solve(block, right[:width]) + Y_means

    return predict


_PREDICT = {"extra_trees": _extra_trees, "neighbors": _neighbors, "ridge": _ridge}
