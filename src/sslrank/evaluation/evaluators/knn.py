"""Feature-weighted k nearest neighbours judge a ranking (paper ssl-ranking, section 6.4)."""

from sslrank.evaluation.evaluators.settings import labelled_only, settings_of
from sslrank.measures.single import get_measure, score
from sslrank.predictors.knn import knn_predict

DEFAULTS = {"n_neighbors": (20, 40), "measures": None, "neighbors": "labeled", "n_jobs": None}


def computes(params, task):
    """Names of the measures, and the k, that :func:`evaluate` gives for a kind of target."""
    measures, ks = _measures_and_ks(settings_of(params, **DEFAULTS), task)
    return [measure.name for measure in measures], ks


def _measures_and_ks(settings, task):
    names, ks = settings["measures"], settings["n_neighbors"]
    if isinstance(names, dict):
        names = names.get(task)
    return [get_measure(name, task) for name in names or [None]], [ks] if isinstance(ks, int) else list(ks)


def evaluate(features, targets, train, test, labeled, importances, params=None, seed=0):
    """Feature-weighted k nearest neighbours (paper ssl-ranking, section 6.4).

    Settings: `n_neighbors` (list of k, default [20, 40]), `measures` (a list, or one for each kind of target
    that is to have other measures than its default), `neighbors` ("labeled", the default, or "all"; see
    :func:`~sslrank.predictors.knn.knn_predict`), `n_jobs`.

    Returns
    -------
    list of (measure, k, value)
    """
    settings = settings_of(params, **DEFAULTS)
    measures, ks = _measures_and_ks(settings, targets.task)
    predictions = knn_predict(
        features.rows(train),
        labelled_only(targets, labeled).rows(train),
        features.rows(test),
        importances,
        ks,
        neighbors=settings["neighbors"],
        n_jobs=settings["n_jobs"],
    )
    true = targets.rows(test)
    return [
        (measure.name, k, score(true, predicted, measure))
        for measure in measures
        for k, predicted in predictions.items()
    ]
