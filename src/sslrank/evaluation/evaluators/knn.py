"""Evaluate a ranking by feature-weighted k nearest neighbours (paper ssl-ranking, section 6.4)."""

import numpy as np

from sslrank.core.validation import check_choice
from sslrank.evaluation.evaluators.settings import labelled_only, settings_of
from sslrank.metrics.single import get_measure, score
from sslrank.models.knn import knn_predict

#: Distances use the importances, not only their order.
USES_VALUES = True
#: Settings of :func:`~sslrank.models.knn.knn_predict`, for choices that the paper leaves open.
READINGS = {
    "neighbors": "labeled",
    "ranges": "train",
    "missing_nominal": "expected",
    "fallback": "training",
    "ties": "shared",
}
DEFAULTS = {"n_neighbors": (20, 40), "measures": None, "test_labels": "all", "n_jobs": None, **READINGS}


def computes(params, task):
    """List the measures, and the k, that :func:`evaluate` computes for a kind of target.

    Examples
    --------
    >>> computes({"n_neighbors": 5}, "multitarget")
    (['rrmse'], [5])
    """
    measures, ks = _measures_and_ks(settings_of(params, **DEFAULTS), task)
    return [measure.name for measure in measures], ks


def _measures_and_ks(settings, task):
    names, ks = settings["measures"], settings["n_neighbors"]
    if isinstance(names, dict):
        names = names.get(task)
    return [get_measure(name, task) for name in names or [None]], [ks] if isinstance(ks, int) else list(ks)


def evaluate(features, targets, train, test, labeled, importances, params=None, seed=0):
    """Score a ranking by feature-weighted k nearest neighbours (paper ssl-ranking, section 6.4).

    Settings: `n_neighbors` (list of k, default [20, 40]), `measures` (a list, or a list for each kind of target that
    does not use its default), `test_labels` ("all", the default, or "as_train": a random subset of the test rows, with
    the share of labelled training rows; the set D_TEST^L of the paper), and `neighbors`, `ranges`, `missing_nominal`,
    `fallback`, `ties` and `n_jobs` of :func:`~sslrank.models.knn.knn_predict`. Classes with equal votes share the
    prediction of a row; with `ties` other than "shared", the first one is predicted.

    Examples
    --------
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> features, targets = encode_features([[0.0], [1.0], [8.0], [9.0]]), encode_targets([0, 0, 1, 1], 4)
    >>> evaluate(features, targets, np.array([0, 2]), np.array([1, 3]), np.array([0, 2]), [1.0], {"n_neighbors": 1})
    [('f1_macro', 1, 1.0)]
    """
    settings = settings_of(params, **DEFAULTS)
    check_choice("test_labels", settings["test_labels"], ("all", "as_train"))
    measures, ks = _measures_and_ks(settings, targets.kind)
    rows = features.rows(train), labelled_only(targets, labeled).rows(train), features.rows(test)
    options = {name: settings[name] for name in ("n_jobs", *READINGS)}
    predictions = knn_predict(*rows, importances, ks, seed=seed, **options)
    true = targets.rows(test)
    if settings["ties"] != "shared" and targets.task == "classification":
        predictions = {k: np.eye(targets.n_classes)[shares.argmax(axis=1)] for k, shares in predictions.items()}
    if settings["test_labels"] == "as_train":
        true = labelled_only(true, _draw_labeled(true.labeled, len(labeled) / len(train), seed))
    return [
        (measure.name, k, score(true, predicted, measure))
        for measure in measures
        for k, predicted in predictions.items()
    ]


def _draw_labeled(labeled, share, seed):
    """Draw the test rows that keep their labels: the share `share`, rounded, at least one row."""
    rows = np.flatnonzero(labeled)
    n_kept = min(max(round(share * len(labeled)), 1), len(rows))
    return np.sort(np.random.default_rng(seed).permutation(rows)[:n_kept])
