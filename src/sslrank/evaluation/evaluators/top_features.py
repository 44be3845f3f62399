"""Evaluate a ranking by a predictor on the top features (paper ssfi, Algorithm 5)."""

import numpy as np

from sslrank.core.columns import design_matrix
from sslrank.core.validation import check_choice
from sslrank.evaluation.evaluators.settings import settings_of
from sslrank.metrics.single import measure_on_features, score
from sslrank.models.estimators import fit_predict, make_predictor, training_targets

DEFAULTS = {"predictor": "tree", "predictor_params": None, "n_top": 10, "measure": None, "train": "labeled"}


def computes(params, task):
    """List the measures, and the numbers of features, that :func:`evaluate` computes for a kind of target.

    Examples
    --------
    >>> computes({"n_top": 3}, "classification")
    (['accuracy'], [1, 2, 3])
    """
    settings = settings_of(params, **DEFAULTS)
    return [measure_on_features(settings["measure"], task).name], list(range(1, settings["n_top"] + 1))


def evaluate(features, targets, train, test, labeled, importances, params=None, seed=0):
    """Score a ranking by a predictor on the top 1, 2, ... features (paper ssfi, Algorithm 5).

    Settings: `predictor` ("tree", "knn", "svm" or an estimator; default "tree"), `predictor_params`, `n_top` (default
    10, at most the number of features), `measure` (default accuracy for classification, otherwise by task), `train`
    ("labeled", the default, trains on the labelled rows; "all" on all training rows, including labels hidden from the
    ranking, a reading of line 15 of Algorithm 5).

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 3))
    >>> features, targets = encode_features(X), encode_targets((X[:, 0] > 0).astype(int), 60)
    >>> train, test = np.arange(40), np.arange(40, 60)
    >>> evaluate(features, targets, train, test, train[:20], [3.0, 2.0, 1.0], {"n_top": 1})
    [('accuracy', 1, 0.95)]
    """
    settings = settings_of(params, **DEFAULTS)
    check_choice("train", settings["train"], ("labeled", "all"))
    measure = measure_on_features(settings["measure"], targets.kind)
    training = np.asarray(labeled if settings["train"] == "labeled" else train)
    design = design_matrix(features, train)
    complete, y = training_targets(targets.rows(training))
    if complete.size == 0:
        raise ValueError("no labelled row has all of its targets, so there is nothing to train a predictor on")
    order = np.argsort(-np.asarray(importances, dtype=np.float64), kind="stable")
    true = targets.rows(test)
    scores = []
    for size in range(1, min(settings["n_top"], len(order)) + 1):
        columns = design.positions_of(order[:size])
        predictor = make_predictor(settings["predictor"], targets.task, seed, **(settings["predictor_params"] or {}))
        X_train = design.values[np.ix_(training[complete], columns)]
        predicted = fit_predict(predictor, X_train, y, design.values[np.ix_(test, columns)], targets)
        scores.append((measure.name, size, score(true, predicted, measure)))
    return scores
