"""Feature-weighted k nearest neighbours judge a ranking (paper ssl-ranking, section 6.4)."""

from sslrank.evaluation.evaluators.settings import labelled_only, settings_of
from sslrank.measures.single import get_measure, score
from sslrank.predictors.knn import knn_predict


def evaluate(features, targets, train, test, labeled, importances, params=None, seed=0):
    """Feature-weighted k nearest neighbours (paper ssl-ranking, section 6.4).

    Settings: `n_neighbors` (list of k, default [20, 40]), `measures` (a list, or one for each kind of target
    that is to have other measures than its default), `neighbors` ("labeled", the default, or "all"; see
    :func:`~sslrank.predictors.knn.knn_predict`), `n_jobs`.

    Returns
    -------
    list of (measure, k, value)
    """
    settings = settings_of(params, n_neighbors=(20, 40), measures=None, neighbors="labeled", n_jobs=None)
    names = settings["measures"]
    if isinstance(names, dict):
        names = names.get(targets.task)
    measures = [get_measure(name, targets.task) for name in names or [None]]
    ks = settings["n_neighbors"]
    predictions = knn_predict(
        features.rows(train),
        labelled_only(targets, labeled).rows(train),
        features.rows(test),
        importances,
        [ks] if isinstance(ks, int) else list(ks),
        neighbors=settings["neighbors"],
        n_jobs=settings["n_jobs"],
    )
    true = targets.rows(test)
    return [
        (measure.name, k, score(true, predicted, measure))
        for measure in measures
        for k, predicted in predictions.items()
    ]
